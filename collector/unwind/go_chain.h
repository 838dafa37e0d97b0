/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers in a chain of frame pointers, where it goes through Go's changes of stacks.
 *
 * Such a chain lacks the caller of a function that saves no frame pointer, as those do
 * that change stacks (systemstack, before Go 1.21):
 *
 *	mcentral.grow: call mheap.alloc    an address in the chain
 *	mheap.alloc:   call systemstack    its frame pointer is the register's value
 *	systemstack:   call *rdi           an address in the chain
 *
 * It is proven by code: the call before the next address in the chain goes to it, and in
 * it is one single call to the function below, or one that is given the function which
 * that then called.  An edge that the code does not prove, or contradicts, is none.
 */
#ifndef UNWIND_GO_CHAIN_H
#define UNWIND_GO_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/go_frame.h"

enum go_edge_kind {
	GO_EDGE_NONE,
	GO_EDGE_CALL, /* one called the other */
	GO_EDGE_VIA,  /* a function between them did */
};

struct go_edge {
	enum go_edge_kind kind;
	uint64_t via; /* where the call from that function returns to */
};

/* A place in the code, seen from the next one in the chain. */
struct go_place {
	uint64_t address;
	uint64_t callee; /* an address in the function that it called; 0: unknown */
	bool is_return;
};

/*
 * From BELOW to the next address in the chain, the return address ABOVE.  FUEL pays for
 * what is read, one unit for each instruction too; where it becomes 0 the answer says
 * nothing.
 */
struct go_edge go_chain_edge(struct go_code *go, const struct go_place *below,
			     uint64_t above, uint32_t *fuel);

#endif
