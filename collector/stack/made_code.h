/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for code that a program made while it ran: memory without a file, read from the
 * live process and proven by unwind/prove.h.
 *
 * The bytes are read after the sample, and such memory changes.  So a rule counts only for
 * samples between two readings of the same bytes:
 *
 *	        read      sample     read
 *	time ─────┼─────────┼─────────┼──→
 *	       changed_ns           read_ns
 *
 * A page is read again when a later sample needs it, once a round as a rule.  If a byte
 * changed on which a rule depends, that rule is made again from the new bytes, for samples
 * after that reading.  A change that was undone between two readings is not noticed.
 *
 * A process that collect has no right to read, or that has ended, proves nothing: then the
 * answer is MADE_UNPROVEN, and the frame pointer leads on, unless a rule from before its
 * end denies it.  MADE_UNREAD is for code that only was not read in time.
 *
 * All this may take one part in MADE_REST of the time that has passed, by the CPU time of
 * collect's thread, and the reader's as much again.  Beyond that there are no rules.
 */
#ifndef MADE_CODE_H
#define MADE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "sample/sys.h"
#include "stack/remote_read.h"
#include "unwind/frames.h"

enum {
	MADE_PAGE = 4096,
	MADE_PAGES = 4096,    /* that are kept, of all processes */
	MADE_RULES = 1 << 15, /* likewise */
	MADE_SPAN_PAGES = 6,  /* on which a rule may depend */
	MADE_REST = 40,
};

struct made_page;
struct made_rule;

struct made_code {
	const struct sys *sys;        /* borrowed */
	struct remote_reader *reader; /* NULL: not needed yet, or unable */
	bool tried;
	uint64_t begun_ns, spent_ns; /* since the first reading */
	struct idmap page_ids, rule_ids;
	VEC(struct made_page *) pages;
	VEC(struct made_rule) rules;
	struct idmap refused_ids; /* processes that cannot be read, */
	VEC(uint64_t) refused;    /* and when to try again */
};

void made_code_init(struct made_code *m, const struct sys *sys);
void made_code_release(struct made_code *m);

/* Whether ADDRESS is in memory of the process that code runs in, without a file. */
typedef bool made_is_code(void *context, uint64_t address);

/* The code as one sample may use it. */
struct made_view {
	struct made_code *all;
	uint32_t pid;
	uint64_t time_ns;
	made_is_code *is_code;
	void *context;
	/* of the rule that is being proven */
	unsigned int npages;
	uint32_t on[MADE_SPAN_PAGES]; /* pages */
	bool unread;                  /* some of its code could not be read now, */
	bool refused;                 /* nor can it be later */
};

/* An unwind_made's calls: CONTEXT is a made_view. */
enum unwind_made_answer made_code_rule(void *context, uint64_t address, bool is_return,
				       struct unwind_made_rule *out);
bool made_code_is_behind_call(void *context, uint64_t address);

#endif
