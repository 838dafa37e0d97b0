/* SPDX-License-Identifier: Apache-2.0 */
#include "process/detached.h"

#include <signal.h>

/* A thread starts with its creator's signal mask. */
bool detached_start_as(pthread_t *thread, const pthread_attr_t *attr,
		       void *(*serve)(void *), void *context)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(thread, attr, serve, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

bool detached_start(pthread_t *thread, void *(*serve)(void *), void *context)
{
	pthread_attr_t attr;
	bool started;

	if (pthread_attr_init(&attr))
		return false;
	started = !pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) &&
		  detached_start_as(thread, &attr, serve, context);
	pthread_attr_destroy(&attr);
	return started;
}
