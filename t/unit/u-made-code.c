/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which samples may use a rule that was read from a process.  The code is an array of this
 * process, which never runs it; the test plays the clock.
 */
#include "stack/made_code.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum { PAGES = 3, BEHIND_CALL = 6, LAST = MADE_PAGE - 3, NOBODY = 0x7ffffff0 };

#define SECOND 1000000000u

/* The calls of struct sys take no context. */
static struct {
	uint64_t now;
	unsigned char *code;
} t;

static uint64_t now(void)
{
	return t.now;
}

static const struct sys sys = { .now = now, .root = "" };

/* sub $8,%rsp; call *%rcx | add $8,%rsp; ret */
static const unsigned char trampoline[] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd1,
					    0x48, 0x83, 0xc4, 8, 0xc3 };

static bool is_code(void *context, uint64_t address)
{
	(void)context;
	return address - (uint64_t)(uintptr_t)t.code < (uint64_t)PAGES * MADE_PAGE;
}

static void init(struct made_code *m)
{
	t.now = SECOND;
	memset(t.code, 0xf4, (size_t)PAGES * MADE_PAGE);
	memcpy(t.code, trampoline, sizeof(trampoline));
	memcpy(t.code + LAST, trampoline + BEHIND_CALL, sizeof(trampoline) - BEHIND_CALL);
	made_code_init(m, &sys);
}

/*
 * How far the caller's stack is by the rule at OFFSET, for a sample at TIME; 0: no rule.
 * *UNREAD: the code could not be read.
 */
static int32_t rule_of(struct made_code *m, unsigned offset, uint64_t time, uint32_t pid,
		       bool *unread)
{
	struct unwind_made_rule made;
	struct made_view v = {
		.all = m, .pid = pid, .time_ns = time, .is_code = is_code
	};
	enum unwind_made_answer answer = made_code_rule(
		&v, (uint64_t)(uintptr_t)t.code + offset, true, &made);

	*unread = v.unread;
	return answer == MADE_PROVEN ? made.rule.cfa_offset : 0;
}

static int32_t rule_at(struct made_code *m, unsigned offset, uint64_t time)
{
	bool unread;

	return rule_of(m, offset, time, (uint32_t)getpid(), &unread);
}

/* A reader that was late is busy until it has read. */
enum { ENOUGH = 1000, PAUSE_US = 1000 };

/*
 * The same for a sample now, which is looked at a little later.  On a busy machine the
 * reader may be too late: then the same sample is tried again.
 */
static int32_t next_rule(struct made_code *m, unsigned offset)
{
	uint64_t time = t.now += SECOND;
	bool unread = true;
	int32_t rule = 0;

	t.now++;
	for (unsigned i = 0; unread && i < ENOUGH; i++) {
		if (i)
			usleep(PAUSE_US);
		rule = rule_of(m, offset, time, (uint32_t)getpid(), &unread);
	}
	return rule;
}

/* A first sample, so that the bytes have been read. */
static void begin(struct made_code *m, unsigned offset)
{
	next_rule(m, offset);
}

static void test_bracket(void)
{
	struct made_code m;
	uint64_t first, between;

	init(&m);
	first = t.now;
	is_i64(next_rule(&m, BEHIND_CALL), 0, "nothing was read before the first sample");
	is_i64(next_rule(&m, BEHIND_CALL), 16, "the second is between two readings");
	between = t.now - SECOND / 2;
	is_i64(rule_at(&m, BEHIND_CALL, between), 16, "and so is one that comes late");
	is_i64(rule_at(&m, BEHIND_CALL, first), 0, "but not one from before them");
	made_code_release(&m);
}

static void test_change(void)
{
	struct made_code m;
	uint64_t before;

	init(&m);
	begin(&m, BEHIND_CALL);
	is_i64(next_rule(&m, BEHIND_CALL), 16, "a rule");
	before = t.now;
	t.code[9] = 24; /* add's operand */
	is_i64(next_rule(&m, BEHIND_CALL), 0, "the code changed at an unknown time");
	is_i64(next_rule(&m, BEHIND_CALL), 32, "the new code's rule");
	is_i64(rule_at(&m, BEHIND_CALL, before), 0, "not for samples of the old code");
	t.code[100] = 1;
	is_i64(next_rule(&m, BEHIND_CALL), 32, "bytes elsewhere do not matter");
	t.code[0] = 0x90;
	is_i64(next_rule(&m, BEHIND_CALL), 32, "nor do those before the return");
	t.code[10] = 0xf4; /* no ret */
	begin(&m, BEHIND_CALL);
	is_i64(next_rule(&m, BEHIND_CALL), 0, "code that does not return any more");
	made_code_release(&m);
}

/* The bytes of a function may lie on two pages. */
static void test_pages(void)
{
	struct made_code m;

	init(&m);
	begin(&m, LAST);
	is_i64(next_rule(&m, LAST), 16, "across the end of a page");
	t.code[MADE_PAGE] = 40;
	begin(&m, LAST);
	is_i64(next_rule(&m, LAST), 48, "its second page changed");
	made_code_release(&m);
}

