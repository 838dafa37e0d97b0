/* SPDX-License-Identifier: Apache-2.0 */
#include "render/name_fit.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "render/text_fit.h"

enum state { SHOWN, KEPT, MARKED, OMITTED };

struct fit {
	const char *name;
	size_t len, room;
	const char *mark;
	struct name_parts parts;
	char *states;    /* by byte */
	enum state gone; /* of what leaves no mark, unless words in it are kept */
};

/* ---- cutting ---- */

static void set_range(struct fit *fit, struct name_range range, enum state state)
{
	for (size_t i = range.from; i < range.to && i < fit->len; i++)
		if (fit->states[i] != KEPT)
			fit->states[i] = (char)state;
}

static bool is_cut(char state)
{
	return state == MARKED || state == OMITTED;
}

/* Puts what is left; OUT NULL: only counts.  Returns the columns. */
static size_t put(const struct fit *fit, struct strbuf *out)
{
	size_t width = 0, mark = utf8_length(fit->mark);

	for (size_t i = 0; i < fit->len; i++) {
		bool marked = false;

		if (!is_cut(fit->states[i])) {
			if (out)
				strbuf_addch(out, fit->name[i]);
			width += ((unsigned char)fit->name[i] & 0xc0) != 0x80;
			continue;
		}
		for (; i < fit->len && is_cut(fit->states[i]); i++)
			marked |= fit->states[i] == MARKED;
		i--;
		width += marked ? mark : 0;
		if (marked && out)
			strbuf_addstr(out, fit->mark);
	}
	return width;
}

static bool fits(const struct fit *fit)
{
	return put(fit, NULL) <= fit->room;
}

/* ---- the least useful goes first: each returns whether the name fits now ---- */

/* The folders of a script; its file and line stay. */
static bool cut_folders(struct fit *fit)
{
	const char *place = fit->name + fit->parts.place, *slash = strrchr(place, '/');

	if (slash && slash > place + 2)
		set_range(fit,
			  (struct name_range){ fit->parts.place + 1,
					       (size_t)(slash - fit->name) },
			  MARKED);
	return fits(fit);
}

/* "non-virtual thunk to" is no type. */
static bool cut_return_type(struct fit *fit)
{
	size_t chain = fit->parts.chain;
	bool is_type = chain < 4 ||
		       (strncmp(fit->name + chain - 4, " to ", 4) != 0 &&
			(chain < 5 || strncmp(fit->name + chain - 5, " for ", 5) != 0));

	if (is_type)
		set_range(fit, (struct name_range){ 0, chain }, fit->gone);
	return fits(fit);
}

static void fold_group(struct fit *fit, const struct name_group *group)
{
	if (group->to - group->from > 3)
		set_range(fit, (struct name_range){ group->from + 1, group->to - 1 },
			  MARKED);
}

/* Deeper ones go with those that they are in. */
#define DEPTH_MAX 24

static bool fold_inner(struct fit *fit)
{
	size_t deepest = 0;

	vec_for_each(const struct name_group, group, &fit->parts.groups)
		deepest = group->depth > deepest ? group->depth : deepest;
	for (size_t depth = deepest < DEPTH_MAX ? deepest : DEPTH_MAX; depth; depth--) {
		vec_for_each(const struct name_group, group, &fit->parts.groups)
			if (group->depth == depth)
				fold_group(fit, group);
		if (fits(fit))
			return true;
	}
	return false;
}

/* <T as Trait>::f, (*T).f: no arguments, but a part of the path. */
static bool is_scope(const struct fit *fit, const struct name_group *group)
{
	size_t from = group->from;

	if (from == fit->parts.chain)
		return true;
	if (fit->name[from] == '<')
		return from > fit->parts.chain && fit->name[from - 1] == ':' &&
		       !strncmp(fit->name + from, "<impl ", 6);
	return from && fit->name[from] == '(' && strchr("./", fit->name[from - 1]);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c & 0x80;
}

/* <alloc::vec::Vec<…> as core::iter::Iterator>: the last words of the paths stay. */
static bool cut_inner_paths(struct fit *fit)
{
	vec_for_each(const struct name_group, group, &fit->parts.groups) {
		size_t word = group->from + 1;

		for (size_t i = word;
		     i < group->to && !group->depth && is_scope(fit, group); i++) {
			if (!strncmp(fit->name + i, "::", 2)) {
				set_range(fit, (struct name_range){ word, i + 2 },
					  fit->gone);
				word = ++i + 1;
			} else if (!is_word(fit->name[i])) {
				word = i + 1;
			}
		}
	}
	return fits(fit);
}

