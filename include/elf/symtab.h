/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of named address ranges from any source: ELF, kallsyms, a perf map.
 *
 * Add every symbol, in any order, then call symtab_finish once; from then on symtab_find
 * is a binary search.  Finishing resolves the sources' ambiguities, always in the same
 * way, so that a profile is the same on every run:
 *
 *  - If several symbols start at one address, one is kept: one with a size before one
 *    without, a typed one before a bare label, global before weak before local, then
 *    fewer leading underscores, then the shorter name, then the smaller in byte order,
 *    then the lower source, then the larger size.
 *  - A symbol without a size (kallsyms, hand-written assembly) is dropped inside one that
 *    has a size; else it reaches to the next symbol, to its limit, to the end of the
 *    function of the bounds that it lies in, or to the next one of them, whichever comes
 *    first.  If it lies in none of the bounds, and the source does not list every function
 *    (.dynsym of a stripped file), it reaches no further than its code does.
 *  - If symbols overlap, the one that starts last wins up to its end; then the outer one
 *    continues.
 *
 * The caller chooses the kind of addresses: virtual addresses of an ELF file for objsyms,
 * absolute ones for the kernel and perf maps.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

/* Where a name came from; the order is the order of trust. */
enum symbol_source {
	SYMBOL_NONE,       /* nothing known: the name is NULL */
	SYMBOL_SYMTAB,     /* .symtab of the file that ran */
	SYMBOL_DEBUG_FILE, /* .symtab of its debug file */
	SYMBOL_MINI,       /* .symtab in .gnu_debugdata */
	SYMBOL_GO,         /* .gopclntab of a stripped Go program */
	SYMBOL_DYNSYM,     /* .dynsym */
	SYMBOL_PLT,        /* a stub of the linker: "read@plt" */
	SYMBOL_FDE,        /* a function known from its unwind entry: the name is NULL */
	SYMBOL_KALLSYMS,
	SYMBOL_PERF_MAP,
	SYMBOL_CARRIED, /* from the imported recording */
	SYMBOL_SOURCES
};

/* An answer.  Its texts live as long as the table that gave it. */
struct symbol {
	uint64_t start, size; /* of the whole symbol, not of the sampled part */
	uint64_t until;       /* below it, and not below what was asked, the answer holds:
				 another symbol may begin inside of this one */
	uint64_t vaddr;       /* start as objdump and addr2line show it */
	const char *name;     /* raw (mangled), or NULL */
	const char *object;   /* kallsyms: "[ext4]" for a module's symbol; else NULL */
	const char *file;     /* the source file in .symtab: "util.c"; or NULL */
	uint32_t twin;        /* see symtab_number_twins */
	enum symbol_source source;
};

/* For symtab_add: lower is better. */
enum symbol_binding { SYMBOL_GLOBAL, SYMBOL_WEAK, SYMBOL_LOCAL };

/* One entry as in its source. */
struct symbol_entry {
	uint64_t start, size; /* size 0: unknown */
	uint64_t limit;       /* an end that a symbol without size cannot pass */
	uint32_t name;        /* offset in names; 0: no name */
	uint32_t object;      /* offset in names; 0: none */
	uint32_t file;        /* of the source, offset in names; 0: unknown */
	uint32_t twin;        /* filled by symtab_number_twins */
	uint8_t source, binding;
	bool label; /* STT_NOTYPE: may be no function */
};

/* The end of an entry with a size, at most the last address. */
static inline uint64_t symbol_entry_end(const struct symbol_entry *entry)
{
	uint64_t end;

	return __builtin_add_overflow(entry->start, entry->size, &end) ? UINT64_MAX : end;
}

struct symtab_piece { /* [start, end) belongs to the entry */
	uint64_t start, end;
	uint32_t entry;
};

struct symtab {
	VEC(struct symbol_entry) entries;
	VEC(struct symtab_piece) pieces; /* sorted and disjoint; filled by finish */
	struct strbuf names;             /* NUL-terminated texts; names[0] is a NUL */
};

void symtab_init(struct symtab *tab);
void symtab_release(struct symtab *tab);

/* Offsets of names have 32 bits. */
#define SYMTAB_NAMES_MAX ((size_t)UINT32_MAX)

/* Stores LEN bytes and a NUL; returns the offset in names, 0 if there is no room. */
uint32_t symtab_keep(struct symtab *tab, const char *text, size_t len);

void symtab_add(struct symtab *tab, const struct symbol_entry *entry);

/* How to find the end of a symbol without a size. */
struct symtab_ends {
	const struct symtab *bounds; /* a finished table of function bounds */
	/*
	 * The end of the code at START, at most LIMIT; START if unknown.  NULL: the
	 * symbols are complete, so each extends to the next.
	 */
	uint64_t (*reach)(const void *ctx, uint64_t start, uint64_t limit);
	const void *ctx;
};

/* ENDS may be NULL. */
void symtab_finish(struct symtab *tab, const struct symtab_ends *ends);

/*
 * Numbers functions of one name (static ones of several files, say) to tell them apart:
 * from 1 within one object and file, by address.  So changes to other code keep a
 * function's number.  A unique name has 0.  Call after symtab_finish.
 */
void symtab_number_twins(struct symtab *tab);

/* False if nothing covers ADDR; OUT is then untouched. */
bool symtab_find(const struct symtab *tab, uint64_t addr, struct symbol *out);

/* The end of the last piece at or below ADDR, and the start of the next above it. */
void symtab_gap(const struct symtab *tab, uint64_t addr, uint64_t *from, uint64_t *to);

#endif
