/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What /proc shows of a thread that sleeps: its system call, the kernel's function that it
 * sleeps in, and the top of its stack.
 *
 * The thread is neither stopped nor traced, and does not notice.  So it may run meanwhile:
 * what was read belongs together only if the caller knows that the thread slept from
 * from_ns to to_ns.  A read may wait in the kernel for ever (see sleeper_reader.h).
 */
#ifndef SLEEPER_H
#define SLEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLEEPER_NO_CALL = -1, SLEEPER_ARGS = 6 };

/* The kind of file that a call waits for, as far as its cause depends on it. */
enum sleeper_file {
	SLEEPER_FILE_UNKNOWN,
	SLEEPER_FILE_DISK,
	SLEEPER_FILE_NETWORK,
	SLEEPER_FILE_PIPE,   /* or a local socket, terminal, eventfd */
	SLEEPER_FILE_TIMER,  /* or signals */
	SLEEPER_FILE_EVENTS, /* of several files */
};

struct sleeper {
	uint32_t pid, tid;
	uint64_t from_ns, to_ns; /* the time of the reading, CLOCK_MONOTONIC */
	int error;               /* 0, or a negative errno: -EAGAIN if it runs */
	int64_t call;            /* number; SLEEPER_NO_CALL: a page fault, for instance */
	uint64_t args[SLEEPER_ARGS];
	uint64_t sp, pc;
	char function[64];      /* of the kernel, without its suffix; "": not known */
	enum sleeper_file file; /* that the call's first argument names */
	bool has_code;          /* without a call: its instruction is in memory */
	bool in_kernel;         /* it has no user registers: a thread of the kernel */
	unsigned char *stack; /* from sp on, or /proc/PID/stack; memory of the caller, */
	size_t room, len;     /* its size, and how much of it was read */
};

/* The numbers in TEXT, a line of /proc/PID/syscall.  0, -EAGAIN or -EINVAL. */
int sleeper_parse(const char *text, struct sleeper *s)
	__attribute__((warn_unused_result));

/* The kind of file by the LINK of its descriptor in /proc, if that shows it. */
enum sleeper_file sleeper_file_of_link(const char *link);

/* The kind of a socket by the kernel's NAME of its protocol. */
enum sleeper_file sleeper_file_of_protocol(const char *name);

/*
 * Reads the thread s->tid of s->pid; ROOT precedes /proc.  WANTS_FILE says, of a call and
 * the function, whether the file must be known too.
 */
typedef bool sleeper_wants_file(const struct sleeper *s);
void sleeper_read(struct sleeper *s, const char *root, sleeper_wants_file *wants_file);

#endif
