/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strtab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { FIRST_SLOTS = 256, FIRST_CHUNK = 1 << 10, LAST_CHUNK = 1 << 20 };

void strtab_init(struct strtab *tab)
{
	*tab = (struct strtab){ 0 };
	tab->slots = xcalloc(FIRST_SLOTS, sizeof(*tab->slots));
	tab->mask = FIRST_SLOTS - 1;
	strtab_intern(tab, "");
}

void strtab_release(struct strtab *tab)
{
	vec_for_each(char *, chunk, &tab->chunks)
		free(*chunk);
	vec_release(&tab->chunks);
	vec_release(&tab->texts);
	tab->left = 0;
	free(tab->slots);
	tab->slots = NULL;
}

/* FNV-1a, with its high half folded in. */
static size_t hash(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return (size_t)(h ^ (h >> 32));
}

static uint32_t *slot_of(const struct strtab *tab, const char *text, size_t len)
{
	for (size_t i = hash(text, len) & tab->mask;; i = (i + 1) & tab->mask) {
		uint32_t *slot = &tab->slots[i];
		const char *have;

		if (!*slot)
			return slot;
		have = strtab_get(tab, *slot - 1);
		if (!strncmp(have, text, len) && !have[len])
			return slot;
	}
}

static void grow(struct strtab *tab)
{
	size_t count = (tab->mask + 1) * 2;

	free(tab->slots);
	tab->slots = xcalloc(count, sizeof(*tab->slots));
	tab->mask = count - 1;
	for (uint32_t id = 0; id < strtab_count(tab); id++) {
		const char *text = strtab_get(tab, id);

		*slot_of(tab, text, strlen(text)) = id + 1;
	}
}

/* Each chunk has twice the room of the one before, so that a small table stays small. */
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
	uint32_t *slot = slot_of(tab, text, len);

	if (*slot)
		return *slot - 1;
	*vec_push(&tab->texts) = keep(tab, text, len);
	*slot = strtab_count(tab);
	if (tab->texts.len * 2 > tab->mask)
		grow(tab);
	return strtab_count(tab) - 1;
}

uint32_t strtab_intern(struct strtab *tab, const char *text)
{
	return strtab_intern_len(tab, text, strlen(text));
}

uint32_t strtab_find(const struct strtab *tab, const char *text)
{
	return *slot_of(tab, text, strlen(text)) - 1; /* NONE for a free slot, 0 */
}

const char *strtab_get(const struct strtab *tab, uint32_t id)
{
	assert(id < tab->texts.len);
	return tab->texts.data[id];
}
