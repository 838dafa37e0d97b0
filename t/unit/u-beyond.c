/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which samples may use which words beyond the copy of a stack.  The stack is an array of
 * this process; the test plays the clock, and the kernel that watches a word.
 */
#include "stack/beyond.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "stack/watchpoint.h"

enum { WORDS = 64, COPIED = 16, ANCHOR = 20, BELOW = 18, ABOVE = 40, TID = 77, FD = 100 };

#define SECOND 1000000000u

/* The calls of struct sys take no context. */
static struct {
	uint64_t now, stack[WORDS];
	uint64_t watched, before; /* the word's address, and its value when armed */
	uint64_t written, missed; /* it was written; the kernel did not watch */
	unsigned opened, open;
	int refusal;
} t;

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		      unsigned long flags)
{
	(void)pid, (void)cpu, (void)group, (void)flags;
	if (t.refusal) {
		errno = t.refusal;
		return -1;
	}
	t.watched = attr->bp_addr;
	memcpy(&t.before, (void *)(uintptr_t)t.watched, sizeof(t.before));
	t.written = 0;
	t.opened++;
	t.open++;
	return FD;
}

static int control(int fd, unsigned long request, void *argument)
{
	return fd == FD && request == PERF_EVENT_IOC_REFRESH && (uintptr_t)argument == 1
		       ? 0
		       : -1;
}

static ssize_t look(int fd, void *buf, size_t len)
{
	uint64_t seen[3] = { t.written, SECOND, SECOND - t.missed }, word;

	memcpy(&word, (void *)(uintptr_t)t.watched, sizeof(word));
	seen[0] += word != t.before;
	if (fd != FD || len != sizeof(seen))
		return -1;
	memcpy(buf, seen, len);
	return (ssize_t)len;
}

static int shut(int fd)
{
	t.open -= fd == FD;
	return 0;
}

static uint64_t now(void)
{
	return t.now;
}

static const struct sys sys = {
	.perf_event_open = open_event,
	.ioctl = control,
	.read = look,
	.close = shut,
	.now = now,
	.root = "",
};

static uint64_t at(unsigned word)
{
	return (uint64_t)(uintptr_t)&t.stack[word];
}

/* A thread and its sample. */
struct subject {
	struct beyond_shared all;
	struct beyond *beyond;
	struct beyond_task task;
	struct unwind_frames frames;
	struct beyond_walk walk;
};

static void init(struct subject *s)
{
	memset(&t, 0, sizeof(t));
	for (unsigned i = 0; i < WORDS; i++)
		t.stack[i] = 1000 + i;
	t.now = SECOND;
	*s = (struct subject){ 0 };
	beyond_shared_init(&s->all, &sys);
	s->all.wanted = true;
	s->task = (struct beyond_task){ (uint32_t)getpid(), TID, &s->beyond };
}

static void release(struct subject *s)
{
	beyond_free(s->beyond);
	beyond_shared_release(&s->all);
	unwind_frames_release(&s->frames);
}

/* Takes a sample whose last frame has its return address at WORD, beyond the copy. */
static void sample(struct subject *s, unsigned word)
{
	t.now += SECOND;
	s->walk = (struct beyond_walk){
		.beyond = s->beyond,
		.arch = &unwind_x86_64,
		.frames = &s->frames,
		.start = at(0),
		.copied = at(COPIED),
		.time_ns = t.now,
	};
	t.now++;
	vec_clear(&s->frames.v);
	*vec_push(&s->frames.v) = (struct unwind_frame){ .address = 1 };
	s->frames.end = UNWIND_END_TRUNCATED;
	s->frames.missing = at(word);
}

static bool lacks(struct subject *s)
{
	return beyond_lack(&s->all, &s->task, &s->walk);
}

/* What the sample's walk reads at WORD; 0: nothing. */
static uint64_t ask(struct subject *s, unsigned word)
{
	uint64_t value = 0;

	return beyond_word(&s->walk, at(word), &value) ? value : 0;
}

