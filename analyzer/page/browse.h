/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a page to the user in a browser. */
#ifndef BROWSE_H
#define BROWSE_H

#include <stdbool.h>

/* Whether a user looks at this: a terminal, and a desktop. */
bool browse_is_expected(void);

/*
 * Opens the file with xdg-open, which goes on by itself.  0, or a negative errno if it cannot
 * be executed: -ENOENT where there is none.
 */
int browse_open(const char *path) __attribute__((warn_unused_result));

#endif
