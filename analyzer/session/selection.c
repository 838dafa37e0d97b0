/* SPDX-License-Identifier: Apache-2.0 */
#include "session/selection.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static const enum filter_word words[SELECTS] = {
	[SELECT_THREAD] = WORD_LWPID,
	[SELECT_PROCESS] = WORD_PID,
	[SELECT_CPU] = WORD_CPUID,
	[SELECT_SAMPLE] = WORD_SAMPLE,
};

void selection_release(struct selection *selection)
{
	free(selection->expression);
	for (int i = 0; i < SELECTS; i++)
		free(selection->lists[i]);
	*selection = (struct selection){ 0 };
}

void selection_copy(const struct selection *selection, struct selection *out)
{
	*out = (struct selection){ 0 };
	selection_set_expression(out, selection->expression);
	for (int i = 0; i < SELECTS; i++)
		if (selection->lists[i])
			out->lists[i] = xstrdup(selection->lists[i]);
}

void selection_set_expression(struct selection *selection, const char *text)
{
	free(selection->expression);
	selection->expression = text ? xstrdup(text) : NULL;
}

/* The digits at *AT, which is moved behind them, as the number that a filter can hold. */
static bool take_number(const char **at, int64_t *out)
{
	const char *first = *at;

	for (*out = 0; isdigit((unsigned char)**at); ++*at)
		if (__builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, **at - '0', out))
			return false;
	return *at > first;
}

/*
 * A kind's word.  Threads up to THREADS are meant by their number, which is another word;
 * larger numbers are the kernel's.
 */
struct word {
	enum filter_word of;
	int64_t threads; /* -1: not threads */
};

static const char *name_of(const struct word *word, int64_t number)
{
	return filter_names[number <= word->threads ? WORD_THRID : word->of].name;
}

/* "3-5" as "(PID>=3 && PID<=5)", "3" as "PID==3"; returns the rest, or NULL. */
static const char *take_range(const char *at, const struct word *word, struct strbuf *out)
{
	int64_t first, last;
	const char *name;

	if (!take_number(&at, &first))
		return NULL;
	name = name_of(word, first);
	if (*at != '-') {
		strbuf_addf(out, "%s==%lld", name, (long long)first);
		return at;
	}
	at++;
	if (!take_number(&at, &last) || last < first)
		return NULL;
	strbuf_addf(out, "(%s>=%lld && %s<=%lld)", name, (long long)first, name,
		    (long long)last);
	return at;
}

/* "1,3-5" as an expression on NAME; returns the rest, or NULL. */
static const char *take_ranges(const char *at, const struct word *word,
			       struct strbuf *out)
{
	at = take_range(at, word, out);
	while (at && *at == ',') {
		strbuf_addstr(out, " || ");
		at = take_range(at + 1, word, out);
	}
	return at;
}

/*
 * Ranges, preceded by those of experiments and a colon if they apply only to these;
 * returns the rest, or NULL.
 */
static const char *take_part(const char *at, const struct word *word, struct strbuf *out)
{
	size_t len = strcspn(at, ":+");

	if (at[len] != ':')
		return take_ranges(at, word, out);
	strbuf_addch(out, '(');
	at = take_ranges(at, &(struct word){ WORD_EXPID, -1 }, out);
	if (!at || *at != ':')
		return NULL;
	strbuf_addstr(out, ") && (");
	at = take_ranges(at + 1, word, out);
	strbuf_addch(out, ')');
	return at;
}

static bool take_list(const char *list, enum select_kind kind, uint32_t threads,
		      struct strbuf *out)
{
	const struct word word = { words[kind],
				   kind == SELECT_THREAD ? (int64_t)threads : -1 };
	const char *at = take_part(list, &word, out);

	while (at && *at == '+') {
		strbuf_addstr(out, " || ");
		at = take_part(at + 1, &word, out);
	}
	return at && !*at;
}

int selection_set_list(struct selection *selection, enum select_kind kind,
		       const char *list, struct strbuf *err)
{
	struct strbuf out = { 0 };
	bool all = !strcmp(list, "all");

	if (!all && !take_list(list, kind, 0, &out)) {
		strbuf_addf(err,
			    "a list is of numbers and ranges, as in 1,3-5, or all; not "
			    "'%s'",
			    list);
		strbuf_release(&out);
		return -1;
	}
	strbuf_release(&out);
	free(selection->lists[kind]);
	selection->lists[kind] = all ? NULL : xstrdup(list);
	return 0;
}

static void add_part(const char *part, struct strbuf *out)
{
	strbuf_addf(out, "%s(%s)", out->len ? " && " : "", part);
}

static void add_list(const struct selection *selection, enum select_kind kind,
		     uint32_t threads, struct strbuf *out)
{
	struct strbuf part = { 0 };

	if (take_list(selection->lists[kind], kind, threads, &part))
		add_part(part.data, out);
	strbuf_release(&part);
}

void selection_compose(const struct selection *selection, uint32_t threads,
		       struct strbuf *out)
{
	bool alone = true;

	for (int i = 0; i < SELECTS; i++)
		alone &= !selection->lists[i];
	if (alone && selection->expression) {
		strbuf_addstr(out, selection->expression);
		return;
	}
	if (selection->expression)
		add_part(selection->expression, out);
	for (int i = 0; i < SELECTS; i++)
		if (selection->lists[i])
			add_list(selection, (enum select_kind)i, threads, out);
}