static bool is_parameters(const struct fit *fit, const struct name_group *group)
{
	return !group->depth && fit->name[group->from] == '(' && !is_scope(fit, group) &&
	       group->from >= fit->parts.chain && group->from < fit->parts.end;
}

static bool fold_parameters(struct fit *fit)
{
	vec_for_each(const struct name_group, group, &fit->parts.groups)
		if (is_parameters(fit, group))
			fold_group(fit, group);
	return fits(fit);
}

/* From the left: those of the own name come last. */
static bool fold_arguments(struct fit *fit)
{
	vec_for_each(const struct name_group, group, &fit->parts.groups) {
		bool is_receiver = is_scope(fit, group) && fit->name[group->from] == '(';

		if (group->depth || is_receiver || is_parameters(fit, group) ||
		    group->from >= fit->parts.end)
			continue;
		fold_group(fit, group);
		if (fits(fit))
			return true;
	}
	return false;
}

static bool cut_scopes(struct fit *fit)
{
	vec_for_each(const size_t, end, &fit->parts.scopes) {
		set_range(fit, (struct name_range){ 0, *end }, MARKED);
		if (fits(fit))
			return true;
	}
	return false;
}

static bool cut_brackets(struct fit *fit)
{
	set_range(fit, (struct name_range){ fit->parts.end, fit->len }, fit->gone);
	vec_for_each(const struct name_group, group, &fit->parts.groups)
		if (!group->depth && group->from < fit->parts.end)
			set_range(fit, (struct name_range){ group->from, group->to },
				  fit->gone);
	return fits(fit);
}

static bool cut_all(struct fit *fit)
{
	set_range(fit, (struct name_range){ 0, fit->len }, fit->gone);
	return fits(fit);
}

static bool (*const stages[])(struct fit *) = {
	cut_folders,    cut_return_type, fold_inner,   cut_inner_paths, fold_parameters,
	fold_arguments, cut_scopes,      cut_brackets, cut_all,
};

/* Whether it fits at last. */
static bool cut(struct fit *fit)
{
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
		if (stages[i](fit))
			return true;
	return false;
}

/* Marks what must stay: of the own name COUNT parts. */
static void keep(struct fit *fit, size_t count, const struct name_kept *kept)
{
	memset(fit->states, SHOWN, fit->len);
	for (size_t i = 0; i < count && i < fit->parts.own.len; i++)
		set_range(fit, fit->parts.own.data[i], KEPT);
	if (!strchr(fit->name + fit->parts.place, '/'))
		set_range(fit, (struct name_range){ fit->parts.place, fit->len }, KEPT);
	for (size_t i = 0; kept && i < kept->ranges.len; i++)
		set_range(fit, kept->ranges.data[i], KEPT);
}

/* If need be without the function's lambda. */
static bool cut_any(struct fit *fit, const struct name_kept *kept)
{
	keep(fit, SIZE_MAX, kept);
	if (cut(fit))
		return true;
	if (fit->parts.own.len > 1) {
		keep(fit, 1, kept);
		return cut(fit);
	}
	return false;
}

void name_fit(struct strbuf *out, const char *name, size_t room, const char *mark,
	      const struct name_kept *kept)
{
	struct fit fit = {
		.name = name, .len = strlen(name), .room = room, .mark = mark
	};
	struct strbuf text = { 0 };

	if (utf8_length(name) <= room) {
		strbuf_addstr(out, name);
		return;
	}
	name_parts_init(&fit.parts, name);
	fit.states = xcalloc(fit.len + 1, 1);
	fit.gone = kept && kept->ranges.len ? MARKED : OMITTED;
	if (cut_any(&fit, kept) || (kept && kept->ranges.len)) {
		put(&fit, out);
	} else {
		put(&fit, &text);
		text_put_shortened(out, strbuf_str(&text), room,
				   (struct text_cut){ .mark = mark });
	}
	strbuf_release(&text);
	name_parts_release(&fit.parts);
	free(fit.states);
}