static void test_unreadable(void)
{
	struct made_code m;
	bool unread;

	init(&m);
	begin(&m, BEHIND_CALL);
	is_i64(rule_of(&m, BEHIND_CALL, t.now + SECOND, NOBODY, &unread), 0,
	       "no such process");
	ok(unread, "which cannot be read");
	is_i64(next_rule(&m, PAGES * MADE_PAGE), 0, "memory that is no code");
	made_code_release(&m);
}

/* The answer for PID's code at T.code. */
static enum unwind_made_answer answer_once(struct made_code *m, uint32_t pid)
{
	struct unwind_made_rule made;
	struct made_view v = {
		.all = m, .pid = pid, .time_ns = t.now, .is_code = is_code
	};

	t.now++;
	return made_code_rule(&v, (uint64_t)(uintptr_t)t.code + BEHIND_CALL, true, &made);
}

/* The same, when the reader is not late. */
static enum unwind_made_answer answer_of(struct made_code *m, uint32_t pid)
{
	enum unwind_made_answer answer = answer_once(m, pid);

	for (unsigned i = 0; answer == MADE_UNREAD && i < ENOUGH; i++) {
		usleep(PAUSE_US);
		answer = answer_once(m, pid);
	}
	return answer;
}

/* Code that can never be read proves nothing: not the same as code that is read later. */
static void test_refused(void)
{
	struct made_code m;

	init(&m);
	is_u64(answer_of(&m, NOBODY), MADE_UNPROVEN, "a process that ended has no proof");
	m.spent_ns += SECOND;
	is_u64(answer_of(&m, NOBODY), MADE_UNPROVEN, "still none when reading must rest");
	is_u64(answer_once(&m, (uint32_t)getpid()), MADE_UNREAD,
	       "while another's code may still be read");
	made_code_release(&m);
}

enum { SKIPPED = 77 };

/* In a child without any right: its exit status. */
static int read_as_nobody(pid_t other)
{
	const uid_t nobody = 65534;
	char byte;
	struct iovec here = { &byte, 1 }, there = { t.code, 1 };
	struct made_code m;
	int status;

	if (!getuid() && setresuid(nobody, nobody, nobody))
		return SKIPPED;
	if (process_vm_readv(other, &here, 1, &there, 1, 0) >= 0 || errno != EPERM)
		return SKIPPED;
	init(&m);
	status = answer_of(&m, (uint32_t)other) == MADE_UNPROVEN ? 0 : 1;
	made_code_release(&m);
	return status;
}

static void test_forbidden(void)
{
	pid_t other = getuid() ? 1 : getpid(), child = fork();
	int status = 0;

	if (!child)
		_exit(read_as_nobody(other));
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		skip(1, "every process may be read here");
	else
		is_i64(status, 0, "nor has one that may not be read");
}

static void test_rest(void)
{
	struct made_code m;

	init(&m);
	begin(&m, BEHIND_CALL);
	is_i64(next_rule(&m, BEHIND_CALL), 16, "readings took little time");
	m.spent_ns += SECOND;
	is_i64(rule_at(&m, BEHIND_CALL, t.now += SECOND), 0, "they took too long");
	t.now += (uint64_t)(2 * MADE_REST) * SECOND;
	is_i64(next_rule(&m, BEHIND_CALL), 16, "and may go on after a rest");
	made_code_release(&m);
}

/* Whether ADDRESS is behind a call, once its bytes have been read for V. */
static bool is_behind_call(struct made_view *v, uint64_t address)
{
	bool behind = made_code_is_behind_call(v, address);

	for (unsigned i = 0; v->unread && i < ENOUGH; i++) {
		usleep(PAUSE_US);
		behind = made_code_is_behind_call(v, address);
	}
	return behind;
}

static void test_call(void)
{
	struct made_code m;
	struct made_view v = { .all = &m, .pid = (uint32_t)getpid(), .is_code = is_code };
	uint64_t base = (uint64_t)(uintptr_t)t.code;

	init(&m);
	memcpy(t.code + MADE_PAGE, trampoline, sizeof(trampoline));
	begin(&m, BEHIND_CALL);
	v.time_ns = t.now;
	t.now += SECOND;
	ok(!is_behind_call(&v, base + MADE_PAGE + BEHIND_CALL),
	   "a page that was not read before");
	v.time_ns = t.now++;
	ok(is_behind_call(&v, base + MADE_PAGE + BEHIND_CALL), "behind a call");
	ok(!is_behind_call(&v, base + MADE_PAGE + BEHIND_CALL + 4), "elsewhere");
	made_code_release(&m);
}

int main(void)
{
	t.code = mmap(NULL, (size_t)PAGES * MADE_PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t.code == MAP_FAILED)
		skip_all("no memory");
	if (unwind_arch_host() != &unwind_x86_64)
		skip_all("code is proven only on x86-64");
	test_bracket();
	test_change();
	test_pages();
	test_unreadable();
	test_refused();
	test_forbidden();
	test_rest();
	test_call();
	munmap(t.code, (size_t)PAGES * MADE_PAGE);
	return done_testing();
}
