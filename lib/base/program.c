/* SPDX-License-Identifier: Apache-2.0 */
#include "base/program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *name = "ringprof";

void program_set_name(const char *new_name)
{
	name = new_name;
}

const char *program_name(void)
{
	return name;
}

/* Allocation cannot report failure to its callers, see xalloc.h. */
static struct {
	void (*fn)(void *ctx);
	void *ctx;
	pthread_t thread;
} on_oom;

static _Thread_local struct {
	void (*fn)(void *ctx);
	void *ctx;
} on_thread_oom;

void program_on_oom(void (*fn)(void *ctx), void *ctx)
{
	on_oom.fn = fn;
	on_oom.ctx = ctx;
	on_oom.thread = pthread_self();
}

void program_on_thread_oom(void (*fn)(void *ctx), void *ctx)
{
	on_thread_oom.fn = fn;
	on_thread_oom.ctx = ctx;
}

/*
 * The thread may have changed its rights and hold files, but no lock: so it stays as it is,
 * and ends with the program.
 */
static _Noreturn void hang(void)
{
	if (on_thread_oom.fn)
		on_thread_oom.fn(on_thread_oom.ctx);
	for (;;)
		pause();
}

static _Noreturn void die(const char *why)
{
	void (*fn)(void *ctx) = on_oom.fn;

	if (fn && !pthread_equal(pthread_self(), on_oom.thread))
		hang();
	on_oom.fn = NULL;
	if (fn)
		fn(on_oom.ctx);
	fprintf(stderr, "%s: error: %s\n", name, why);
	exit(1);
}

void program_die_oom(void)
{
	die("out of memory");
}

_Noreturn void program_die_format(void)
{
	die("a text cannot be formatted; it may exceed 2 GiB");
}
