/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which waits in page faults were for code, and which for data.
 *
 *	    out          in    fault                                  out
 *	─────┴────────────┴──────┴─────────────────────────────────────┴──→
 *	   a wait in a   is held …  … until the kernel has served the fault
 *	   page fault
 *
 * The kernel reports a major page fault (PERF_COUNT_SW_PAGE_FAULTS_MAJ) when it has served it,
 * before the thread goes on, with the address and the instruction that wanted it.  If that is
 * the instruction at which the thread waited, the wait was for this page: of code if it is the
 * instruction's own, otherwise of data.
 *
 * A fault without a report proves neither.  Many waits have none: a page that somebody else is
 * reading already counts as a minor fault.  So only the last wait before a report is proven: one
 * before it, at the same instruction, may have been for the instruction's own page, and the last
 * one for its data.  And only if the report comes at once: the instruction may have had another
 * fault meanwhile, of which nothing else is known if it took no wait.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "wait/switches.h"

/* Of a thread: a wait for a page, and those for a CPU until it is clear what the page was. */
enum { FAULTS_HELD = 8 };

struct faults_thread {
	uint32_t tid;
	uint32_t len;
	struct switches_wait held[FAULTS_HELD];
};

struct faults {
	void *ctx;
	void (*wait)(void *ctx, const struct switches_wait *wait);
	struct idmap by_tid; /* index in threads */
	VEC(struct faults_thread) threads;
};

/* WAIT gets all waits, those of each thread in their order. */
void faults_init(struct faults *f, void (*wait)(void *, const struct switches_wait *),
		 void *ctx);
void faults_release(struct faults *f);

/*
 * A wait has ended.  If it was in a page fault, its address is that of the instruction; 0: it
 * is not known.
 */
void faults_wait(struct faults *f, const struct switches_wait *wait);

/*
 * How long a thread runs after its wait until the kernel has served the fault, and reports it: 1
 * to 53 µs were measured.  Later it may be another fault of the instruction, without a wait.
 */
#define FAULTS_SERVED_NS UINT64_C(100000)

/* A major fault of TID is served at AT_NS: the instruction at IP wanted ADDRESS. */
void faults_served(struct faults *f, uint32_t tid, uint64_t at_ns, uint64_t ip,
		   uint64_t address);

/* TID went on; what its last fault was is not known. */
void faults_pass(struct faults *f, uint32_t tid);
void faults_pass_all(struct faults *f);

#endif
