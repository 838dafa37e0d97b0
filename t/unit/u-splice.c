/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/splice.h"

#include "tap.h"

#define MAX 8

struct stack {
	struct unwind_frame frames[MAX]; /* leaf first */
	size_t len;
	enum unwind_end end;
};

/* The executing frame, a calling frame, and a calling frame that saved registers. */
#define LEAF(a, c)                                                                       \
	{                                                                                \
		.address = (a), .cfa = (c)                                               \
	}
#define CALL(a, c)                                                                       \
	{                                                                                \
		.address = (a), .cfa = (c), .is_return = true                            \
	}
#define KEEP(a, c, s)                                                                    \
	{                                                                                \
		.address = (a), .cfa = (c), .saved = (s), .is_return = true              \
	}

/* Two samples of a thread: what the second becomes. */
static const struct {
	const char *what;
	struct stack before, now;
	size_t want; /* frames afterwards */
	bool spliced;
} cases[] = {
	{ "the last two frames are in the chain",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 64), CALL(5, 0) },
	    5,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 32, 5), CALL(3, 48) }, 3, UNWIND_END_TRUNCATED },
	  5,
	  true },
	{ "a frame between them that saved nothing",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 64), CALL(5, 0) },
	    5,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 64) },
	    4,
	    UNWIND_END_TRUNCATED },
	  5,
	  true },
	{ "the cut frame's saved registers are beyond the cut",
	  { { LEAF(1, 16), KEEP(2, 32, 5), KEEP(3, 48, 6), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 32, 5), CALL(3, 48) }, 3, UNWIND_END_TRUNCATED },
	  4,
	  true },
	{ "no frame saved anything: no evidence",
	  { { LEAF(1, 16), CALL(2, 32), CALL(3, 48), CALL(4, 0) }, 4, UNWIND_END_ROOT },
	  { { LEAF(1, 16), CALL(2, 32), CALL(3, 48) }, 3, UNWIND_END_TRUNCATED },
	  3,
	  false },
	{ "other registers saved: another call",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 32, 6), CALL(3, 48) }, 3, UNWIND_END_TRUNCATED },
	  3,
	  false },
	{ "only the last frame matches: another path led there",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(7, 32, 5), CALL(3, 48) }, 3, UNWIND_END_TRUNCATED },
	  3,
	  false },
	{ "a frame that needs a register of unknown content",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 32, 5), CALL(3, 0) }, 3, UNWIND_END_NO_REGISTER },
	  4,
	  true },
	{ "the same frame, called from another depth",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 40, 5), CALL(3, 0) }, 3, UNWIND_END_NO_REGISTER },
	  3,
	  false },
	{ "the same frame, if nothing was saved",
	  { { LEAF(1, 16), CALL(2, 32), CALL(3, 48), CALL(4, 0) }, 4, UNWIND_END_ROOT },
	  { { LEAF(9, 8), CALL(2, 32), CALL(3, 0) }, 3, UNWIND_END_NO_REGISTER },
	  3,
	  false },
	{ "a single frame is not enough",
	  { { LEAF(1, 16), CALL(2, 32), CALL(3, 0) }, 3, UNWIND_END_ROOT },
	  { { LEAF(1, 16) }, 1, UNWIND_END_TRUNCATED },
	  1,
	  false },
	{ "same addresses at another depth",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 40, 5), CALL(3, 56) }, 3, UNWIND_END_TRUNCATED },
	  3,
	  false },
	{ "same depth, another address",
	  { { LEAF(1, 16), KEEP(2, 32, 5), CALL(3, 48), CALL(4, 0) },
	    4,
	    UNWIND_END_ROOT },
	  { { LEAF(9, 8), KEEP(2, 32, 5), CALL(8, 48) }, 3, UNWIND_END_TRUNCATED },
	  3,
	  false },
	{ "an executing address does not match a return address",
	  { { KEEP(1, 16, 5), CALL(2, 32), CALL(3, 0) }, 3, UNWIND_END_ROOT },
	  { { KEEP(1, 16, 5), LEAF(2, 32) }, 2, UNWIND_END_TRUNCATED },
	  2,
	  false },
	{ "a frame of unknown CFA matches no other",
	  { { KEEP(1, 16, 5), CALL(2, 0), CALL(3, 0) }, 3, UNWIND_END_ROOT },
	  { { KEEP(1, 16, 5), CALL(2, 0) }, 2, UNWIND_END_TRUNCATED },
	  2,
	  false },
	{ "nothing lies above the match",
	  { { KEEP(1, 16, 5), CALL(2, 32) }, 2, UNWIND_END_ROOT },
	  { { KEEP(1, 16, 5), CALL(2, 32) }, 2, UNWIND_END_TRUNCATED },
	  2,
	  false },
	{ "an incomplete chain is not remembered",
	  { { KEEP(1, 16, 5), CALL(2, 32), CALL(3, 48) }, 3, UNWIND_END_NO_RULE },
	  { { KEEP(1, 16, 5), CALL(2, 32) }, 2, UNWIND_END_TRUNCATED },
	  2,
	  false },
	{ "a handler's alternate stack: the interrupted frame alone proves nothing",
	  { { KEEP(1, 16, 5), CALL(2, 32), CALL(3, 48) }, 3, UNWIND_END_ROOT },
	  { { LEAF(9, 900), KEEP(1, 16, 5) }, 2, UNWIND_END_OTHER_STACK },
	  2,
	  false },
	{ "only truncated stacks are completed",
	  { { KEEP(1, 16, 5), CALL(2, 32), CALL(3, 48) }, 3, UNWIND_END_ROOT },
	  { { KEEP(1, 16, 5), CALL(2, 32) }, 2, UNWIND_END_BAD_MEMORY },
	  2,
	  false },
};