/* On a busy machine the reader may be too late: retry. */
static void read_words(struct subject *s, bool root)
{
	struct beyond_reading r;
	uint64_t value;

	do {
		t.now++;
		beyond_begin(&r, s->beyond, s->task.pid, at(COPIED), &s->frames);
	} while (!beyond_read(&r, at(ANCHOR), &value));
	beyond_read(&r, at(BELOW), &value);
	beyond_read(&r, at(ABOVE), &value);
	beyond_end(&r, root);
}

static ssize_t read_self(struct remote_reader *p, uint64_t address, void *to)
{
	ssize_t got;

	do
		got = remote_read(p, getpid(), address, to, 1);
	while (got == -EAGAIN);
	return got;
}

/* Goes on until a call's words are known.  False if memory cannot be read. */
static bool know(struct subject *s)
{
	sample(s, ANCHOR);
	lacks(s);
	sample(s, ANCHOR);
	ask(s, ANCHOR);
	if (!lacks(s))
		return false;
	read_words(s, true);
	sample(s, ANCHOR);
	s->frames.end = UNWIND_END_ROOT;
	return ask(s, ANCHOR) == 1000 + ANCHOR && beyond_settle(&s->walk, &s->frames);
}

static void test_order(void)
{
	struct subject s;
	struct beyond_walk early;

	init(&s);
	sample(&s, ANCHOR);
	early = s.walk;
	is_u64(ask(&s, ANCHOR), 0, "nothing is known first");
	ok(!lacks(&s) && t.open == 1 && t.watched == at(ANCHOR),
	   "the missing word is watched, but not read yet");
	early.beyond = s.beyond;
	s.walk = early;
	ok(!ask(&s, ANCHOR) && !lacks(&s),
	   "a sample from before the watch does not have it read");
	sample(&s, ANCHOR);
	early = s.walk;
	is_u64(ask(&s, ANCHOR), 0, "a sample taken during the watch gets nothing");
	ok(lacks(&s), "but has the word read");
	read_words(&s, true);
	s.walk = early;
	s.walk.state = BEYOND_UNASKED;
	ok(!ask(&s, ANCHOR) && !lacks(&s), "an earlier sample does not get it");
	sample(&s, ANCHOR);
	is_u64(ask(&s, ANCHOR), 1000 + ANCHOR, "a later one does");
	is_u64(ask(&s, BELOW), 1000 + BELOW, "with its frame's saved registers");
	is_u64(ask(&s, ABOVE), 1000 + ABOVE, "and its callers");
	is_u64(ask(&s, ABOVE + 1), 0, "but no word that nobody read");
	is_u64(ask(&s, 1), 0, "and none of the copy");
	release(&s);
	is_u64(t.open, 0, "nothing stays open");
}

static void test_changes(void)
{
	struct subject s;

	init(&s);
	ok(know(&s), "a call is known");
	t.stack[ANCHOR]++;
	sample(&s, ANCHOR);
	is_u64(ask(&s, ANCHOR), 0, "another call in its place is not");
	is_u64(t.open, 0, "the first one is forgotten");
	ok(!lacks(&s) && t.open == 1, "and the new one is watched");
	release(&s);

	init(&s);
	ok(know(&s), "a call is known");
	t.written = 1;
	sample(&s, ANCHOR);
	is_u64(ask(&s, ANCHOR), 0, "the same words of another call do not count");
	release(&s);

	init(&s);
	ok(know(&s), "a call is known");
	t.missed = 1;
	sample(&s, ANCHOR);
	is_u64(ask(&s, ANCHOR), 0, "a call that was not always watched is unknown");
	release(&s);
}

/* Frames: the innermost; one with its return address at WORD; its caller. */
static void recurse(struct subject *s, unsigned word, bool interrupted)
{
	sample(s, ABOVE);
	*vec_push(&s->frames.v) = (struct unwind_frame){ .address = 2,
							 .cfa = at(word + 1),
							 .is_return = true };
	*vec_push(&s->frames.v) = (struct unwind_frame){ .address = 3,
							 .cfa = at(COPIED + 1),
							 .is_return = !interrupted };
}

