/* SPDX-License-Identifier: Apache-2.0 */
#include "process/sleeper_reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_time.h"
#include "base/xalloc.h"
#include "process/helper.h"

struct sleeper_batch {
	struct helper thread;
	char *root;
	sleeper_wants_file *wants_file;
	uint64_t spent_ns;
	atomic_size_t begun;   /* reads; the last one may not have ended */
	atomic_bool abandoned; /* nobody wants the rest */
	size_t count, used;
	struct sleeper sleepers[SLEEPERS_MAX];
	unsigned char bytes[SLEEPERS_BYTES];
};

static void read_all(struct helper *thread)
{
	struct sleeper_batch *b = (struct sleeper_batch *)thread;
	const uint64_t from = thread_time_ns();

	for (size_t i = 0; i < b->count && !b->abandoned; i++) {
		atomic_store(&b->begun, i + 1);
		sleeper_read(&b->sleepers[i], b->root, b->wants_file);
	}
	b->spent_ns = thread_time_ns() - from;
}

static void destroy(struct helper *thread)
{
	struct sleeper_batch *b = (struct sleeper_batch *)thread;

	free(b->root);
	free(b);
}

void sleeper_reader_init(struct sleeper_reader *r, const char *root,
			 sleeper_wants_file *wants_file)
{
	*r = (struct sleeper_reader){ .root = root, .wants_file = wants_file };
}

void sleeper_reader_release(struct sleeper_reader *r)
{
	if (r->batch)
		helper_end(&r->batch->thread);
	r->batch = NULL;
	while (r->left_len)
		helper_end(&r->left[--r->left_len]->thread);
	idmap_release(&r->avoided);
}

static void start(struct sleeper_reader *r)
{
	static const struct helper_kind kind = { read_all, NULL, destroy,
						 .hurries = true };
	struct sleeper_batch *b;

	if (sleeper_reader_is_exhausted(r))
		return;
	b = xcalloc(1, sizeof(*b));
	b->root = xstrdup(r->root);
	b->wants_file = r->wants_file;
	if (helper_start(&b->thread, &kind)) {
		r->batch = b;
		r->failures = 0;
	} else {
		r->failures++;
	}
}

bool sleeper_reader_is_exhausted(const struct sleeper_reader *r)
{
	return !r->batch &&
	       (r->left_len == SLEEPER_READERS || r->failures >= SLEEPER_READERS);
}

/* Those that were left behind and are back by now end. */
static void end_returned(struct sleeper_reader *r)
{
	for (size_t i = 0; i < r->left_len;) {
		if (helper_is_busy(&r->left[i]->thread)) {
			i++;
			continue;
		}
		helper_end(&r->left[i]->thread);
		r->left[i] = r->left[--r->left_len];
	}
}

/*
 * The owner may have been stopped itself, and its thread with it: only time between rounds
 * that come often counts.  A batch that was not begun waits for a CPU.
 */
static bool is_stuck(struct sleeper_reader *r, uint64_t now)
{
	const size_t begun = atomic_load(&r->batch->begun);
	const uint64_t passed = now > r->looked_ns ? now - r->looked_ns : 0;

	r->hung_ns += passed < SLEEPER_ROUND_NS ? passed : SLEEPER_ROUND_NS;
	r->looked_ns = now;
	if (!begun || begun != r->begun)
		r->hung_ns = 0;
	r->begun = begun;
	return r->hung_ns >= SLEEPER_STUCK_NS;
}

/* The owner wrote all that is read of B here. */
static size_t leave_behind(struct sleeper_reader *r, struct sleeper_again *again)
{
	struct sleeper_batch *b = r->batch;
	const uint32_t pid = b->sleepers[r->begun - 1].pid;
	size_t count = 0;

	atomic_store(&b->abandoned, true);
	idmap_set(&r->avoided, pid, 0, 1);
	r->stuck++;
	for (size_t i = 0; i < b->count; i++)
		if (b->sleepers[i].pid != pid)
			again[count++] = (struct sleeper_again){ b->sleepers[i].tid,
								 b->sleepers[i].room };
	r->left[r->left_len++] = b;
	r->batch = NULL;
	r->sent = false;
	return count;
}

size_t sleeper_reader_check(struct sleeper_reader *r, uint64_t now,
			    struct sleeper_again again[SLEEPERS_MAX])
{
	end_returned(r);
	if (!r->sent || !helper_is_busy(&r->batch->thread) || !is_stuck(r, now))
		return 0;
	return leave_behind(r, again);
}

bool sleeper_reader_get(struct sleeper_reader *r)
{
	if (!r->batch)
		start(r);
	return r->batch && !r->sent;
}

bool sleeper_reader_avoids(const struct sleeper_reader *r, uint32_t pid)
{
	return idmap_get(&r->avoided, pid, 0) != IDMAP_NONE;
}

bool sleeper_reader_add(struct sleeper_reader *r, uint32_t pid, uint32_t tid, size_t room)
{
	struct sleeper_batch *b = r->batch;

	if (b->count == SLEEPERS_MAX || SLEEPERS_BYTES - b->used < room)
		return false;
	b->sleepers[b->count++] = (struct sleeper){
		.pid = pid,
		.tid = tid,
		.stack = b->bytes + b->used,
		.room = room,
	};
	b->used += room;
	return true;
}

void sleeper_reader_send(struct sleeper_reader *r, uint64_t now)
{
	if (!r->batch->count)
		return;
	r->sent = true;
	r->looked_ns = now;
	r->hung_ns = 0;
	r->begun = 0;
	atomic_store(&r->batch->begun, 0);
	helper_begin(&r->batch->thread);
}

struct sleeper *sleeper_reader_answers(struct sleeper_reader *r, size_t *count,
				       uint64_t *spent_ns)
{
	*count = 0;
	*spent_ns = 0;
	if (!r->sent || helper_is_busy(&r->batch->thread))
		return NULL;
	*count = r->batch->count;
	*spent_ns = r->batch->spent_ns;
	return r->batch->sleepers;
}

void sleeper_reader_done(struct sleeper_reader *r)
{
	r->sent = false;
	r->batch->count = r->batch->used = 0;
}
