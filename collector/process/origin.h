/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who names the files that collect opens: profiled processes, and the owners of programs,
 * whose debug information names more files.  Each combination of rights and root is kept
 * once, with a descriptor of the root, until the recording ends: collect reads names
 * then, after the processes have gone.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/named_file.h"
#include "base/vec.h"

struct origin {
	struct namer_of_files by; /* for named_file_open */
	struct rights rights;     /* BY's, if they are not ours */
	struct {
		uint64_t namespace, device, inode;
	} root;
};

/*
 * Each may have a descriptor, and a program can create one with each mount namespace: so
 * there are at most this many, and at most a quarter of our descriptors.
 */
enum { ORIGINS_MAX = 1024, ORIGINS_SHARE = 4, ORIGINS_PATIENCE_MS = 10000 };

struct origins {
	VEC(struct origin *) v;      /* their addresses stay */
	struct origin *refused;      /* for all beyond; NULL: not needed yet */
	uint64_t left_out;           /* how often it was used */
	struct origin *own;          /* NULL: not looked up yet */
	_Atomic int64_t patience_ms; /* for files that users serve: of all together */
};

/* O is all-zero.  Its address stays. */
void origins_init(struct origins *o);
void origins_release(struct origins *o);

/* A process, read while it is alive. */
struct origin_task {
	const struct origin *origin;
	int inner_pid;   /* its pid in its own namespace */
	int64_t born_ns; /* time of its start, since the epoch */
};

/*
 * Reads PID's; false: it has gone, or we may not inspect it.  One beyond the bound opens
 * nothing: it must not get our rights.
 */
bool origins_of_task(struct origins *o, int64_t pid, struct origin_task *out);

/*
 * The origin of those who could write the file FD: its owner, or ourselves for the
 * system's own files.  For names in a file whose process has gone.  NULL: ourselves.
 */
const struct origin *origins_of_file(struct origins *o, int fd);

/* For named_file_open; NULL, ourselves, stays NULL. */
static inline const struct namer_of_files *origin_by(const struct origin *origin)
{
	return origin ? &origin->by : NULL;
}

#endif
