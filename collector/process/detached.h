/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that nobody waits for: it may hang for ever, in a page of another process that
 * its owner never serves, and ends with the program then.
 */
#ifndef DETACHED_H
#define DETACHED_H

#include <stdbool.h>

/* Runs SERVE with CONTEXT, which is the thread's own from then on.  False: it cannot. */
bool detached_start(void *(*serve)(void *), void *context);

#endif
