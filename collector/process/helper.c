/* SPDX-License-Identifier: Apache-2.0 */
#include "process/helper.h"

#include <sched.h>
#include <time.h>

#include "process/detached.h"

static void destroy(struct helper *h)
{
	pthread_cond_destroy(&h->asked);
	pthread_cond_destroy(&h->answered);
	pthread_mutex_destroy(&h->lock);
	h->kind->free(h);
}

void helper_hurry(struct helper *h)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	if (!h->hurried)
		pthread_setschedparam(h->thread, SCHED_RR, &lowest);
	h->hurried = true; /* else it may not */
}

static void *serve(void *context)
{
	struct helper *h = context;

	pthread_mutex_lock(&h->lock);
	while (!h->ended) {
		if (!h->busy) {
			pthread_cond_wait(&h->asked, &h->lock);
			continue;
		}
		pthread_mutex_unlock(&h->lock);
		h->kind->work(h);
		pthread_mutex_lock(&h->lock);
		if (h->abandoned && h->kind->drop)
			h->kind->drop(h);
		h->busy = false;
		pthread_cond_signal(&h->answered);
	}
	pthread_mutex_unlock(&h->lock);
	destroy(h);
	return NULL;
}

bool helper_start(struct helper *h, const struct helper_kind *kind)
{
	pthread_condattr_t attr;

	h->kind = kind;
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->asked, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&h->answered, &attr);
	pthread_condattr_destroy(&attr);
	if (!detached_start(&h->thread, serve, h)) {
		destroy(h);
		return false;
	}
	if (kind->hurries)
		helper_hurry(h);
	return true;
}

bool helper_is_busy(struct helper *h)
{
	bool busy;

	pthread_mutex_lock(&h->lock);
	busy = h->busy;
	pthread_mutex_unlock(&h->lock);
	return busy;
}

void helper_begin(struct helper *h)
{
	pthread_mutex_lock(&h->lock);
	h->busy = true;
	h->abandoned = false;
	pthread_cond_signal(&h->asked);
	pthread_mutex_unlock(&h->lock);
}

/* With the lock; false: it is still busy then. */
static bool await(struct helper *h, int64_t until_ns)
{
	const struct timespec until = { .tv_sec = until_ns / 1000000000,
					.tv_nsec = until_ns % 1000000000 };

	while (h->busy && !pthread_cond_timedwait(&h->answered, &h->lock, &until))
		;
	return !h->busy;
}

bool helper_ask(struct helper *h, int64_t until_ns)
{
	bool answered;

	pthread_mutex_lock(&h->lock);
	h->busy = true;
	h->abandoned = false;
	pthread_cond_signal(&h->asked);
	answered = await(h, until_ns);
	h->abandoned = !answered;
	pthread_mutex_unlock(&h->lock);
	return answered;
}

void helper_wait(struct helper *h, int64_t until_ns)
{
	pthread_mutex_lock(&h->lock);
	await(h, until_ns);
	pthread_mutex_unlock(&h->lock);
}

int64_t helper_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void helper_end(struct helper *h)
{
	pthread_mutex_lock(&h->lock);
	h->ended = true;
	pthread_cond_signal(&h->asked);
	pthread_mutex_unlock(&h->lock);
}