static void test_places(void)
{
	struct subject s;

	init(&s);
	ok(know(&s), "a call is known");
	sample(&s, ANCHOR + 1);
	is_u64(ask(&s, ANCHOR + 1), 0, "a stack without the call's word gets nothing");
	is_u64(ask(&s, ANCHOR), 0, "now or later");
	s.walk.copied = at(WORDS);
	release(&s);

	init(&s);
	recurse(&s, COPIED - 2, false);
	ok(!lacks(&s) && t.watched == at(COPIED - 2),
	   "in a recursion, a return address in the outer quarter is watched");
	recurse(&s, COPIED - 2, false);
	ok(!ask(&s, ABOVE) && lacks(&s), "deeper and shallower stacks have it too");
	recurse(&s, COPIED - 2, true);
	ok(!ask(&s, ABOVE) && !lacks(&s), "an interrupted frame does not");
	recurse(&s, COPIED - 3, false);
	ok(!ask(&s, ABOVE) && !lacks(&s), "nor do frames in other places");
	release(&s);
}

/* The words were read in the order ANCHOR, BELOW, ABOVE. */
static void test_any_order(void)
{
	static const unsigned asked[] = { ANCHOR, BELOW, ABOVE,  ABOVE, BELOW,
					  ANCHOR, ABOVE, ANCHOR, BELOW };
	struct subject s;

	init(&s);
	ok(know(&s), "a call is known");
	sample(&s, ANCHOR);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		is_u64(ask(&s, asked[i]), 1000 + asked[i], "word %u, as request %zu",
		       asked[i], i);
		is_u64(ask(&s, ABOVE + 1), 0, "and a word that was not read");
	}
	release(&s);
}

static void test_settle(void)
{
	struct subject s;

	init(&s);
	ok(know(&s), "a call is known");
	*vec_push(&s.frames.v) = (struct unwind_frame){ .address = 9 };
	s.frames.end = UNWIND_END_BAD_MEMORY;
	ok(!beyond_settle(&s.walk, &s.frames) && s.frames.v.len == 1 &&
		   s.frames.end == UNWIND_END_TRUNCATED && s.frames.missing == at(ANCHOR),
	   "frames that do not reach the root are dropped");
	s.frames.end = UNWIND_END_ROOT;
	ok(beyond_settle(&s.walk, &s.frames), "those that reach it stay");
	vec_clear(&s.frames.v);
	s.frames.end = UNWIND_END_NO_RULE;
	ok(!beyond_settle(&s.walk, &s.frames) && !s.frames.v.len &&
		   s.frames.end == UNWIND_END_NO_RULE,
	   "frames that unwinding dropped do not come back");
	release(&s);
}

/* The registers at which the caller of the anchor's frame begins. */
static struct unwind_regs caller(void)
{
	struct unwind_regs regs = { .pc = 77 };

	unwind_reg_set(&regs, unwind_arch_host()->sp, at(ANCHOR + 1));
	unwind_reg_set(&regs, 3, 33);
	return regs;
}

/* A call whose top is known. */
static void know_top(struct subject *s)
{
	const struct beyond_top top = { .generation = 5, .node = 6, .path = 7 };
	struct unwind_regs regs = caller();
	struct beyond_reading r;

	init(s);
	ok(know(s) && beyond_top_from(s->beyond) == UINT64_MAX, "a call without a top");
	beyond_begin(&r, s->beyond, s->task.pid, at(COPIED), &s->frames);
	ok(!beyond_passes_anchor(&r, &regs) && r.top == s->frames.v.len,
	   "a reading continues, and knows where the top begins");
	beyond_end(&r, true);
	beyond_keep_top(s->beyond, &top);
	is_u64(beyond_top_from(s->beyond), at(ANCHOR + 1), "samples may join there");
}

/* Whether a new sample joins the top.  ASKED: it has asked for the anchor. */
static bool joins(struct subject *s, bool asked, uint32_t generation, uint64_t saved)
{
	struct unwind_regs regs = caller();

	regs.reg[3] = saved;
	sample(s, ANCHOR);
	s->walk.generation = generation;
	if (asked)
		ask(s, ANCHOR);
	else
		s->frames.v.data[0].cfa = at(ANCHOR + 1);
	return beyond_joins_top(&s->walk, &regs);
}

