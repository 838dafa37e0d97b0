/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/names.h"

#include <string.h>

/* Of a table that is half full at most, as the shortest names have two units. */
enum { PROBES = 64 };

static uint32_t hash_of(uint32_t domain, const char *name, uint32_t *len)
{
	uint32_t hash = 2166136261u ^ domain * 2654435761u, n = 0;

	for (; n < CHANNEL_NAME_MAX && name[n]; n++)
		hash = (hash ^ (unsigned char)name[n]) * 16777619u;
	*len = n;
	return hash ^ hash >> 15;
}

/*
 * Writes a name that nobody knows yet, if it ends below LIMIT; CHANNEL_NO_NAME: there is no
 * room.
 */
static uint32_t write_name(struct writer_process *p, uint32_t domain, const char *text,
			   uint32_t len, uint64_t limit)
{
	const uint64_t units = (sizeof(struct channel_name) + len + 1 + 7) / 8;
	uint64_t at = __atomic_load_n(&p->head->names, __ATOMIC_RELAXED);
	struct channel_name *name;

	do
		if (at + units > limit)
			return CHANNEL_NO_NAME;
	while (!__atomic_compare_exchange_n(&p->head->names, &at, at + units, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	name = (struct channel_name *)(void *)(p->names + at * 8);
	name->len = len;
	name->domain = domain;
	memcpy(name->text, text, len);
	name->text[len] = '\0';
	return (uint32_t)at;
}

uint32_t names_find(struct writer_process *p, uint32_t domain, const char *text,
		    uint64_t limit)
{
	uint32_t len, hash = hash_of(domain, text, &len), written = CHANNEL_NO_NAME;

	for (uint32_t i = 0; i < PROBES; i++) {
		atomic_uint *entry = &p->hashed[(hash + i) % CHANNEL_NAMES];
		unsigned name = atomic_load_explicit(entry, memory_order_acquire);

		if (!name) {
			if (!written)
				written = write_name(p, domain, text, len, limit);
			if (!written ||
			    atomic_compare_exchange_strong(entry, &name, written))
				return written;
		}
		if (names_is(p, name, domain, text))
			return name;
	}
	return CHANNEL_NO_NAME;
}
