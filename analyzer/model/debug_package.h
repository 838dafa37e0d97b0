/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How to get the debug information of a file from the system's packages: this system's
 * command for it, or its distributor's server.
 */
#ifndef DEBUG_PACKAGE_H
#define DEBUG_PACKAGE_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Adds it to OUT.  False if no known package has PATH: it was built here.  The system's
 * own files are read below ROOT, "" or a directory.
 */
bool debug_package(const char *root, const char *path, struct strbuf *out);

#endif
