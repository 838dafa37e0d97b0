/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers in a chain of frame pointers through Go's stack switches.
 *
 * Such a chain lacks the caller of a function that saves no frame pointer, such as those
 * that switch stacks (systemstack, before Go 1.21):
 *
 *	mcentral.grow: call mheap.alloc    an address in the chain
 *	mheap.alloc:   call systemstack    its frame pointer is the register's value
 *	systemstack:   call *rdi           an address in the chain
 *
 * Code proves it: the call before the next address in the chain goes to it, and it
 * contains a single call to the function below, or one that passes the function which
 * that then called.  An edge that the code does not prove, or contradicts, is rejected.
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
	uint64_t via; /* the return address of that function's call */
};

/* A place in the code, as needed for the next one in the chain. */
struct go_place {
	uint64_t address;
	uint64_t callee; /* an address in the function that it called; 0: unknown */
	bool is_return;
};

/*
 * The edge from BELOW to the next address in the chain, the return address ABOVE.  FUEL
 * pays for reading, one unit for each instruction too; if it becomes 0, the answer is
 * invalid.
 */
struct go_edge go_chain_edge(struct go_code *go, const struct go_place *below,
			     uint64_t above, uint32_t *fuel);

#endif
