/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/splice.h"

#include <string.h>

void splice_release(struct splice *s)
{
	for (unsigned int i = 0; i < SPLICE_CHAINS; i++)
		vec_release(&s->chains[i].v);
}

size_t splice_bytes(const struct splice *s)
{
	size_t frames = 0;

	for (unsigned int i = 0; i < SPLICE_CHAINS; i++)
		frames += s->chains[i].v.cap;
	return frames * sizeof(struct unwind_frame);
}

void splice_clear(struct splice *s)
{
	for (unsigned int i = 0; i < SPLICE_CHAINS; i++)
		vec_clear(&s->chains[i].v);
}

static bool same_code(const struct unwind_frame *a, const struct unwind_frame *b)
{
	return a->address == b->address && a->is_return == b->is_return;
}

static bool same_place(const struct unwind_frame *a, const struct unwind_frame *b)
{
	return a->cfa == b->cfa && same_code(a, b);
}

/*
 * Whether the frames up to LAST are the chain's up to AT, down to one that saved
 * registers.  LAST itself was cut, so only its place is compared, or its code if its CFA
 * needs an unknown register.
 */
static bool is_match(const struct splice_chain *chain, const struct unwind_frame *at,
		     const struct unwind_frames *frames, const struct unwind_frame *last)
{
	const bool no_cfa = frames->end == UNWIND_END_NO_REGISTER;

	if (!same_place(at, last) && !(no_cfa && same_code(at, last)))
		return false;
	do {
		if (at == chain->v.data || last == frames->v.data)
			return false;
		at--;
		last--;
		if (!same_place(at, last) || at->saved != last->saved)
			return false;
	} while (!last->saved);
	return true;
}

/* The number of frames in the chain up to the last of FRAMES; 0: it lacks them. */
static size_t find_match(const struct splice_chain *chain,
			 const struct unwind_frames *frames)
{
	const struct unwind_frame *last = frames->v.data + frames->v.len - 1;
	const bool no_cfa = frames->end == UNWIND_END_NO_REGISTER;

	/* A frame with an unknown CFA equals no other. */
	for (size_t i = 0; (last->cfa || no_cfa) && i < chain->v.len; i++)
		if (is_match(chain, &chain->v.data[i], frames, last))
			return i + 1;
	return 0;
}

static void append(struct unwind_frame *to, size_t *len, const struct unwind_frame *from,
		   size_t count)
{
	memcpy(to + *len, from, count * sizeof(*from));
	*len += count;
}

void splice_remember(struct splice *s, const struct unwind_frame *frames, size_t count)
{
	struct splice_chain *chain;

	s->newest = (s->newest + 1) % SPLICE_CHAINS; /* replaces the oldest */
	chain = &s->chains[s->newest];
	vec_clear(&chain->v);
	vec_reserve(&chain->v, count);
	append(chain->v.data, &chain->v.len, frames, count);
}

static bool complete(const struct splice_chain *chain, struct unwind_frames *frames)
{
	size_t matched = find_match(chain, frames);
	size_t more = chain->v.len - matched;

	if (!matched || !more || more > UNWIND_MAX_FRAMES - frames->v.len)
		return false;
	frames->v.data[frames->v.len - 1].cfa = chain->v.data[matched - 1].cfa;
	vec_reserve(&frames->v, more);
	append(frames->v.data, &frames->v.len, chain->v.data + matched, more);
	frames->end = UNWIND_END_ROOT;
	frames->spliced = true;
	return true;
}

/* The newest first: it is the most likely to match. */
static bool complete_from_any(const struct splice *s, struct unwind_frames *frames)
{
	for (unsigned int age = 0; age < SPLICE_CHAINS; age++)
		if (complete(&s->chains[(s->newest - age) % SPLICE_CHAINS], frames))
			return true;
	return false;
}

bool splice_apply(struct splice *s, struct unwind_frames *frames)
{
	bool completed = false;

	if (!frames->v.len)
		return false;
	if (frames->end == UNWIND_END_TRUNCATED || frames->end == UNWIND_END_NO_REGISTER)
		completed = complete_from_any(s, frames);
	if (frames->end == UNWIND_END_ROOT)
		splice_remember(s, frames->v.data, frames->v.len);
	return completed;
}
