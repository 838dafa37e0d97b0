/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the debug information of a file is had that the system's packages brought: the
 * command that this system has for it, or the server of who made the system.
 */
#ifndef DEBUG_PACKAGE_H
#define DEBUG_PACKAGE_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Adds it to OUT.  False where no package has PATH, as far as can be told: it was built
 * here.  ROOT, "" or a folder, is what the system's own files are read below.
 */
bool debug_package(const char *root, const char *path, struct strbuf *out);

#endif
