/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a sample's data for filters, as describe lists them. */
#ifndef FILTER_NAMES_H
#define FILTER_NAMES_H

enum filter_word {
	WORD_TSTAMP,
	WORD_SAMPLE,
	WORD_THRID,
	WORD_LWPID,
	WORD_PID,
	WORD_CPUID,
	WORD_EXPID,
	WORD_EXPGRID,
	WORD_WEIGHT,
	WORD_VADDR,
	WORD_LATENCY,
	WORD_PADDR,
	WORD_DATAPAGE,
	WORD_CODEPAGE,
	WORD_TXN,
	WORD_DEPTH,
	WORD_STACK,
	WORD_LEAF,
	WORD_FNAME,
	WORD_OBJNAME,
	WORD_TNAME,
	WORD_PNAME,
	WORD_EVENT,
	WORD_STATE,
	WORD_MEMORY,
	WORD_CGROUP,
	WORD_REGION,
	WORD_DOMAIN,
	WORD_INSTANCE,
	WORD_RANK,
	FILTER_WORDS
};

enum filter_kind {
	KIND_SAMPLE,    /* a number of the sample */
	KIND_STACK,     /* a number of its stack */
	KIND_FRAMES,    /* functions of its stack */
	KIND_FUNCTIONS, /* NAME("regex"): all functions that match */
	KIND_LABEL,     /* NAME("regex"): 1 if the sample's matches; NAME=="text" too */
	KIND_SHARE,     /* a number of the sample, from 0 to 1 */
};

struct filter_name {
	const char *name;
	enum filter_kind kind;
	const char *meaning;
};

/* What a share of 1 is as a number. */
#define FILTER_SHARE 1000000

extern const struct filter_name filter_names[FILTER_WORDS];

#endif
