/* SPDX-License-Identifier: Apache-2.0 */
#include "process/patient.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "process/detached.h"

/* Belongs to both; the thread frees it when asked to end. */
struct patient_helper {
	pthread_mutex_t lock;
	pthread_cond_t asked, answered;
	bool busy, ended;
	atomic_bool abandoned; /* nobody waits for the answer any more */
	/* the request and its answer; the thread's while it is busy */
	int (*open)(const char *path);
	char *path;
	bool whole; /* its content is asked for */
	size_t max;
	struct strbuf text; /* grown by the thread, which must not end the program */
	int result;
};

enum { CHUNK = 1 << 16 };

static void drop_answer(struct patient_helper *h)
{
	if (!h->whole && h->result >= 0)
		close(h->result);
	h->result = -ENOENT;
	strbuf_release(&h->text);
}

static void destroy(struct patient_helper *h)
{
	drop_answer(h);
	free(h->path);
	pthread_cond_destroy(&h->asked);
	pthread_cond_destroy(&h->answered);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* As far ahead of the target as who waits for it, with rings that fill up. */
static void hurry(void)
{
	sched_setscheduler(0, SCHED_RR, &(struct sched_param){ .sched_priority = 1 });
}

/* Room for a chunk, at least, or for all that is wanted, a byte more and the NUL. */
static bool has_room(struct patient_helper *h)
{
	struct strbuf *text = &h->text;
	size_t cap = 2 * text->cap + CHUNK, most = h->max + 2;
	char *data;

	if (text->cap - text->len >= 2)
		return true;
	cap = cap < most ? cap : most;
	data = realloc(text->data, cap);
	if (!data)
		return false;
	text->data = data;
	text->cap = cap;
	return true;
}

/* 1: there may be more; else as file_read_fd, or -ENOMEM. */
static int read_chunk(struct patient_helper *h, int fd)
{
	struct strbuf *text = &h->text;
	size_t room;
	ssize_t got;

	if (!has_room(h))
		return -ENOMEM;
	room = text->cap - text->len - 1;
	got = read(fd, text->data + text->len, room < CHUNK ? room : CHUNK);
	if (got < 0)
		return errno == EINTR ? 1 : -errno;
	text->len += (size_t)got;
	if (text->len > h->max) {
		text->len = h->max;
		got = -EFBIG;
	}
	text->data[text->len] = '\0';
	return got > 0 ? 1 : (int)got;
}

static int read_text(struct patient_helper *h, int fd)
{
	int more = 1;

	while (more > 0 && !h->abandoned)
		more = read_chunk(h, fd);
	return more > 0 ? -ETIMEDOUT : more;
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
	h->result = read_text(h, fd);
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
		if (h->abandoned)
			drop_answer(h);
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
	h->abandoned = false;
	pthread_cond_signal(&h->asked);
	while (h->busy && !pthread_cond_timedwait(&h->answered, &h->lock, until))
		;
	busy = h->busy;
	h->abandoned = busy;
	pthread_mutex_unlock(&h->lock);
	return !busy;
}

static void prepare(struct patient_helper *h, const struct patient *p, const char *path,
		    bool whole, size_t max)
{
	drop_answer(h);
	free(h->path);
	h->open = p->open ? p->open : file_open;
	h->path = xstrdup(path);
	h->whole = whole;
	h->max = max;
}

/* 0, and the helper with the answer; -ETIMEDOUT, or -EINPROGRESS: its process is stuck. */
static int ask(struct patient *p, const char *path, bool whole, size_t max,
	       struct patient_helper **out)
{
	struct timespec until = latest(p, whole ? PATIENT_READ_MS : PATIENT_OPEN_MS);
	struct patient_helper *h;

	if (is_stuck(p, path))
		return -EINPROGRESS;
	h = find_helper(p);
	if (!h)
		return -ETIMEDOUT;
	prepare(h, p, path, whole, max);
	*out = h;
	if (waited_for(h, &until))
		return 0;
	*vec_push(&p->stuck) = h;
	p->idle = NULL;
	return -ETIMEDOUT;
}

int patient_open(struct patient *p, const char *path)
{
	struct patient_helper *h;
	int fd = ask(p, path, false, 0, &h);

	if (fd)
		return fd;
	fd = h->result;
	h->result = -ENOENT;
	return fd;
}

int patient_read(struct patient *p, const char *path, size_t max, struct strbuf *out)
{
	struct patient_helper *h;
	int error = ask(p, path, true, max, &h);

	if (error)
		return error;
	strbuf_release(out);
	*out = h->text;
	h->text = (struct strbuf){ 0 };
	return h->result;
}
