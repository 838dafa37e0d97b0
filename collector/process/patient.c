/* SPDX-License-Identifier: Apache-2.0 */
#include "process/patient.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "process/detached.h"

/* Belongs to both; the thread frees it when it is told of the end. */
struct patient_helper {
	pthread_mutex_t lock;
	pthread_cond_t asked, answered;
	bool busy, ended;
	/* the request and its answer; the thread's while it is busy */
	int (*open)(const char *path);
	char *path;
	bool whole; /* its content is asked for */
	size_t max;
	struct strbuf text;
	int result;
};

static void drop_answer(struct patient_helper *h)
{
	if (!h->whole && h->result >= 0)
		close(h->result);
	h->result = -ENOENT;
	strbuf_release(&h->text);
	free(h->path);
	h->path = NULL;
}

static void destroy(struct patient_helper *h)
{
	drop_answer(h);
	pthread_cond_destroy(&h->asked);
	pthread_cond_destroy(&h->answered);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* As far ahead of the target as who waits for it, with rings that fill up. */
static void hurry(void)
{
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
}

static void look(struct patient_helper *h)
{
	int fd;

	if (!h->whole)
		hurry();
	fd = h->open(h->path);
	h->result = fd;
	if (fd < 0 || !h->whole)
		return;
	h->result = file_read_fd(fd, h->max, &h->text);
	close(fd);
}

static void *serve(void *context)
{
	struct patient_helper *h = context;

	pthread_mutex_lock(&h->lock);
	while (!h->ended) {
		if (!h->busy) {
			pthread_cond_wait(&h->asked, &h->lock);
			continue;
		}
		pthread_mutex_unlock(&h->lock);
		look(h);
		pthread_mutex_lock(&h->lock);
		h->busy = false;
		pthread_cond_signal(&h->answered);
	}
	pthread_mutex_unlock(&h->lock);
	destroy(h);
	return NULL;
}

static struct patient_helper *new_helper(void)
{
	struct patient_helper *h = xcalloc(1, sizeof(*h));
	pthread_condattr_t attr;

	h->result = -ENOENT;
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->asked, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&h->answered, &attr);
	pthread_condattr_destroy(&attr);
	if (detached_start(serve, h))
		return h;
	destroy(h);
	return NULL;
}

static void end_helper(struct patient_helper *h)
{
	pthread_mutex_lock(&h->lock);
	h->ended = true;
	pthread_cond_signal(&h->asked);
	pthread_mutex_unlock(&h->lock);
}

void patient_release(struct patient *p)
{
	if (p->idle)
		end_helper(p->idle);
	vec_for_each(struct patient_helper *, h, &p->stuck)
		end_helper(*h);
	vec_release(&p->stuck);
	p->idle = NULL;
}

/* Whether H is not stuck any more. */
static bool is_back(struct patient_helper *h)
{
	bool busy;

	pthread_mutex_lock(&h->lock);
	busy = h->busy;
	pthread_mutex_unlock(&h->lock);
	return !busy;
}

/* One that is not busy; NULL where there can be none. */
static struct patient_helper *find_helper(struct patient *p)
{
	for (size_t i = 0; !p->idle && i < p->stuck.len; i++)
		if (is_back(p->stuck.data[i])) {
			p->idle = p->stuck.data[i];
			p->stuck.data[i] = p->stuck.data[--p->stuck.len];
		}
	if (!p->idle && p->stuck.len < PATIENT_STUCK_MAX)
		p->idle = new_helper();
	return p->idle;
}

/* How much of PATH, in /proc, is of its process: "/proc/1/" of "/proc/1/maps". */
static size_t process_len(const char *path)
{
	const char *proc = strstr(path, "/proc/");
	const char *end = proc ? strchr(proc + strlen("/proc/"), '/') : NULL;

	return end ? (size_t)(end - path) + 1 : strlen(path) + 1;
}

static bool is_stuck(const struct patient *p, const char *path)
{
	vec_for_each(struct patient_helper *, h, &p->stuck)
		if (!strncmp((*h)->path, path, process_len(path)) && !is_back(*h))
			return true;
	return false;
}

uint64_t patient_given_up(const struct patient *p)
{
	uint64_t count = p->unread;

	vec_for_each(struct patient_helper *, h, &p->stuck)
		count += !(*h)->whole && !is_back(*h);
	return count;
}

static struct timespec latest(const struct patient *p, unsigned ms)
{
	unsigned wait = (p->wait_ms ? p->wait_ms : ms) / (1 + (unsigned)p->stuck.len);
	struct timespec t;

	wait = wait < PATIENT_LEAST_MS ? PATIENT_LEAST_MS : wait;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += wait / 1000;
	t.tv_nsec += (long)(wait % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

static bool waited_for(struct patient_helper *h, const struct timespec *until)
{
	bool busy;

	pthread_mutex_lock(&h->lock);
	h->busy = true;
	pthread_cond_signal(&h->asked);
	while (h->busy && !pthread_cond_timedwait(&h->answered, &h->lock, until))
		;
	busy = h->busy;
	pthread_mutex_unlock(&h->lock);
	return !busy;
}

/* The helper with the answer, or NULL. */
static struct patient_helper *ask(struct patient *p, const char *path, bool whole,
				  size_t max)
{
	struct timespec until = latest(p, whole ? PATIENT_READ_MS : PATIENT_OPEN_MS);
	struct patient_helper *h = is_stuck(p, path) ? NULL : find_helper(p);

	if (h) {
		drop_answer(h);
		h->open = p->open ? p->open : file_open;
		h->path = xstrdup(path);
		h->whole = whole;
		h->max = max;
		if (waited_for(h, &until))
			return h;
		*vec_push(&p->stuck) = h;
		p->idle = NULL;
	}
	p->unread += whole || p->stuck.len >= PATIENT_STUCK_MAX;
	return NULL;
}

int patient_open(struct patient *p, const char *path)
{
	struct patient_helper *h = ask(p, path, false, 0);
	int fd = h ? h->result : -ETIMEDOUT;

	if (h)
		h->result = -ENOENT;
	return fd;
}

int patient_read(struct patient *p, const char *path, size_t max, struct strbuf *out)
{
	struct patient_helper *h = ask(p, path, true, max);

	if (!h)
		return -ETIMEDOUT;
	strbuf_add(out, strbuf_str(&h->text), h->text.len);
	return h->result;
}
