/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hole MS [thread|edge]: spends that much CPU time in busy(), which hollow() calls, whose
 * frame has ten pages that nobody ever touches; on the first thread's stack, or on
 * another's.  edge: in system calls of on_edge(), whose stack pointer is in a page that
 * nobody touches (x86-64).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { HOLLOW = 40 << 10 };

void busy(uint64_t ns);
void hollow(uint64_t ns);
void *on_thread(void *ns);
void edge(uint64_t ns);

FUNCTION void busy(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void hollow(uint64_t ns)
{
	char untouched[HOLLOW];

	__asm__ volatile("" ::"r"(untouched) : "memory");
	busy(ns);
	NO_TAIL_CALL();
}

FUNCTION void *on_thread(void *ns)
{
	hollow(*(const uint64_t *)ns);
	return NULL;
}

#ifdef __x86_64__
void on_edge(uint64_t until_ns);

/*
 * Drops the page below its own, and moves the stack pointer to the last words of it, which
 * nobody writes.  Then calls the system until the thread has used so much time.
 */
__asm__(".text\n"
	".globl on_edge\n"
	".type on_edge, @function\n"
	"on_edge:\n"
	".cfi_startproc\n"
	"	push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbp, -16\n"
	"	mov %rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"	mov %rdi, %r8\n"
	"	and $-4096, %rsp\n"
	"	lea -4096(%rsp), %rdi\n"
	"	sub $16, %rsp\n"
	"	mov $28, %eax\n" /* madvise, 4: MADV_DONTNEED */
	"	mov $4096, %esi\n"
	"	mov $4, %edx\n"
	"	syscall\n"
	"1:	mov $318, %eax\n" /* getrandom: most of the time is in the kernel */
	"	lea random_bytes(%rip), %rdi\n"
	"	mov $65536, %esi\n"
	"	xor %edx, %edx\n"
	"	syscall\n"
	"	mov $228, %eax\n" /* clock_gettime, 3: CLOCK_THREAD_CPUTIME_ID */
	"	mov $3, %edi\n"
	"	lea asked_time(%rip), %rsi\n"
	"	syscall\n"
	"	imul $1000000000, asked_time(%rip), %rax\n"
	"	add asked_time+8(%rip), %rax\n"
	"	cmp %r8, %rax\n"
	"	jb 1b\n"
	"	leave\n"
	".cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	".cfi_endproc\n"
	".size on_edge, . - on_edge\n"
	".local random_bytes\n"
	".comm random_bytes, 65536, 16\n"
	".local asked_time\n"
	".comm asked_time, 16, 16\n");

FUNCTION void edge(uint64_t ns)
{
	on_edge(thread_cpu_ns() + ns);
	NO_TAIL_CALL();
}
#else
FUNCTION void edge(uint64_t ns)
{
	hollow(ns);
}
#endif

int main(int argc, char **argv)
{
	pthread_t thread;
	uint64_t ns;

	if (argc < 2 || argc > 3 ||
	    (argc == 3 && strcmp(argv[2], "thread") != 0 &&
	     strcmp(argv[2], "edge") != 0)) {
		fprintf(stderr, "usage: hole MS [thread|edge]\n");
		return 2;
	}
	ns = parse_ms(argv[1]) * 1000000;
	if (argc == 2)
		hollow(ns);
	else if (strcmp(argv[2], "edge") == 0)
		edge(ns);
	else if (pthread_create(&thread, NULL, on_thread, &ns) ||
		 pthread_join(thread, NULL))
		abort();
	return 0;
}
