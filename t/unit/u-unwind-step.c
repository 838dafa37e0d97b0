/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps a program from its first instruction on, and unwinds its stack at each.  The true
 * stack is known from the return addresses that calls push.  The path includes every
 * instruction of the dynamic linker's start, PLT stubs, prologues, epilogues, tail calls
 * and hand-written assembly.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "self.h"
#include "tap.h"
#include "unwind_end.h"

#define MAX_STEPS 120000 /* `true` takes 110,838 with glibc 2.36 */
#define MAX_CODE  16
#define WORD      8

#ifdef __x86_64__

struct call {
	uint64_t slot, address; /* the return address's place and value */
};

struct tracee {
	pid_t pid;
	struct self_space space;
	struct self_sample sample;
	unsigned char code[MAX_CODE]; /* at the pc */
	VEC(struct call) calls;
	struct unwinder *u;
	struct unwind_frames frames;
	unsigned long steps, wrong, unsure;
};

static size_t read_memory(const struct tracee *t, uint64_t address, void *bytes,
			  size_t len)
{
	const struct iovec local = { bytes, len }, remote = { (void *)address, len };
	ssize_t got = process_vm_readv(t->pid, &local, 1, &remote, 1, 0);

	return got < 0 ? 0 : (size_t)got;
}

static void set_regs(struct unwind_regs *regs, const struct user_regs_struct *user)
{
	const uint64_t by_number[] = { user->rax, user->rdx, user->rcx, user->rbx,
				       user->rsi, user->rdi, user->rbp, user->rsp,
				       user->r8,  user->r9,  user->r10, user->r11,
				       user->r12, user->r13, user->r14, user->r15 };

	regs->known = 0;
	regs->pc = user->rip;
	for (unsigned int n = 0; n < sizeof(by_number) / sizeof(*by_number); n++)
		unwind_reg_set(regs, n, by_number[n]);
}

static void take_sample(struct tracee *t)
{
	struct self_sample *s = &t->sample;
	struct user_regs_struct user;
	const struct self_map *stack;
	uint64_t sp;

	ptrace(PTRACE_GETREGS, t->pid, NULL, &user);
	set_regs(&s->regs, &user);
	sp = user.rsp;
	stack = self_map_of(&t->space, sp);
	if (!stack || !self_map_of(&t->space, user.rip)) {
		self_space_update(&t->space, t->pid);
		stack = self_map_of(&t->space, sp);
	}
	s->stack_len = stack ? stack->map.end - sp : 0;
	s->stack_len = read_memory(t, sp, s->stack,
				   s->stack_len < SELF_STACK ? s->stack_len : SELF_STACK);
	read_memory(t, user.rip, t->code, sizeof(t->code));
}

/* Whether the last instruction, at FROM with the stack at SP, was a call; notes it. */
static void watch_call(struct tracee *t, uint64_t from, uint64_t sp)
{
	uint64_t now = t->sample.regs.reg[unwind_x86_64.sp], word;

	while (t->calls.len && t->calls.data[t->calls.len - 1].slot < now)
		t->calls.len--;
	if (now != sp - WORD || t->sample.stack_len < WORD)
		return;
	memcpy(&word, t->sample.stack, sizeof(word));
	/* After a push of a similar value, execution continues behind the push. */
	if (word - from >= 2 && word - from <= 8 && t->sample.regs.pc != from + 1 &&
	    t->sample.regs.pc != from + 2)
		*vec_push(&t->calls) = (struct call){ now, word };
}

static bool is_right(const struct tracee *t)
{
	size_t n = t->calls.len;

	if (t->frames.end != UNWIND_END_ROOT || t->frames.v.len != n + 1)
		return false;
	for (size_t i = 0; i < n; i++)
		if (t->frames.v.data[i + 1].address != t->calls.data[n - 1 - i].address)
			return false;
	return true;
}

static void explain(const struct tracee *t)
{
	const struct self_map *m = self_map_of(&t->space, t->sample.regs.pc);

	if (m)
		printf("# %s+%#lx: %s, %zu frames of %zu\n", m->name,
		       t->sample.regs.pc - m->map.start + m->map.file_offset,
		       unwind_end_name(t->frames.end), t->frames.v.len, t->calls.len + 1);
}

/* A few functions of gcc's crt files have no call frame information. */
static bool says_so(const struct unwind_frames *frames)
{
	return frames->fp_used || frames->end == UNWIND_END_NO_RULE;
}

static void check_step(struct tracee *t)
{
	self_unwind(t->u, &t->space, &t->sample, &t->frames);
	t->steps++;
	if (is_right(t))
		return;
	if (says_so(&t->frames))
		t->unsure++;
	else if (t->wrong++ < 10)
		explain(t);
}

static bool is_syscall(const struct tracee *t)
{
	return t->code[0] == 0x0f && t->code[1] == 0x05;
}

static void step_through(struct tracee *t)
{
	uint64_t pc, sp;
	bool syscall;
	int status;

	self_space_update(&t->space, t->pid);
	take_sample(t);
	while (t->steps < MAX_STEPS) {
		check_step(t);
		pc = t->sample.regs.pc;
		sp = t->sample.regs.reg[unwind_x86_64.sp];
		syscall = is_syscall(t);
		if (ptrace(PTRACE_SINGLESTEP, t->pid, NULL, NULL) ||
		    waitpid(t->pid, &status, 0) < 0 || !WIFSTOPPED(status))
			break;
		/* Only system calls change mappings. */
		if (syscall)
			self_space_update(&t->space, t->pid);
		take_sample(t);
		watch_call(t, pc, sp);
	}
	kill(t->pid, SIGKILL);
	waitpid(t->pid, &status, 0);
}

static bool start(struct tracee *t, char *const *argv)
{
	int status;

	t->pid = fork();
	if (t->pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execvp(argv[0], argv);
		_exit(127);
	}
	return t->pid > 0 && waitpid(t->pid, &status, 0) == t->pid && WIFSTOPPED(status);
}

static void test_program(struct tracee *t, char *const *argv)
{
	vec_clear(&t->calls);
	t->steps = t->wrong = t->unsure = 0;
	if (!start(t, argv)) {
		skip(3, "programs cannot be stepped here");
		return;
	}
	step_through(t);
	ok(t->steps > 10000, "%s: %lu instructions", argv[0], t->steps);
	is_u64(t->wrong, 0, "%s: no complete stack is wrong", argv[0]);
	ok(t->unsure * 1000 < t->steps, "%s: %lu end for lack of a rule", argv[0],
	   t->unsure);
}

int main(void)
{
	char *const argv[] = { (char[]){ "true" }, NULL };
	static struct tracee t;

	t.u = unwinder_new();
	test_program(&t, argv);
	vec_release(&t.calls);
	unwind_frames_release(&t.frames);
	unwinder_free(t.u);
	self_space_release(&t.space);
	return done_testing();
}

#else

int main(void)
{
	skip_all("only x86-64 has return addresses on the stack");
}

#endif