static void test_top(void)
{
	struct subject s;

	know_top(&s);
	ok(joins(&s, true, 5, 33), "a sample of the same call joins it");
	s.frames.joined = true;
	ok(beyond_settle(&s.walk, &s.frames), "and is complete");
	s.frames.joined = false;
	is_u64(beyond_top(s.beyond)->node, 6, "below its node");
	ok(joins(&s, false, 5, 33), "so does a sample whose copy has the anchor");
	ok(!joins(&s, true, 5, 34), "another register prevents it");
	ok(!joins(&s, true, 4, 33), "so do other mappings");
	t.stack[ANCHOR]++;
	ok(!joins(&s, false, 5, 33), "and another call");
	is_u64(beyond_top_from(s.beyond), UINT64_MAX, "that call has no top");
	release(&s);

	know_top(&s);
	t.written = 1;
	ok(!joins(&s, true, 5, 33), "a write to the anchor prevents it");
	release(&s);
}

/* Without a top, a sample walks a limited number of frames. */
static void test_frames(void)
{
	struct subject s;

	init(&s);
	ok(know(&s), "a call is known");
	sample(&s, ANCHOR);
	ask(&s, ANCHOR);
	while (s.frames.v.len <= BEYOND_FRAMES)
		*vec_push(&s.frames.v) = (struct unwind_frame){ .address = 9 };
	is_u64(ask(&s, ABOVE), 0, "beyond the limit it gets no words");
	release(&s);
}

static void test_limits(void)
{
	struct beyond *many[BEYOND_WATCHPOINTS + 1] = { 0 };
	unsigned armed = 0;
	struct subject s;

	init(&s);
	for (unsigned i = 0; i < 100; i++) {
		t.written = 1;
		sample(&s, ANCHOR);
		ask(&s, ANCHOR);
		lacks(&s);
	}
	ok(t.opened > 5 && t.opened < 30,
	   "a word that is always written is watched less and less often");
	release(&s);

	init(&s);
	sample(&s, ANCHOR);
	for (unsigned i = 0; i <= BEYOND_WATCHPOINTS; i++) {
		s.task.beyond = &many[i];
		s.all.rest_ns = 0;
		lacks(&s);
		armed = t.open > armed ? t.open : armed;
	}
	is_u64(armed, BEYOND_WATCHPOINTS, "the number of watched words is limited");
	t.now += 2 * (uint64_t)SECOND;
	s.all.rest_ns = 0;
	lacks(&s);
	ok(t.open == BEYOND_WATCHPOINTS, "a word that no sample used for long gives way");
	for (unsigned i = 0; i <= BEYOND_WATCHPOINTS; i++)
		beyond_free(many[i]);
	is_u64(t.open, 0, "nothing stays open");
	release(&s);

	init(&s);
	s.all.wanted = false;
	sample(&s, ANCHOR);
	ok(!lacks(&s) && !s.beyond, "if too few stacks need it, nothing is watched");
	release(&s);

	init(&s);
	t.refusal = EACCES;
	sample(&s, ANCHOR);
	ok(!lacks(&s) && !s.beyond, "if nothing can be watched, nothing is kept");
	release(&s);
}

/* The kernel's own watchpoint, if it has one. */
static void test_watchpoint(void)
{
	static volatile uint64_t word;
	int fd;

	if (!watchpoint_works(&sys_kernel)) {
		skip(2, "this machine has no watchpoints");
		return;
	}
	fd = watchpoint_arm(&sys_kernel, 0, (uint64_t)(uintptr_t)&word);
	ok(fd >= 0 && watchpoint_is_intact(&sys_kernel, fd),
	   "a word that is not written is intact");
	word = 0;
	ok(!watchpoint_is_intact(&sys_kernel, fd),
	   "a write ends that, even of the same value");
	close(fd);
}

int main(void)
{
	unsigned char byte = 1, got = 0;
	struct remote_reader *p = remote_reader_new();

	if (!p || read_self(p, (uint64_t)(uintptr_t)&byte, &got) != 1)
		skip_all("this process may not be read");
	is_u64(got, 1, "memory is read");
	ok(read_self(p, 8, &got) < 0, "an address without memory fails");
	remote_reader_free(p);
	test_order();
	test_changes();
	test_places();
	test_any_order();
	test_settle();
	test_top();
	test_frames();
	test_limits();
	test_watchpoint();
	return done_testing();
}
