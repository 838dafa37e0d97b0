/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/symtab.h"

#include "base/idmap.h"

enum { MANY = 2 };

/* FNV-1a of a text (0: none), continued from SEED. */
static uint64_t hash_text(const struct symtab *tab, uint32_t text, uint64_t seed)
{
	const char *at = text ? tab->names.data + text : "";

	for (; *at; at++)
		seed = (seed ^ (unsigned char)*at) * 0x100000001b3u;
	return (seed ^ 0xff) * 0x100000001b3u;
}

static uint64_t hash_name(const struct symtab *tab, const struct symbol_entry *entry)
{
	return hash_text(tab, entry->object,
			 hash_text(tab, entry->name, 0xcbf29ce484222325u));
}

/* Equal hashes count as equal names: a collision only adds an unneeded number. */
void symtab_number_twins(struct symtab *tab)
{
	struct idmap seen = { 0 }, numbers = { 0 };

	vec_for_each(const struct symbol_entry, entry, &tab->entries) {
		uint64_t name = hash_name(tab, entry);

		if (entry->name)
			idmap_set(&seen, name, 0,
				  idmap_get(&seen, name, 0) == IDMAP_NONE ? 1 : MANY);
	}
	vec_for_each(struct symbol_entry, entry, &tab->entries) {
		uint64_t name = hash_name(tab, entry);
		uint64_t key = hash_text(tab, entry->file, name);

		entry->twin = 0;
		if (!entry->name || idmap_get(&seen, name, 0) < MANY)
			continue;
		entry->twin = idmap_get(&numbers, key, 0);
		entry->twin = entry->twin == IDMAP_NONE ? 1 : entry->twin + 1;
		idmap_set(&numbers, key, 0, entry->twin);
	}
	idmap_release(&seen);
	idmap_release(&numbers);
}
