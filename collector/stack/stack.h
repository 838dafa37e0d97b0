/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a sample to the node of its stack: unwinds the copied user stack, places every
 * address in a module, interns the path.
 *
 *	outermost user frame … innermost user frame, outermost kernel frame … leaf
 *
 * A stack that was not followed to its root begins with the artificial frame <Truncated>,
 * whose offset is the reason.
 *
 * A precise event has two places: its ip is the place of the event; its chain begins at
 * the interrupt, some instructions later and often in another function.  If the two
 * differ, the stack is the chain, then the artificial frame <Skid>, then the ip, as it is
 * unknown whether one called the other.  The analyzer, which knows the functions' names,
 * decides where the ip belongs (analyzer/model/skid.h).
 */
#ifndef STACK_H
#define STACK_H

#include <stdint.h>

#include "sample/record.h"
#include "stack/ahead.h"
#include "stack/builder.h"
#include "process/sleeper.h"
#include "process/tasks.h"

/*
 * The node of the stack of R, a sample of THREAD in PROCESS; AHEAD: what a reader found of it,
 * or NULL.
 */
uint32_t stack_node(struct stack_builder *b, const struct record *r,
		    struct process *process, struct thread *thread,
		    const struct stack_ahead *ahead);

/* What READER finds of the stack that stack_node will be asked for. */
void stack_look_ahead(struct stack_builder *reader, const struct record *r,
		      const struct process *process, const struct thread *thread,
		      struct stack_ahead *out);

/*
 * The node of the stack of THREAD, which slept while S was read: without the kernel's part,
 * and of the registers only the stack pointer is known.  *CUT: more than s->room would help.
 */
uint32_t stack_node_of_sleeper(struct stack_builder *b, const struct sleeper *s,
			       struct process *process, struct thread *thread, bool *cut);

/*
 * The node of COUNT return addresses of the kernel, the innermost first, or INTERN_NO_NODE if
 * there is no room for it.
 */
uint32_t stack_node_of_kernel(struct stack_builder *b, const uint64_t *returns,
			      size_t count);

#endif
