/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/stack_holes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "process/detached.h"
#include "stack/hole_read.h"
#include "base/thread_time.h"
#include "base/xalloc.h"

enum {
	COPY_UNIT = 128,   /* a copy may end this far before a page that it cannot read */
	QUEUE_BYTES = 4096 /* of requests; more would be too old when served */
};

/* The thread's own state. */
struct mender {
	const char *root;
	size_t page;
	int requests;
};

void stack_holes_init(struct stack_holes *h, const char *root, size_t page)
{
	*h = (struct stack_holes){ .root = root, .page = page, .requests = -1 };
}

void stack_holes_release(struct stack_holes *h)
{
	if (h->requests >= 0)
		close(h->requests);
	h->requests = -1;
}

/* ---- the thread ---- */

static void rest(uint64_t ns)
{
	nanosleep(&(struct timespec){ .tv_sec = (time_t)(ns / 1000000000u),
				      .tv_nsec = (long)(ns % 1000000000u) },
		  NULL);
}

/* Ignores pages that cannot be read, because the process is gone or not ours. */
static void *serve(void *context)
{
	struct mender *m = context;
	struct hole hole;

	while (read(m->requests, &hole, sizeof(hole)) == (ssize_t)sizeof(hole)) {
		uint64_t before = thread_time_ns();

		hole_read(m->root, (pid_t)hole.pid, hole.sp, hole.page, m->page);
		rest((thread_time_ns() - before) * STACK_HOLES_REST);
	}
	close(m->requests);
	free(m);
	return NULL;
}

/* Starts with the first hole: most programs have none. */
static bool begin(struct stack_holes *h)
{
	struct mender *m;
	pthread_t thread;
	int ends[2];

	if (h->requests >= 0 || h->unable)
		return !h->unable;
	h->unable = pipe2(ends, O_CLOEXEC) < 0;
	if (h->unable)
		return false;
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	fcntl(ends[1], F_SETPIPE_SZ, QUEUE_BYTES);
	m = xmalloc(sizeof(*m));
	*m = (struct mender){ .root = h->root, .page = h->page, .requests = ends[0] };
	h->requests = ends[1];
	h->unable = !detached_start(&thread, serve, m);
	if (!h->unable)
		return true;
	stack_holes_release(h);
	close(ends[0]);
	free(m);
	return false;
}

/* ---- which pages ---- */

uint64_t stack_holes_find(const struct stack_holes *h, const struct record_sample *s,
			  uint64_t sp, bool faulting)
{
	uint64_t end = sp + s->stack_len, missing = -end & (h->page - 1);

	if (s->stack_len >= s->stack_room || (faulting && !s->stack_len))
		return 0;
	if (s->stack_len && missing > COPY_UNIT)
		return 0;
	return end & ~(uint64_t)(h->page - 1);
}

static struct hole_known *slot_of(struct stack_holes *h, const struct hole *hole)
{
	return &h->known[(hole->page / h->page ^ hole->page >> 24 ^ hole->pid) %
			 STACK_HOLES_KNOWN];
}

bool stack_holes_mend(struct stack_holes *h, const struct record_sample *s, uint32_t pid,
		      uint64_t sp, bool faulting)
{
	struct hole hole = { pid, sp, stack_holes_find(h, s, sp, faulting) };
	struct hole_known *known = slot_of(h, &hole);

	if (!hole.page)
		return false;
	if (known->pid != pid || known->page != hole.page) {
		*known = (struct hole_known){ .pid = pid, .page = hole.page };
		return false;
	}
	if (known->asked || !begin(h) ||
	    write(h->requests, &hole, sizeof(hole)) != (ssize_t)sizeof(hole))
		return false;
	known->asked = true;
	h->count++;
	return true;
}
