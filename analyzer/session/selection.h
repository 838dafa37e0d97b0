/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's selection: an expression (filters), and lists of threads, processes, CPUs and
 * samples (thread_select, …), which are shorter forms of one.  All of them must hold.
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "filter/filter.h"
#include "base/strbuf.h"

enum select_kind { SELECT_THREAD, SELECT_PROCESS, SELECT_CPU, SELECT_SAMPLE, SELECTS };

/* All-zero: everything. */
struct selection {
	char *expression;     /* NULL: none */
	char *lists[SELECTS]; /* the user's text; NULL: none */
};

void selection_release(struct selection *selection);

/* OUT is overwritten. */
void selection_copy(const struct selection *selection, struct selection *out);

/* TEXT is stored unchanged; NULL removes the expression. */
void selection_set_expression(struct selection *selection, const char *text);

/*
 * LIST: numbers and ranges, "1,3-5", or "all", which removes the list.  Those for certain
 * experiments follow these: "1:1,3-5+2-3:7"; then nothing is selected from the others.
 * 0, or a negative code with a sentence in ERR, and the selection unchanged.
 */
int selection_set_list(struct selection *selection, enum select_kind kind,
		       const char *list, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * As one expression; empty: everything.  Threads have numbers up to THREADS: above, a
 * number in their list is the kernel's.
 */
void selection_compose(const struct selection *selection, uint32_t threads,
		       struct strbuf *out);

#endif
