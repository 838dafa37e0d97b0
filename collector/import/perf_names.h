/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions that simpleperf put into its recording, as Android's machines are
 * rarely at hand where it is read: the features "file" and, since 2021, "file2", whose
 * messages are of protobuf's coding (FileFeature in simpleperf's record_file.proto).
 * Each message is of one file, and has those of its functions that have samples.
 */
#ifndef PERF_NAMES_H
#define PERF_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/strbuf.h"
#include "elf/symtab.h"

/* By simpleperf's numbers; they tell what an address of the table is. */
enum perf_names_kind {
	PERF_NAMES_KERNEL,   /* where it was in memory */
	PERF_NAMES_MODULE,   /* of the kernel: the file's own address */
	PERF_NAMES_ELF,      /* likewise */
	PERF_NAMES_DEX,      /* an offset in the file */
	PERF_NAMES_COMPILED, /* at run time: where it was in memory */
};

struct perf_names {
	uint64_t kind;
	uint64_t vaddr; /* the file's address of its first executable byte … */
	uint64_t place; /* … and where that is: its offset in the file */
	bool placed;    /* place is told: the first versions did not */
	struct symtab table;
};

/* The path of the file that the message in C is of.  False: it is damaged. */
bool perf_names_path(struct cursor c, bool packed, struct strbuf *out);

/* The message in C; PACKED: of "file2".  False: it is damaged.  Release either way. */
bool perf_names_decode(struct cursor *c, bool packed, struct perf_names *out);
void perf_names_release(struct perf_names *names);

#endif
