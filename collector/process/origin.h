/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who names the files that collect opens: processes under profile, and the owners of
 * programs, whose debug information names more files.  Each combination of rights and
 * root is kept once, with a descriptor of the root, until the recording ends: names are
 * read then, after the processes have gone.
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
	struct rights rights;     /* what BY points to, where they are not ours */
	struct {
		uint64_t namespace, device, inode;
	} root;
};

/*
 * Each may have a descriptor, and who makes a mount namespace for each of its processes
 * makes one of these: so many at most, and a quarter of the descriptors that we may have.
 */
enum { ORIGINS_MAX = 1024, ORIGINS_SHARE = 4 };

struct origins {
	VEC(struct origin *) v; /* their addresses stay */
	struct origin *refused; /* stands for all beyond; NULL: not needed yet */
	uint64_t left_out;      /* how often it did */
	struct origin *own;     /* NULL: not looked up yet */
};

void origins_release(struct origins *o);

/* A process, read while it is alive. */
struct origin_task {
	const struct origin *origin;
	int inner_pid;   /* its pid in its own namespace */
	int64_t born_ns; /* when it was started, since the epoch */
};

/*
 * Reads PID's; false: it has gone, or we may not look at it.  One beyond the bound opens
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
