/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Longer names are not compared: hostile text must not cost quadratic time. */
#define NAME_MAX_LEN 80

void nearest_init(struct nearest *near, const char *wanted)
{
	*near = (struct nearest){ .wanted = wanted };
}

void nearest_release(struct nearest *near)
{
	for (size_t i = 0; i < near->count; i++)
		free(near->best[i].name);
	near->count = 0;
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* ':', '.', '-' and '_' are equal: INST_RETIRED.ANY-P is INST_RETIRED:ANY_P. */
static int fold(char c)
{
	return c == ':' || c == '.' || c == '-' ? '_' : tolower((unsigned char)c);
}

/*
 * Edits (insert, drop, change, swap neighbours) that turn B into A; more than LIMIT as
 * soon as that is certain: two successive rows whose values all exceed it.
 */
static size_t edit_distance(const char *a, size_t la, const char *b, size_t lb,
			    size_t limit)
{
	size_t least_before = 0;
	size_t rows[3][NAME_MAX_LEN + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= lb; j++)
		last[j] = before[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *spare = before;
		size_t least = i;

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			int ca = fold(a[i - 1]), cb = fold(b[j - 1]);

			row[j] = min3(last[j] + 1, row[j - 1] + 1,
				      last[j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == fold(b[j - 2]) &&
			    fold(a[i - 2]) == cb && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
			least = row[j] < least ? row[j] : least;
		}
		if (least > limit && least_before > limit)
			return limit + 1;
		least_before = least;
		before = last;
		last = row;
		row = spare;
	}
	return last[lb];
}

/* How far NAME is off, or more than LIMIT. */
static size_t name_distance(const char *wanted, const char *name, size_t limit)
{
	size_t la = strlen(wanted), lb = strlen(name);

	if (la > NAME_MAX_LEN || lb > NAME_MAX_LEN)
		return limit + 1;
	/* a part of a name, long enough to be meant: near enough */
	if (la >= 4 && la + 2 < lb && strcasestr(name, wanted))
		return 2;
	if ((la < lb ? lb - la : la - lb) > limit)
		return limit + 1;
	return edit_distance(wanted, la, name, lb, limit);
}

void nearest_offer(struct nearest *near, const char *name)
{
	size_t len = strlen(near->wanted), limit = 1 + len / 4, at;
	size_t distance = name_distance(near->wanted, name, limit);

	if (distance > limit || (distance >= len && distance >= strlen(name)))
		return; /* nothing of it is left */
	for (at = 0; at < near->count; at++)
		if (!strcmp(near->best[at].name, name))
			return;
	for (at = near->count; at && near->best[at - 1].distance > distance; at--)
		;
	if (at == NEAREST_MAX)
		return;
	if (near->count == NEAREST_MAX)
		free(near->best[--near->count].name);
	memmove(&near->best[at + 1], &near->best[at],
		(near->count - at) * sizeof(near->best[0]));
	near->best[at].name = xstrdup(name);
	near->best[at].distance = distance;
	near->count++;
}

void nearest_join(const struct nearest *near, struct strbuf *out)
{
	for (size_t i = 0; i < near->count; i++) {
		if (i)
			strbuf_addstr(out, i + 1 < near->count ? ", " : " or ");
		strbuf_addstr(out, near->best[i].name);
	}
}