static void load(struct unwind_frames *frames, const struct stack *stack)
{
	vec_clear(&frames->v);
	for (size_t i = 0; i < stack->len; i++)
		*vec_push(&frames->v) = stack->frames[i];
	frames->end = stack->end;
	frames->spliced = false;
}

static void test_tables(void)
{
	struct unwind_frames frames = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct stack *before = &cases[i].before;
		struct splice s = { 0 };
		bool spliced;

		load(&frames, before);
		splice_apply(&s, &frames);
		load(&frames, &cases[i].now);
		spliced = splice_apply(&s, &frames);
		ok(spliced == cases[i].spliced && frames.spliced == spliced, "%s",
		   cases[i].what);
		is_u64(frames.v.len, cases[i].want, "%s: frames", cases[i].what);
		is_u64(frames.end, spliced ? UNWIND_END_ROOT : cases[i].now.end,
		       "%s: end", cases[i].what);
		for (size_t back = 1; spliced && back <= cases[i].want - 1; back++)
			is_u64(frames.v.data[frames.v.len - back].address,
			       before->frames[before->len - back].address,
			       "%s: frame %zu from the root", cases[i].what, back);
		splice_release(&s);
	}
	unwind_frames_release(&frames);
}

/* As many chains as a thread remembers. */
static void test_several_chains(void)
{
	struct unwind_frames frames = { 0 };
	struct splice s = { 0 };
	unsigned int completed = 0;

	for (unsigned int i = 1; i <= SPLICE_CHAINS + 1; i++) {
		const struct stack chain = { { KEEP(i, 16, i), CALL(2, 32), CALL(i, 0) },
					     3,
					     UNWIND_END_ROOT };

		load(&frames, &chain);
		splice_apply(&s, &frames);
	}
	for (unsigned int i = SPLICE_CHAINS + 1; i; i--) {
		const struct stack cut = { { KEEP(i, 16, i), CALL(2, 32) },
					   2,
					   UNWIND_END_TRUNCATED };

		load(&frames, &cut);
		completed += splice_apply(&s, &frames) && frames.v.data[2].address == i;
	}
	ok(completed >= SPLICE_CHAINS / 2, "%u stacks are completed by their own chains",
	   completed);
	splice_release(&s);
	unwind_frames_release(&frames);
}

/* A recursion gets deeper, and each sample has only its lowest four frames. */
static void test_deeper_and_deeper(void)
{
	const unsigned int deepest = 100;
	struct unwind_frames frames = { 0 };
	struct splice s = { 0 };

	for (unsigned int depth = 4; depth <= deepest; depth += 2) {
		vec_clear(&frames.v);
		for (unsigned int i = 0; i < 4; i++)
			*vec_push(&frames.v) = (struct unwind_frame)KEEP(
				7, (deepest - depth + i + 1) * 16, 5);
		frames.end = depth == 4 ? UNWIND_END_ROOT : UNWIND_END_TRUNCATED;
		frames.spliced = false;
		splice_apply(&s, &frames);
	}
	is_u64(frames.v.len, deepest, "overlapping samples complete a recursion");
	splice_clear(&s);
	frames.v.len = 4;
	frames.end = UNWIND_END_TRUNCATED;
	ok(!splice_apply(&s, &frames), "a cleared splice completes nothing");
	splice_release(&s);
	unwind_frames_release(&frames);
}

int main(void)
{
	test_tables();
	test_several_chains();
	test_deeper_and_deeper();
	return done_testing();
}
