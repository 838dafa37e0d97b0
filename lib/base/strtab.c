/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strtab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { FIRST_CHUNK = 1 << 10, LAST_CHUNK = 1 << 20 };

void strtab_init(struct strtab *tab)
{
	*tab = (struct strtab){ .key = hash_key() };
	strtab_intern(tab, "");
}

void strtab_release(struct strtab *tab)
{
	vec_for_each(char *, chunk, &tab->chunks)
		free(*chunk);
	vec_release(&tab->chunks);
	vec_release(&tab->texts);
	tab->left = 0;
	idmap_release(&tab->ids);
}

/*
 * Its id, or STRTAB_NONE; *NUMBER is its number, or the next, among those with its hash.
 */
static uint32_t find(const struct strtab *tab, const char *text, size_t len,
		     uint64_t hashed, uint32_t *number)
{
	for (*number = 0;; ++*number) {
		uint32_t id = idmap_get(&tab->ids, hashed, *number);
		const char *have;

		if (id == IDMAP_NONE)
			return STRTAB_NONE;
		have = strtab_get(tab, id);
		if (!strncmp(have, text, len) && !have[len])
			return id;
	}
}

/* Each chunk is twice as large as the one before, so a small table stays small. */
static char *add_room(struct strtab *tab, size_t len)
{
	size_t room = FIRST_CHUNK;

	for (size_t i = 0; i < tab->chunks.len && room < LAST_CHUNK; i++)
		room *= 2;
	tab->left = room > len ? room : len;
	return *vec_push(&tab->chunks) = tab->end = xmalloc(tab->left);
}

static const char *keep(struct strtab *tab, const char *text, size_t len)
{
	char *copy = len < tab->left ? tab->end : add_room(tab, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	tab->end += len + 1;
	tab->left -= len + 1;
	return copy;
}

uint32_t strtab_intern_len(struct strtab *tab, const char *text, size_t len)
{
	uint64_t hashed = hash_bytes(tab->key, text, len);
	uint32_t number, id = find(tab, text, len, hashed, &number);

	if (id != STRTAB_NONE)
		return id;
	id = strtab_count(tab);
	*vec_push(&tab->texts) = keep(tab, text, len);
	idmap_set(&tab->ids, hashed, number, id);
	return id;
}

uint32_t strtab_intern(struct strtab *tab, const char *text)
{
	return strtab_intern_len(tab, text, strlen(text));
}

uint32_t strtab_find(const struct strtab *tab, const char *text)
{
	size_t len = strlen(text);
	uint32_t number;

	return find(tab, text, len, hash_bytes(tab->key, text, len), &number);
}

const char *strtab_get(const struct strtab *tab, uint32_t id)
{
	assert(id < tab->texts.len);
	return tab->texts.data[id];
}
