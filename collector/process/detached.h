/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that nobody waits for: it may hang for ever, on a page of another process that
 * its owner never serves; it ends with the program.
 */
#ifndef DETACHED_H
#define DETACHED_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Runs SERVE with CONTEXT, which the thread then owns.  It takes no signals: they are for
 * the threads that act on them.  *THREAD may be used until it ends.  False: there can be no
 * thread.
 */
bool detached_start(pthread_t *thread, void *(*serve)(void *), void *context);

/* The same of a thread with ATTR, which may be one to wait for. */
bool detached_start_as(pthread_t *thread, const pthread_attr_t *attr,
		       void *(*serve)(void *), void *context);

#endif
