/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/names.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define NO_SLOT UINT32_MAX

enum {
	CHUNKS = 16, /* of a slot's events, in which they get memory */
	CHUNK_EVENTS = CHANNEL_EVENTS / CHUNKS,
	CHUNK_BYTES = CHANNEL_SLOT_BYTES / CHUNKS,
};

struct writer_process *writer_process;
const unsigned *writer_generation;
bool writer_may_tick;
__thread struct writer_thread *writer_self __attribute__((tls_model("initial-exec")));

static pthread_key_t at_exit;

static void add(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

void writer_lose(void)
{
	const struct writer_process *p = writer_process;

	if (p && atomic_load(&p->stage) == PROCESS_READY)
		add(&p->head->lost);
}

uint64_t writer_count(enum process_count what)
{
	return writer_process ? atomic_fetch_add(&writer_process->counts[what], 1) + 1
			      : 0;
}

void writer_count_unnamed(void)
{
	const struct writer_process *p = writer_process;

	if (p && atomic_load(&p->stage) == PROCESS_READY)
		add(&p->head->unnamed);
}

/* ---- a thread ---- */

/* Before Linux 5.14 by the file, which must still be at its path. */
static bool allocate(const struct writer_process *p, uint32_t slot, unsigned chunk)
{
	const off_t at = CHANNEL_EVENTS_AT + (off_t)slot * CHANNEL_SLOT_BYTES +
			 (off_t)chunk * CHUNK_BYTES;
	int fd = open(p->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	bool done = fd >= 0 && !fallocate(fd, 0, at, CHUNK_BYTES);

	if (fd >= 0)
		close(fd);
	return done;
}

/* A write to memory that there is none for would end the program. */
bool writer_populate(struct writer_thread *t, uint64_t until)
{
	struct writer_process *p = t->process;
	const int error = errno;
	bool done = true;

	while (done && t->ready < until) {
		const unsigned chunks = atomic_load(&p->chunks[t->index]);
		char *chunk = (char *)t->events + (size_t)chunks * CHUNK_BYTES;

		done = chunks == CHUNKS ||
		       !madvise(chunk, CHUNK_BYTES, MADV_POPULATE_WRITE) ||
		       (errno == EINVAL && allocate(p, t->index, chunks));
		if (done && chunks < CHUNKS)
			atomic_store(&p->chunks[t->index], (unsigned char)(chunks + 1));
		if (done)
			t->ready = chunks >= CHUNKS - 1
					   ? UINT64_MAX
					   : (uint64_t)(chunks + 1) * CHUNK_EVENTS;
	}
	errno = error;
	return done;
}

/* Whether collect has read enough of it for another thread. */
static bool is_read(const struct writer_process *p, uint32_t slot)
{
	const uint64_t head = __atomic_load_n(&p->slots[slot].head, __ATOMIC_RELAXED),
		       tail = __atomic_load_n(&p->tails[slot], __ATOMIC_ACQUIRE);

	return head - tail < CHANNEL_EVENTS / 2;
}

/* A slot whose thread has ended; NO_SLOT: there is none. */
static uint32_t take_free(struct writer_process *p)
{
	uint32_t slots = __atomic_load_n(&p->head->slots, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < slots && i < p->slots_max; i++) {
		unsigned char is = 1;

		if (atomic_load_explicit(&p->free[i], memory_order_relaxed) &&
		    is_read(p, i) && atomic_compare_exchange_strong(&p->free[i], &is, 0))
			return i;
	}
	return NO_SLOT;
}

/* One that no thread had. */
static uint32_t take_new(struct writer_process *p)
{
	uint32_t slots = __atomic_load_n(&p->head->slots, __ATOMIC_RELAXED);

	while (slots < p->slots_max)
		if (__atomic_compare_exchange_n(&p->head->slots, &slots, slots + 1, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return slots;
	return NO_SLOT;
}

static void give_back(struct writer_process *p, uint32_t slot)
{
	atomic_store(&p->free[slot], 1);
	atomic_fetch_add(&p->freed, 1);
}

/* At its first event; and when another thread has left its slot, if there was none. */
static void take_slot(struct writer_process *p, struct writer_thread *t)
{
	const unsigned freed = atomic_load(&p->freed);
	uint32_t slot;

	if (t->slots_freed == freed + 1)
		return;
	slot = take_free(p);
	if (slot == NO_SLOT)
		slot = take_new(p);
	if (slot == NO_SLOT) {
		t->slots_freed = freed + 1;
		return;
	}
	t->index = slot;
	t->tail_of_slot = &p->tails[slot];
	t->events = process_events(p, slot);
	t->head = p->slots[slot].head;
	t->tail = __atomic_load_n(t->tail_of_slot, __ATOMIC_ACQUIRE);
	t->ready = 0;
	if (!t->events || !writer_populate(t, t->head + 2)) {
		/* without saying so: it would fail again */
		atomic_store(&p->free[slot], 1);
		t->slots_freed = freed + 1;
		return;
	}
	t->slot = &p->slots[slot];
	writer_put(t, writer_now(), CHANNEL_THREAD, (uint32_t)syscall(SYS_gettid));
}

/* The thread ends; a destructor that runs later makes it anew. */
static void leave(void *value)
{
	struct writer_thread *t = value;
	struct writer_process *p = t->process;

	t->inside =
		true; /* what a signal's handler says from now on, this thread does not */
	atomic_signal_fence(memory_order_seq_cst);
	if (t->slot && t->generation == p->generation) {
		t->promised = 0;
		if (writer_has_room(t, 0))
			writer_put(t, writer_now(), CHANNEL_LEAVE, 0);
		give_back(p, t->index);
	}
	writer_self = NULL;
	munmap(t, sizeof(*t));
}

static struct writer_thread *make_thread(void)
{
	struct writer_thread *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		return NULL;
	if (pthread_setspecific(at_exit, t)) {
		munmap(t, sizeof(*t));
		return NULL;
	}
	return t;
}

/* Its handlers come when what is made is whole. */
static void hold_signals(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
}

static void let_signals(const sigset_t *old)
{
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

/* The thread of the process as it is now, with a slot if there is one. */
static struct writer_thread *make_whole(struct writer_process *p)
{
	struct writer_thread *t = writer_self ? writer_self : make_thread();
	bool was_inside;

	writer_self = t;
	if (!t)
		return NULL;
	was_inside = t->inside;
	t->inside = true;
	atomic_signal_fence(memory_order_seq_cst);
	if (t->generation !=
	    p->generation) /* it is new, or was forked: nothing is open */
		*t = (struct writer_thread){ .ignored = t->ignored,
					     .inside = true,
					     .process = p,
					     .file = p->file,
					     .generation = p->generation };
	if (!t->slot)
		take_slot(p, t);
	atomic_signal_fence(memory_order_seq_cst);
	t->inside = was_inside;
	return t;
}

/* Whether there is no slot for the thread now. */
static bool is_without_slot(const struct writer_process *p, const struct writer_thread *t)
{
	return t && t->generation == p->generation &&
	       t->slots_freed == atomic_load(&p->freed) + 1;
}

struct writer_thread *writer_join(void)
{
	const int error = errno;
	struct writer_thread *t;
	sigset_t signals;

	if (atomic_load(&writer_process->stage) == PROCESS_OFF)
		return NULL;
	if (is_without_slot(writer_process, writer_self))
		return writer_self;
	hold_signals(&signals);
	t = writer_process && process_start(writer_process) ? make_whole(writer_process)
							    : NULL;
	let_signals(&signals);
	errno = error;
	return t;
}

struct writer_thread *writer_rejoin(struct writer_thread *t)
{
	struct writer_thread *now = writer_process ? writer_join() : NULL;

	if (!now)
		t->inside = false;
	else
		now->inside = true;
	return now;
}

/*
 * In a child of fork(2).  If a handler that interrupted a call forked, that call goes on with
 * the thread that it knows; the child itself begins anew.
 */
static void after_fork(void)
{
	struct writer_thread *t = writer_self;

	if (!writer_process || !t)
		return;
	if (!t->inside || !t->file) {
		t->file = NULL;
		t->slot = NULL;
		return;
	}
	process_stand_in(t->process, t->file, (char *)t->events);
	writer_self = NULL;
	pthread_setspecific(at_exit, NULL);
	writer_process = process_make();
	if (writer_process)
		writer_generation = &writer_process->generation;
}

/* ---- names ---- */

/* A pointer may have another text by now, so it is compared. */
uint32_t writer_name(struct writer_thread *t, uint32_t domain, const char *text)
{
	const uintptr_t key = (uintptr_t)text + domain;
	struct cached_name *cached = &t->cache[(key ^ key >> 6) % WRITER_CACHED];
	struct writer_process *p = t->process;

	if (cached->pointer == text && cached->domain == domain &&
	    names_is(p, cached->name, domain, text))
		return cached->name;
	*cached = (struct cached_name){ NULL, domain,
					names_find(p, domain, text, CHANNEL_NAMES) };
	if (cached->name != CHANNEL_NO_NAME)
		cached->pointer = text;
	return cached->name;
}

uint32_t writer_text(struct writer_thread *t, const char *text)
{
	return names_find(t->process, CHANNEL_NO_NAME, text, CHANNEL_NAMES / 2);
}

/* ---- requests ---- */

static void ask(struct writer_process *p, const struct channel_control *asked,
		const char *name)
{
	const uint64_t number = __atomic_add_fetch(&p->head->controls, 1,
						   __ATOMIC_RELAXED);
	struct channel_control *control = &p->head->control[number % CHANNEL_CONTROLS];

	__atomic_store_n(&control->number, 0, __ATOMIC_RELEASE);
	control->time = asked->time;
	control->request = asked->request;
	control->name = name ? names_find(p, CHANNEL_NO_NAME, name, CHANNEL_NAMES)
			     : CHANNEL_NO_NAME;
	__atomic_store_n(&control->number, number, __ATOMIC_RELEASE);
	process_wake(CHANNEL_ASKS);
}

void writer_request(enum channel_request request, const char *name)
{
	const struct channel_control asked = { .time = writer_now(), .request = request };
	const int error = errno;
	sigset_t signals;

	if (!writer_process)
		return;
	hold_signals(&signals);
	if (process_start(writer_process))
		ask(writer_process, &asked, name);
	let_signals(&signals);
	errno = error;
}

/* ---- the start ---- */

void writer_init(void)
{
	struct writer_process *p;
	sigset_t signals;

#ifdef CHANNEL_CLOCKSOURCE
	writer_may_tick = secure_getenv(CHANNEL_MAY_TICK) != NULL;
#endif
	if (!process_init(writer_may_tick) || pthread_key_create(&at_exit, leave) ||
	    pthread_atfork(NULL, NULL, after_fork))
		return;
	p = process_make();
	if (!p)
		return;
	hold_signals(&signals);
	process_start(p);
	writer_generation = &p->generation;
	writer_process = p;
	let_signals(&signals);
}
