/* SPDX-License-Identifier: Apache-2.0 */
/* The user part of a sample's stack: addresses, by the mode that it was recorded in. */
#ifndef STACK_USER_H
#define STACK_USER_H

#include <stdbool.h>

#include "experiment/format.h"
#include "sample/record.h"
#include "stack/ahead.h"
#include "stack/builder.h"
#include "process/sleeper.h"
#include "process/tasks.h"

/* Fills B's frames, from the innermost on; returns how they ended. */
enum exp_stack_end stack_user_part(struct stack_builder *b, const struct record *r,
				   const struct process *process, struct thread *thread);

/*
 * The same by a reader, into its frames and OUT's end, copied and depth.  False: it takes
 * stack_user_part.
 */
bool stack_known_user_part(struct stack_builder *reader, const struct record *r,
			   const struct process *process, const struct thread *thread,
			   struct stack_ahead *out) __attribute__((warn_unused_result));

/* Notes what a reader found of it. */
enum exp_stack_end stack_user_part_ahead(struct stack_builder *b, const struct record *r,
					 const struct stack_ahead *ahead);

/*
 * The same for THREAD, which slept while S was read: in any mode but STACK_OFF by the call frame
 * information, as frame pointers are not known.
 */
enum exp_stack_end stack_user_part_of_sleeper(struct stack_builder *b,
					      const struct sleeper *s,
					      const struct process *process,
					      struct thread *thread);

/*
 * The first argument of the system call that R's thread is in, if R, a sample taken in the
 * kernel but in no NMI, has the thread's registers; else 0.
 */
uint64_t stack_call_argument(const struct stack_builder *b, const struct record *r);

/* Where R's thread left the program for the kernel; 0: not known. */
uint64_t stack_entry_ip(const struct stack_builder *b, const struct record *r);

/* Whether the sample was taken in the kernel. */
bool stack_in_kernel(const struct record *r);

/* Whether it was in neither kernel nor program, but in a guest or a hypervisor. */
bool stack_elsewhere(const struct record *r);

#endif
