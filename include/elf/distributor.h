/* SPDX-License-Identifier: Apache-2.0 */
/* Who publishes this system, and its server of debug information. */
#ifndef DISTRIBUTOR_H
#define DISTRIBUTOR_H

#include <stdbool.h>

struct distributor {
	const char *id;     /* of os-release(5), or its start */
	const char *server; /* of debuginfod; NULL: none */
};

/* By the files below ROOT, "" or a directory; NULL: unknown. */
const struct distributor *distributor_here(const char *root);

/* Whether the file may come from a package: files elsewhere were built here. */
bool distributor_may_own(const char *path);

#endif
