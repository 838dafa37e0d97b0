/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/itt_functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FUNCTIONS_MAX = 1024, NAME_ROOM = 128 };

/* Each is written once, and published by its function. */
static struct {
	_Atomic(const void *) function;
	char name[NAME_ROOM];
} functions[FUNCTIONS_MAX];

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;

static void put_name(char *name, const void *function)
{
	Dl_info info;
	const char *file;

	if (!dladdr(function, &info) || !info.dli_fname) {
		snprintf(name, NAME_ROOM, "%p", function);
		return;
	}
	file = strrchr(info.dli_fname, '/');
	if (info.dli_sname && info.dli_saddr == function)
		snprintf(name, NAME_ROOM, "%s", info.dli_sname);
	else
		snprintf(name, NAME_ROOM, "<%s>+0x%zx", file ? file + 1 : info.dli_fname,
			 (size_t)((const char *)function - (const char *)info.dli_fbase));
}

static void lock(void)
{
	pthread_mutex_lock(&naming);
}

static void unlock(void)
{
	pthread_mutex_unlock(&naming);
}

void itt_functions_init(void)
{
	pthread_atfork(lock, unlock, unlock);
}

/* Its place among those that are known, or the next free one; FUNCTIONS_MAX: neither. */
static size_t find(const void *function)
{
	const size_t first = ((uintptr_t)function >> 4) % FUNCTIONS_MAX;

	for (size_t i = 0; i < FUNCTIONS_MAX; i++) {
		const size_t at = (first + i) % FUNCTIONS_MAX;
		const void *known = atomic_load(&functions[at].function);

		if (!known || known == function)
			return at;
	}
	return FUNCTIONS_MAX;
}

const char *itt_function_name(const void *function)
{
	size_t at = find(function);

	if (!function || at == FUNCTIONS_MAX)
		return "(function)";
	if (atomic_load(&functions[at].function) == function)
		return functions[at].name;
	lock();
	at = find(function);
	if (at < FUNCTIONS_MAX && !atomic_load(&functions[at].function)) {
		put_name(functions[at].name, function);
		atomic_store(&functions[at].function, function);
	}
	unlock();
	return at < FUNCTIONS_MAX ? functions[at].name : "(function)";
}
