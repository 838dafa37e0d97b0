/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters available on this CPU: the list of `collect -h`, as rows.  Text, JSON and
 * the description of one counter use the same rows.  Nothing is opened: a listed counter
 * exists on this CPU, but the kernel may still refuse it.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/event.h"
#include "base/strbuf.h"

/* Owns its strings. */
struct counter {
	char *name;  /* its name for -h */
	char *label; /* an alias' heading, "CPU Cycles"; NULL for a raw counter */
	char *raw;   /* an alias' counter, "UNHALTED_CORE_CYCLES:k"; NULL for a raw one */
	char *desc;  /* one line */
	char *pmu;   /* libpfm4's name of the unit that counts; "": the kernel knows it */
	bool software;      /* the kernel counts it itself, and needs no PMU */
	unsigned registers; /* it runs on one of 0 … registers-1; 0: unknown, or none */
	uint64_t overflow;  /* the default RATE */
	enum event_unit unit;
	bool precise;     /* can report the exact instruction */
	bool load, store; /* precise, and counts loads or stores */
	bool not_program; /* counts for a whole socket, not for one program */
};

/* The aliases come first: data[0 … aliases-1]. */
struct counter_list {
	struct counter *data;
	size_t len, cap;
	size_t aliases;
};

/*
 * Fills LIST with the counters that match PATTERN, a name or a shell pattern ("*MISS*")
 * in any case, or with all if it is NULL.  LIST is empty before.
 */
void counter_list_init(const struct events *events, const char *pattern,
		       struct counter_list *list);

/* The same with the counters that have PART in their names, in any case. */
void counter_list_search(const struct events *events, const char *part,
			 struct counter_list *list);

/*
 * Adds the meaning on this machine of TEXT, any counter in the syntax of -h: for those
 * that no table lists.  0, or a negative errno with one sentence in ERR.
 */
int counter_list_explain(const struct events *events, const char *text,
			 struct counter_list *list, struct strbuf *err)
	__attribute__((warn_unused_result));

void counter_list_release(struct counter_list *list);

/*
 * The collector's result of trying to open a counter.  REASON, NULL if counters work:
 * "this virtual machine has no performance counters"; INSTEAD: "the CPU clock".
 * Borrowed.
 */
struct counter_probe {
	const char *reason, *instead;
};

/* As `collect -h` prints it. */
void counter_list_text(const struct counter_list *list, const struct counter_probe *probe,
		       struct strbuf *out);

/* The same as one JSON document, {"schema": "ringprof-counters/1", …}. */
void counter_list_json(const struct counter_list *list, const struct counter_probe *probe,
		       struct strbuf *out);

/* The description of one counter, as `collect -h NAME` prints it. */
void counter_text(const struct counter *counter, struct strbuf *out);

#endif
