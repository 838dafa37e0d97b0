/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what the program says to the channel (channel/layout.h); does nothing unless
 * collect named the folder.
 *
 * The program must not notice.  No call waits for another, or takes a lock.  System calls
 * are made when the process says something for the first time (it makes and maps its file)
 * and when a thread does, and for its first 65,536 events (mmap, mremap, munmap and madvise
 * alone: a program that restricts itself at its start mostly allows what malloc needs);
 * afterwards by requests.  Where there is no room, events are dropped and counted: a begin
 * is written only if there is room for its end, and for those of all open regions, and the
 * end of a begin that was not written is not, either.
 *
 * All calls are safe in signal handlers.  One that interrupts another call of its thread
 * drops its events: the slot is being written.  A handler that forks leaves its child in the
 * midst of a call, too, which then ends in memory that nobody reads; where calls are more
 * than that, signals wait.  (_Fork and clone are not seen: there such a child has no memory.)
 *
 * What belongs to a process lies in memory that is zero in its forked child
 * (MADV_WIPEONFORK), which so makes a file of its own at its first use.
 */
#ifndef RUNTIME_WRITER_H
#define RUNTIME_WRITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "channel/layout.h"
#include "channel/ticks.h"
#include "runtime/process.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { WRITER_CACHED = 64 };

struct cached_name {
	const char *pointer;
	uint32_t domain, name;
};

/* A region that is open. */
struct writer_region {
	uint32_t name;
	bool written;  /* its begin, so its end is to come */
	bool triggers; /* its end may end the recording */
};

/* What a thread has; in memory of its own, since little thread-local storage is left. */
struct writer_thread {
	struct writer_process *process;
	char *file;                /* the process's; NULL: it has none yet */
	struct channel_slot *slot; /* NULL: none */
	const uint64_t *tail_of_slot;
	struct channel_event *events;
	unsigned generation;  /* of the process whose slot it is */
	uint32_t index;       /* of the slot */
	uint64_t head, tail;  /* the slot's; TAIL as read last */
	uint64_t ready;       /* events below have memory */
	unsigned slots_freed; /* when none was free; see take_slot */
	uint32_t depth;       /* open regions; those beyond CHANNEL_NEST have no place */
	uint32_t promised;    /* of them, ends that are to be written */
	bool inside;          /* a call is writing */
	bool ignored;         /* it wants to say nothing */
	struct writer_region open[CHANNEL_NEST];
	struct cached_name cache[WRITER_CACHED];
};

extern struct writer_process *writer_process; /* NULL: not recorded */
extern const unsigned *writer_generation;     /* … else its generation; 0: it is new */
extern bool writer_may_tick;                  /* times are ticks */
extern __thread struct writer_thread *writer_self
	__attribute__((tls_model("initial-exec")));

/* Once, when the library is loaded. */
void writer_init(void);

/* The time now, as the channel counts it. */
static inline uint64_t writer_now(void)
{
	struct timespec ts;

#ifdef CHANNEL_CLOCKSOURCE
	if (writer_may_tick)
		return channel_ticks();
#endif
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* About a microsecond of that time. */
static inline uint64_t writer_moment(void)
{
#ifdef CHANNEL_CLOCKSOURCE
	if (writer_may_tick)
		return channel_some_ticks();
#endif
	return 1000;
}

/* Makes the process's file, the thread's memory and its slot, if need be. */
struct writer_thread *writer_join(void);

/* The same for T, which a call has entered. */
struct writer_thread *writer_rejoin(struct writer_thread *t);

/* Makes a request of collect; one that finds no file to write to is lost. */
void writer_request(enum channel_request request, const char *name);

/* Counts one more of these; how many there are now, in this process. */
uint64_t writer_count(enum process_count what);

/* Counts an event that found no slot. */
void writer_lose(void);

/*
 * Begins a call that writes.  NULL: nothing may be written, which is counted.  A thread may
 * have no slot: then it has no room.
 */
static inline struct writer_thread *writer_enter(void)
{
	struct writer_thread *t;

	if (!writer_process)
		return NULL;
	t = writer_self ? writer_self : writer_join();
	if (UNLIKELY(!t || t->ignored))
		return NULL;
	if (UNLIKELY(t->inside && t->generation == *writer_generation)) {
		writer_lose();
		return NULL;
	}
	t->inside = true; /* before a fork in a handler makes the rest untrue */
	atomic_signal_fence(memory_order_seq_cst);
	if (UNLIKELY(!t->slot || t->generation != *writer_generation))
		t = writer_rejoin(t);
	return t;
}

static inline void writer_leave(struct writer_thread *t)
{
	atomic_signal_fence(memory_order_seq_cst);
	t->inside = false;
}

/* Whether the thread's events up to the number UNTIL have memory, which they get at first. */
bool writer_populate(struct writer_thread *t, uint64_t until);

/* Whether there is room for COUNT events, and for the ends that were promised. */
static inline bool writer_has_room(struct writer_thread *t, uint32_t count)
{
	/* … and for the thread's own end */
	const uint64_t wanted = (uint64_t)t->promised + count + 1;

	if (UNLIKELY(!t->slot))
		return false;
	if (t->head - t->tail + wanted > CHANNEL_EVENTS)
		t->tail = __atomic_load_n(t->tail_of_slot, __ATOMIC_ACQUIRE);
	if (UNLIKELY(t->head + wanted > t->ready) &&
	    !writer_populate(t, t->head + wanted))
		return false;
	return t->head - t->tail + wanted <= CHANNEL_EVENTS;
}

static inline void writer_put(struct writer_thread *t, uint64_t time, uint32_t kind,
			      uint32_t value)
{
	t->events[t->head % CHANNEL_EVENTS] = (struct channel_event){ time, kind, value };
	__atomic_store_n(&t->slot->head, ++t->head, __ATOMIC_RELEASE);
}

/* Counts events that found no room. */
static inline void writer_drop(struct writer_thread *t, uint32_t count)
{
	if (t->slot)
		t->slot->lost += count;
	else
		while (count--)
			writer_lose();
}

/*
 * The name of TEXT in DOMAIN, a name or CHANNEL_NO_NAME.  It is kept for as long as the
 * process lives.  CHANNEL_NO_NAME: there is no room.
 */
uint32_t writer_name(struct writer_thread *t, uint32_t domain, const char *text);

/* The same for what is seldom said twice: it leaves half of the room to names. */
uint32_t writer_text(struct writer_thread *t, const char *text);

/* Counts a region whose name is CHANNEL_NO_NAME. */
void writer_count_unnamed(void);

#endif
