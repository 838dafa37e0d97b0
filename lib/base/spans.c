/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spans.h"

void spans_add(struct spans *s, uint64_t from, uint64_t to)
{
	struct span *last = s->list.len ? &s->list.data[s->list.len - 1] : NULL;

	if (last && from < last->to)
		from = last->to;
	if (from >= to)
		return;
	if (last && from == last->to)
		last->to = to;
	else
		*vec_push(&s->list) = (struct span){ from, to };
}

void spans_end(struct spans *s, uint64_t at)
{
	while (s->list.len && s->list.data[s->list.len - 1].from >= at)
		s->list.len--;
	if (s->list.len && s->list.data[s->list.len - 1].to > at)
		s->list.data[s->list.len - 1].to = at;
}

static uint64_t earlier(uint64_t time, uint64_t by)
{
	if (time == UINT64_MAX)
		return time;
	return time > by ? time - by : 0;
}

void spans_shift(struct spans *s, uint64_t by)
{
	size_t kept = 0;

	vec_for_each(const struct span, span, &s->list) {
		const struct span shifted = { earlier(span->from, by),
					      earlier(span->to, by) };

		if (shifted.from < shifted.to)
			s->list.data[kept++] = shifted;
	}
	s->list.len = kept;
}

/* The first one that ends after AT; their number: none does. */
static size_t find(const struct spans *s, uint64_t at)
{
	size_t low = 0, high = s->list.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->list.data[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool spans_have(const struct spans *s, uint64_t at)
{
	const size_t i = find(s, at);

	return i < s->list.len && s->list.data[i].from <= at;
}

uint64_t spans_nearest(const struct spans *s, uint64_t at)
{
	const size_t i = find(s, at);

	if (!s->list.len || (i < s->list.len && s->list.data[i].from <= at))
		return at;
	return i ? s->list.data[i - 1].to - 1 : s->list.data[0].from;
}

bool spans_piece(const struct spans *s, uint64_t from, uint64_t to, struct span *piece)
{
	const size_t i = find(s, from);

	if (i == s->list.len || s->list.data[i].from >= to || from >= to)
		return false;
	*piece = s->list.data[i];
	if (piece->from < from)
		piece->from = from;
	if (piece->to > to)
		piece->to = to;
	return true;
}

uint64_t spans_length(const struct spans *s, uint64_t from, uint64_t to)
{
	struct span piece;
	uint64_t length = 0;

	for (; spans_piece(s, from, to, &piece); from = piece.to)
		length += piece.to - piece.from;
	return length;
}

void spans_release(struct spans *s)
{
	vec_release(&s->list);
}
