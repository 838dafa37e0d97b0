/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/itt_sync.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/calls.h"
#include "runtime/itt_handles.h"

enum { OBJECTS = 4096, PROBES = 16, NAME_ROOM = 96, NESTED = 8 };

/*
 * Names by object.  An object that goes, or gets another name, leaves its place to others; a
 * thread that reads a name meanwhile may get one that was cut, never more than is there.
 */
static struct {
	_Atomic(const void *) object;
	char name[NAME_ROOM];
} names[OBJECTS];

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static bool wanted;

static void lock(void)
{
	pthread_mutex_lock(&naming);
}

static void unlock(void)
{
	pthread_mutex_unlock(&naming);
}

void itt_sync_init(void)
{
	wanted = itt_domain_is_chosen("sync");
	pthread_atfork(lock, unlock, unlock);
}

/* What this thread waits for, innermost last. */
static __thread struct wait {
	const void *object;
	uint64_t since, written; /* events of the thread by then */
} waits[NESTED];
static __thread unsigned depth;

static size_t place_of(const void *object, size_t probe)
{
	return ((uintptr_t)object / 16 * 2654435761u + probe) % OBJECTS;
}

static const char *name_of(const void *object)
{
	for (size_t i = 0; i < PROBES; i++) {
		const size_t at = place_of(object, i);

		if (atomic_load_explicit(&names[at].object, memory_order_acquire) ==
		    object)
			return names[at].name;
	}
	return "(no name)";
}

/* Its place, or one that is free; else any. */
static size_t place_for(const void *object)
{
	size_t free = place_of(object, 0);

	for (size_t i = PROBES; i--;) {
		const size_t at = place_of(object, i);
		const void *there = atomic_load(&names[at].object);

		if (there == object)
			return at;
		if (!there)
			free = at;
	}
	return free;
}

void itt_sync_create(const void *object, const char *type, const char *name,
		     int attribute)
{
	size_t at;

	(void)attribute;
	if (!object)
		return;
	lock();
	at = place_for(object);
	atomic_store(&names[at].object, NULL);
	snprintf(names[at].name, NAME_ROOM, "%s%s%s", name ? name : "",
		 name && *name && type && *type ? " " : "", type ? type : "");
	atomic_store_explicit(&names[at].object, object, memory_order_release);
	unlock();
}

void itt_sync_rename(const void *object, const char *name)
{
	itt_sync_create(object, NULL, name, 0);
}

void itt_sync_destroy(const void *object)
{
	for (size_t i = 0; i < PROBES; i++) {
		const void *gone = object;

		atomic_compare_exchange_strong(&names[place_of(object, i)].object, &gone,
					       NULL);
	}
}

void itt_sync_prepare(const void *object)
{
	if (depth < NESTED && wanted)
		waits[depth++] = (struct wait){ object, regions_now(),
						regions_written() };
}

/* Without a prepare nobody waited.  What began later ends too. */
static void end(const void *object)
{
	unsigned at = depth;

	while (at && waits[at - 1].object != object)
		at--;
	if (!at)
		return;
	depth = at - 1;
	if (waits[depth].written == regions_written())
		regions_say_late("sync", name_of(object), waits[depth].since);
}

void itt_sync_cancel(const void *object)
{
	end(object);
}

void itt_sync_acquired(const void *object)
{
	end(object);
}
