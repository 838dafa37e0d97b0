/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/remote_read.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

#include "process/detached.h"
#include "base/xalloc.h"

/* Shared; the thread frees it at the end. */
struct remote_reader {
	pthread_mutex_t lock;
	pthread_cond_t asked, answered;
	bool busy, ended;
	/* the request and its answer; the thread's while it is busy */
	pid_t pid;
	uint64_t address;
	size_t len;
	ssize_t got;
	unsigned char bytes[REMOTE_MAX];
};

static void destroy(struct remote_reader *p)
{
	pthread_cond_destroy(&p->asked);
	pthread_cond_destroy(&p->answered);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static ssize_t read_memory(struct remote_reader *p)
{
	struct iovec here = { .iov_base = p->bytes, .iov_len = p->len };
	struct iovec there = { .iov_base = (void *)(uintptr_t)p->address,
			       .iov_len = p->len };
	ssize_t got = process_vm_readv(p->pid, &here, 1, &there, 1, 0);

	return got < 0 ? -errno : got;
}

/* Runs at the priority of the thread that waits for it. */
static void hurry(void)
{
	sched_setscheduler(0, SCHED_RR, &(struct sched_param){ .sched_priority = 1 });
}

static void *serve(void *context)
{
	struct remote_reader *p = context;
	ssize_t got;

	hurry();
	pthread_mutex_lock(&p->lock);
	while (!p->ended) {
		if (!p->busy) {
			pthread_cond_wait(&p->asked, &p->lock);
			continue;
		}
		pthread_mutex_unlock(&p->lock);
		got = read_memory(p);
		pthread_mutex_lock(&p->lock);
		p->got = got;
		p->busy = false;
		pthread_cond_signal(&p->answered);
	}
	pthread_mutex_unlock(&p->lock);
	destroy(p);
	return NULL;
}

struct remote_reader *remote_reader_new(void)
{
	struct remote_reader *p = xcalloc(1, sizeof(*p));
	pthread_condattr_t attr;

	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->asked, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->answered, &attr);
	pthread_condattr_destroy(&attr);
	if (detached_start(serve, p))
		return p;
	destroy(p);
	return NULL;
}

void remote_reader_free(struct remote_reader *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_signal(&p->asked);
	pthread_mutex_unlock(&p->lock);
}

static struct timespec latest(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += REMOTE_WAIT_NS;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

ssize_t remote_read(struct remote_reader *p, pid_t pid, uint64_t address, void *to,
		    size_t len)
{
	const struct timespec until = latest();
	ssize_t got = -EAGAIN;

	pthread_mutex_lock(&p->lock);
	if (!p->busy) {
		p->pid = pid;
		p->address = address;
		p->len = len < REMOTE_MAX ? len : REMOTE_MAX;
		p->busy = true;
		pthread_cond_signal(&p->asked);
		while (p->busy && !pthread_cond_timedwait(&p->answered, &p->lock, &until))
			;
		if (!p->busy)
			got = p->got;
		if (got > 0)
			memcpy(to, p->bytes, (size_t)got);
	}
	pthread_mutex_unlock(&p->lock);
	return got;
}
