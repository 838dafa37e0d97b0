/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions that simpleperf put into its recording, as its reader rarely has the
 * Android machine: the features "file" and, since 2021, "file2", with messages in
 * protobuf encoding (FileFeature in simpleperf's record_file.proto).  Each message
 * describes one file, and has its sampled functions.
 */
#ifndef PERF_NAMES_H
#define PERF_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/strbuf.h"
#include "elf/symtab.h"

/* simpleperf's numbers; they define an address in the table. */
enum perf_names_kind {
	PERF_NAMES_KERNEL,   /* its place in memory */
	PERF_NAMES_MODULE,   /* of the kernel: an address of the file */
	PERF_NAMES_ELF,      /* an address of the file */
	PERF_NAMES_DEX,      /* an offset in the file */
	PERF_NAMES_COMPILED, /* at run time: its place in memory */
};

struct perf_names {
	uint64_t kind;
	uint64_t vaddr; /* the file's address of its first executable byte … */
	uint64_t place; /* … and that byte's offset in the file */
	bool placed;    /* place is known: the first versions lacked it */
	struct symtab table;
};

/* The path of the file that the message in C describes.  False: it is damaged. */
bool perf_names_path(struct cursor c, bool packed, struct strbuf *out);

/*
 * Decodes the message in C; PACKED: of "file2".  False: it is damaged.  Release either
 * way.
 */
bool perf_names_decode(struct cursor *c, bool packed, struct perf_names *out);
void perf_names_release(struct perf_names *names);

#endif
