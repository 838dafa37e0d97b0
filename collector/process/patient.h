/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of /proc that may block for ever.  A process can wait in the kernel with its
 * mappings locked, for instance for a file system of its user's (FUSE) whose server never
 * answers.  Whoever reads its maps or command line, or opens its map_files, waits with it.
 *
 * So a thread looks at them, and who asked waits for a limited time.  A thread that is
 * stuck is left behind, and ends with the program: this waiting can be killed.  Its
 * process is not looked at until the thread comes back, whose late answer is dropped; and
 * the more are stuck, the less others are waited for.
 */
#ifndef PATIENT_H
#define PATIENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum {
	PATIENT_READ_MS = 4000, /* of the first; a process may have 65530 mappings */
	PATIENT_OPEN_MS = 100,  /* nobody empties the rings meanwhile */
	PATIENT_LEAST_MS = 8,
	PATIENT_STUCK_MAX = 256, /* threads; beyond, nobody is looked at */
};

struct patient_helper;

/* All-zero: nobody was looked at yet. */
struct patient {
	struct patient_helper *idle;
	VEC(struct patient_helper *) stuck;
	uint64_t given_up;             /* the caller's count */
	int (*open)(const char *path); /* NULL: file_open; for tests */
	unsigned wait_ms;              /* 0: PATIENT_…_MS; for tests */
};

/* Leaves stuck threads behind. */
void patient_release(struct patient *p);

/* file_open; or -ETIMEDOUT, and then -EINPROGRESS at once while its thread is stuck. */
int patient_open(struct patient *p, const char *path) __attribute__((warn_unused_result));

/* file_read, which replaces OUT's content; or those errors, or -ENOMEM. */
int patient_read(struct patient *p, const char *path, size_t max, struct strbuf *out)
	__attribute__((warn_unused_result));

#endif
