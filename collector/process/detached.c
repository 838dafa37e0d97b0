/* SPDX-License-Identifier: Apache-2.0 */
#include "process/detached.h"

#include <pthread.h>

bool detached_start(void *(*serve)(void *), void *context)
{
	pthread_attr_t attr;
	pthread_t thread;
	bool started;

	if (pthread_attr_init(&attr))
		return false;
	started = !pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) &&
		  !pthread_create(&thread, &attr, serve, context);
	pthread_attr_destroy(&attr);
	return started;
}
