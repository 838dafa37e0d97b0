/* SPDX-License-Identifier: Apache-2.0 */
/*
 * altstack MS: two handlers, that of SIGUSR1 on a stack of its own, that of SIGUSR2 on
 * the thread's, interrupt raiser() by turns until each has spent that much CPU time in
 * on_own() and on_same(); prints "own NANOSECONDS", and so same, and other.
 *
 * Before each, the same raiser() is busy at the same depth under another caller, other():
 * completing stacks by their depth would charge that one.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

enum { STEP_NS = 2000000 };

void on_own(int sig), on_same(int sig), raiser(int sig), asker(int sig), other(int sig);

/* What the handlers have spent; they have no argument. */
static uint64_t own_ns, same_ns, other_ns;

#define SPEND(what)                                                                      \
	do {                                                                             \
		const uint64_t begin = thread_cpu_ns();                                  \
		spin_ns(STEP_NS);                                                        \
		(what) += thread_cpu_ns() - begin;                                       \
	} while (0)

FUNCTION void on_own(int sig)
{
	(void)sig;
	SPEND(own_ns);
}

FUNCTION void on_same(int sig)
{
	(void)sig;
	SPEND(same_ns);
}

/* With 0 it is busy itself, so that whole stacks with it are known. */
FUNCTION void raiser(int sig)
{
	if (sig)
		raise(sig);
	else
		SPEND(other_ns);
}

FUNCTION void asker(int sig)
{
	raiser(sig);
	NO_TAIL_CALL();
}

FUNCTION void other(int sig)
{
	raiser(sig);
	NO_TAIL_CALL();
}

static void handle(int sig, void (*handler)(int), int flags)
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	if (sigaction(sig, &action, NULL))
		abort();
}

int main(int argc, char **argv)
{
	static char memory[64 << 10];
	const stack_t own = { .ss_sp = memory, .ss_size = sizeof(memory) };
	uint64_t ns;

	if (argc != 2) {
		fprintf(stderr, "usage: altstack MS\n");
		return 2;
	}
	ns = parse_ms(argv[1]) * 1000000;
	if (sigaltstack(&own, NULL))
		abort();
	handle(SIGUSR1, on_own, SA_ONSTACK);
	handle(SIGUSR2, on_same, 0);
	while (own_ns < ns || same_ns < ns) {
		other(0);
		asker(SIGUSR1);
		asker(SIGUSR2);
	}
	printf("own %llu\nsame %llu\nother %llu\n", (unsigned long long)own_ns,
	       (unsigned long long)same_ns, (unsigned long long)other_ns);
	return 0;
}
