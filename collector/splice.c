/* SPDX-License-Identifier: Apache-2.0 */
#include "splice.h"

#include <string.h>

void splice_release(struct splice *s)
{
	vec_release(&s->chain);
}

void splice_clear(struct splice *s)
{
	vec_clear(&s->chain);
}

static bool same(const struct unwind_frame *a, const struct unwind_frame *b)
{
	return a->cfa == b->cfa && a->address == b->address &&
	       a->is_return == b->is_return;
}

/*
 * How many frames of the chain end with the last ones of FRAMES; 0: it does not have
 * them.  A frame of unknown CFA is like no other.
 */
static size_t find_match(const struct splice *s, const struct unwind_frames *frames)
{
	const struct unwind_frame *last = frames->v.data + frames->v.len - 1;

	if (!last->cfa)
		return 0;
	for (size_t i = 0; i < s->chain.len; i++) {
		if (!same(&s->chain.data[i], last))
			continue;
		if (frames->v.len == 1 || (i && same(&s->chain.data[i - 1], last - 1)))
			return i + 1;
	}
	return 0;
}

static void remember(struct splice *s, const struct unwind_frames *frames)
{
	vec_clear(&s->chain);
	vec_reserve(&s->chain, frames->v.len);
	memcpy(s->chain.data, frames->v.data, frames->v.len * sizeof(*frames->v.data));
	s->chain.len = frames->v.len;
}

static bool complete(const struct splice *s, struct unwind_frames *frames)
{
	size_t matched = find_match(s, frames);
	size_t more = s->chain.len - matched;

	if (!matched || !more || more > UNWIND_MAX_FRAMES - frames->v.len)
		return false;
	vec_reserve(&frames->v, more);
	memcpy(frames->v.data + frames->v.len, s->chain.data + matched,
	       more * sizeof(*frames->v.data));
	frames->v.len += more;
	frames->end = UNWIND_END_ROOT;
	frames->spliced = true;
	return true;
}

bool splice_apply(struct splice *s, struct unwind_frames *frames)
{
	bool completed = false;

	if (!frames->v.len)
		return false;
	if (frames->end == UNWIND_END_TRUNCATED)
		completed = complete(s, frames);
	if (frames->end == UNWIND_END_ROOT)
		remember(s, frames);
	return completed;
}
