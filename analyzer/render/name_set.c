/* SPDX-License-Identifier: Apache-2.0 */
#include "render/name_set.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void name_set_init(struct name_set *set, const char *mark)
{
	*set = (struct name_set){ .mark = mark };
	strtab_init(&set->names);
}

void name_set_release(struct name_set *set)
{
	strtab_release(&set->names);
	idmap_release(&set->fits);
	vec_release(&set->all);
	vec_for_each(struct name_kept, kept, &set->kept)
		vec_release(&kept->ranges);
	vec_release(&set->kept);
}

void name_set_add(struct name_set *set, const char *name, size_t room)
{
	uint32_t next = (uint32_t)set->all.len, id;

	if (utf8_length(name) <= room && !strstr(name, set->mark))
		return;
	id = strtab_intern(&set->names, name);
	while (set->kept.len <= id)
		*vec_push(&set->kept) = (struct name_kept){ 0 };
	if (idmap_intern(&set->fits, room, id, next) == next)
		*vec_push(&set->all) = (struct name_fitted){ id, room };
}

/* ---- names that are displayed alike ---- */

struct alike {
	struct name_set *set;
	struct strtab shown;
	VEC(uint32_t) last;   /* by text shown: the last of its names in all */
	VEC(uint32_t) before; /* by index in all: the one before it of the same text */
};

#define NONE UINT32_MAX

static void find_alike(struct alike *alike)
{
	struct name_set *set = alike->set;
	struct strbuf text = { 0 };

	vec_for_each(const struct name_fitted, fitted, &set->all) {
		uint32_t id;

		strbuf_clear(&text);
		name_fit(&text, strtab_get(&set->names, fitted->name), fitted->room,
			 set->mark, &set->kept.data[fitted->name]);
		id = strtab_intern(&alike->shown, strbuf_str(&text));
		while (alike->last.len <= id)
			*vec_push(&alike->last) = NONE;
		*vec_push(&alike->before) = alike->last.data[id];
		alike->last.data[id] = (uint32_t)(alike->before.len - 1);
	}
	strbuf_release(&text);
}

static const char *name_at(const struct alike *alike, uint32_t i)
{
	return strtab_get(&alike->set->names, alike->set->all.data[i].name);
}

/* The bytes that all names of a text have in common; SIZE_MAX: it has only one. */
static size_t common_start(const struct alike *alike, uint32_t last)
{
	const char *name = name_at(alike, last);
	size_t common = SIZE_MAX;

	for (uint32_t i = alike->before.data[last]; i != NONE;
	     i = alike->before.data[i]) {
		const char *other = name_at(alike, i);
		size_t same = 0;

		if (alike->set->all.data[i].name == alike->set->all.data[last].name)
			continue;
		while (same < common && name[same] && name[same] == other[same])
			same++;
		common = same;
	}
	return common;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c & 0x80;
}

/* The word at AT, with the signs before it. */
static struct name_range word_at(const char *name, size_t at)
{
	size_t len = strlen(name);
	struct name_range range = { at < len ? at : len, at < len ? at : len };

	while (range.from && is_word(name[range.from - 1]) && is_word(name[range.from]))
		range.from--;
	while (range.to < len && !is_word(name[range.to]))
		range.to++;
	while (range.to < len && is_word(name[range.to]))
		range.to++;
	return range;
}

/* Keeps what differs; WHOLE: everything.  False: there is nothing alike. */
static bool keep_differences(struct alike *alike, bool whole)
{
	bool any = false;

	vec_for_each(const uint32_t, last, &alike->last) {
		size_t common = *last == NONE ? SIZE_MAX : common_start(alike, *last);

		if (common == SIZE_MAX)
			continue;
		any = true;
		for (uint32_t i = *last; i != NONE; i = alike->before.data[i]) {
			uint32_t id = alike->set->all.data[i].name;
			const char *name = name_at(alike, i);

			*vec_push(&alike->set->kept.data[id].ranges) =
				whole ? (struct name_range){ 0, strlen(name) }
				      : word_at(name, common);
		}
	}
	return any;
}

void name_set_distinguish(struct name_set *set)
{
	enum { ROUNDS = 6 };
	bool any = true;

	for (int round = 1; any && round <= ROUNDS; round++) {
		struct alike alike = { .set = set };

		strtab_init(&alike.shown);
		find_alike(&alike);
		any = keep_differences(&alike, round == ROUNDS);
		strtab_release(&alike.shown);
		vec_release(&alike.last);
		vec_release(&alike.before);
	}
}

void name_set_put(const struct name_set *set, const char *name, size_t room,
		  struct strbuf *out)
{
	uint32_t id = strtab_find(&set->names, name);
	bool known = id != STRTAB_NONE && id < set->kept.len;

	name_fit(out, name, room, set->mark, known ? &set->kept.data[id] : NULL);
}
