/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of processes that may block for ever.  A process can wait in the kernel with its
 * mappings locked, for instance for a file system of its user's (FUSE) whose server never
 * answers.  Whoever reads its maps or command line, opens its map_files, or opens a file
 * there by its path, waits with it.
 *
 * So a thread does that (process/helper.h), and the caller waits for a limited time.  A
 * stuck thread is left behind, and ends with the program: this waiting can be killed.  Its
 * process is left alone until the thread comes back, whose late answer is dropped; and the
 * more threads are stuck, the shorter are other waits.
 *
 * A process may also answer just before each limit.  So the time of a user's processes is
 * added up: beyond his share, they count as stuck for the rest of the minute.  Processes
 * of our own user are not counted: they need no protection from themselves.
 */
#ifndef PATIENT_H
#define PATIENT_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/file_id.h"
#include "base/named_file.h"
#include "base/quota.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum {
	PATIENT_READ_MS = 4000, /* at first; a process may have 65530 mappings */
	PATIENT_OPEN_MS = 100,  /* nobody empties the rings meanwhile */
	PATIENT_LEAST_MS = 8,
	PATIENT_STUCK_MAX = 256, /* threads; beyond, no process is looked at */
	PATIENT_LEFT_MAX = 64,   /* left_behind; beyond, no served file is opened */
	PATIENT_FREE_US = 1000,  /* of each wait; a look takes some 50 us */
	PATIENT_ALL_MS = 2000, /* a minute, of all users, beyond that; of reads a part */
	PATIENT_MINUTE_S = 60,
	PATIENT_LEISURE_MS = 30000,
};

/* A process: its user, or PATIENT_NO_USER if he is unknown. */
#define PATIENT_NO_USER ((uid_t)-1)
struct patient_process {
	int64_t pid;
	uid_t user;
	/* what a file of it must be, if it is opened as a copy; NULL: anything */
	const struct file_id *file;
};

/* PID's user, as far as ROOT/proc/PID/status says. */
struct patient_process patient_process_find(const char *root, pid_t pid);

struct patient_helper;

/* All-zero: no process was looked at yet. */
struct patient {
	struct patient_helper *idle;
	VEC(struct patient_helper *) stuck;
	unsigned
		left_behind; /* children with files that their users serve, see served_file.h */
	uint64_t given_up;             /* the caller's count */
	int (*open)(const char *path); /* NULL: as patient_open says; for tests */
	int (*open_named)(const struct namer_of_files *by, const char *path);
	/* NULL: named_file_open; for tests */
	unsigned wait_ms;        /* 0: PATIENT_…_MS; for tests */
	int64_t (*now_ns)(void); /* NULL: CLOCK_MONOTONIC; for tests */
	int64_t since_ns;        /* 0: no wait yet */
	struct quota waits;      /* us, since then */
	int64_t at_leisure_us;   /* what patient_at_leisure has left */
};

/*
 * From now on nobody waits for the caller, at the end of a recording: an open may take as
 * long as a read, and no user's share counts, until all have taken PATIENT_LEISURE_MS.  A
 * stuck thread is waited for once more before its process is left alone.
 */
void patient_at_leisure(struct patient *p);

/* Leaves stuck threads behind. */
void patient_release(struct patient *p);

/*
 * Files that its user may serve himself are copied (base/served_file.h).
 *
 * file_open of a PATH that leads through process OF; or -ETIMEDOUT, and then -EINPROGRESS
 * at once while its thread is stuck, or its user has no time left.
 */
int patient_open(struct patient *p, const struct patient_process *of, const char *path)
	__attribute__((warn_unused_result));

/* Whether that error means that no answer came in time: another way to the file may hang too. */
static inline bool patient_is_late(int error)
{
	return error == -ETIMEDOUT || error == -EINPROGRESS;
}

/* named_file_open of PATH, which process OF names with BY's rights; or those errors. */
int patient_open_named(struct patient *p, const struct patient_process *of,
		       const struct namer_of_files *by, const char *path)
	__attribute__((warn_unused_result));

/* file_read, which replaces OUT's content; or those errors, or -ENOMEM. */
int patient_read(struct patient *p, const struct patient_process *of, const char *path,
		 size_t max, struct strbuf *out) __attribute__((warn_unused_result));

/* The same while recording, when it may take no longer than an open. */
int patient_read_little(struct patient *p, const struct patient_process *of,
			const char *path, size_t max, struct strbuf *out)
	__attribute__((warn_unused_result));

#endif
