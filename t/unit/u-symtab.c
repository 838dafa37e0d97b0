/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/symtab.h"

#include <string.h>

#include "tap.h"

/* A symbol as its source has it. */
struct row {
	const char *name;
	uint64_t start, size, limit;
	enum symbol_binding binding;
	enum symbol_source source;
	bool label;
};

static void fill(struct symtab *tab, const struct row *rows, size_t count,
		 const struct symtab *bounds)
{
	const struct symtab_ends ends = { .bounds = bounds };

	symtab_init(tab);
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];

		symtab_add(tab,
			   &(struct symbol_entry){
				   .start = row->start,
				   .size = row->size,
				   .limit = row->limit ? row->limit : UINT64_MAX,
				   .name = symtab_keep(tab, row->name, strlen(row->name)),
				   .source = (uint8_t)row->source,
				   .binding = (uint8_t)row->binding,
				   .label = row->label,
			   });
	}
	symtab_finish(tab, bounds ? &ends : NULL);
}

static const char *name_at(const struct symtab *tab, uint64_t addr)
{
	struct symbol sym;

	return symtab_find(tab, addr, &sym) ? sym.name : NULL;
}

/* Both rows share an address; the first wins in either order. */
static void test_aliases(void)
{
	static const struct {
		const char *why;
		struct row rows[2];
	} cases[] = {
		{ "a size",
		  { { "local", 16, 8, 0, SYMBOL_LOCAL, SYMBOL_SYMTAB, false },
		    { "glob", 16, 0, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false } } },
		{ "a type",
		  { { "function", 16, 8, 0, SYMBOL_LOCAL, SYMBOL_SYMTAB, false },
		    { "label", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, true } } },
		{ "global before weak",
		  { { "__write", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		    { "write", 16, 8, 0, SYMBOL_WEAK, SYMBOL_SYMTAB, false } } },
		{ "weak before local",
		  { { "weakling", 16, 8, 0, SYMBOL_WEAK, SYMBOL_SYMTAB, false },
		    { "local", 16, 8, 0, SYMBOL_LOCAL, SYMBOL_SYMTAB, false } } },
		{ "fewer underscores",
		  { { "_exit_long", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		    { "__exit", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false } } },
		{ "the shorter name",
		  { { "zz", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		    { "aaa", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false } } },
		{ "byte order",
		  { { "Ab", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		    { "aB", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false } } },
		{ "the more trusted source",
		  { { "same", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		    { "same", 16, 8, 0, SYMBOL_GLOBAL, SYMBOL_DYNSYM, false } } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int turned = 0; turned < 2; turned++) {
			struct row rows[2] = { cases[i].rows[turned],
					       cases[i].rows[!turned] };
			struct symbol sym = { 0 };
			struct symtab tab;

			fill(&tab, rows, 2, NULL);
			symtab_find(&tab, 16, &sym);
			is_str(sym.name, cases[i].rows[0].name, "%s decides",
			       cases[i].why);
			is_u64(sym.source, cases[i].rows[0].source, "… in any order");
			symtab_release(&tab);
		}
}

/* Ascending addresses with their names; "": none. */
static void expect_names(const struct symtab *tab, const char *what,
			 const uint64_t *addrs, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *got = name_at(tab, addrs[i]);

		is_str(got ? got : "", names[i], "%s: at %llu", what,
		       (unsigned long long)addrs[i]);
	}
}

static void test_overlaps(void)
{
	static const struct row rows[] = {
		{ "outer", 100, 100, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		{ "inner", 120, 10, 0, SYMBOL_LOCAL, SYMBOL_SYMTAB, false },
		{ "innermost", 122, 2, 0, SYMBOL_LOCAL, SYMBOL_SYMTAB, false },
		{ "across", 190, 20, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		{ "last", UINT64_MAX - 3, 100, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
	};
	static const uint64_t addrs[] = { 99,  100, 119, 120, 122,
					  123, 124, 129, 130, 189,
					  190, 199, 209, 210, UINT64_MAX - 1 };
	static const char *const names[] = { "",          "outer",     "outer",  "inner",
					     "innermost", "innermost", "inner",  "inner",
					     "outer",     "outer",     "across", "across",
					     "across",    "",          "last" };
	uint64_t from, to;
	struct symbol sym;
	struct symtab tab;

	fill(&tab, rows, sizeof(rows) / sizeof(rows[0]), NULL);
	expect_names(&tab, "overlap", addrs, names, sizeof(addrs) / sizeof(addrs[0]));
	ok(symtab_find(&tab, 150, &sym), "behind the inner one the outer continues");
	is_u64(sym.start, 100, "… with its own start");
	is_u64(sym.size, 100, "… and size");
	is_u64(sym.until, 190, "… but is valid until the next begins");
	ok(symtab_find(&tab, 121, &sym), "before the innermost one");
	is_u64(sym.until, 122, "… the inner one is valid until there");
	symtab_gap(&tab, 50, &from, &to);
	is_u64(from, 0, "below all, a gap begins at 0");
	is_u64(to, 100, "… and ends at the first");
	symtab_gap(&tab, 300, &from, &to);
	is_u64(from, 210, "a gap begins where the last one ends");
	is_u64(to, UINT64_MAX - 3, "… and ends at the next");
	symtab_release(&tab);
}

static void test_unsized(void)
{
	static const struct row rows[] = {
		{ "asm1", 100, 0, 300, SYMBOL_GLOBAL, SYMBOL_SYMTAB, true },
		{ "asm2", 150, 0, 180, SYMBOL_GLOBAL, SYMBOL_SYMTAB, true },
		{ "sized", 200, 50, 0, SYMBOL_GLOBAL, SYMBOL_SYMTAB, false },
		{ "within", 220, 0, 300, SYMBOL_GLOBAL, SYMBOL_SYMTAB, true },
		{ "bounded", 260, 0, 300, SYMBOL_GLOBAL, SYMBOL_SYMTAB, true },
		{ "before", 280, 0, 300, SYMBOL_GLOBAL, SYMBOL_SYMTAB, true },
	};
	static const struct row bound[] = {
		{ "", 255, 20, 0, SYMBOL_GLOBAL, SYMBOL_FDE, false },
		{ "", 285, 10, 0, SYMBOL_GLOBAL, SYMBOL_FDE, false },
	};
	static const uint64_t addrs[] = { 100, 149, 150, 179, 180, 220, 250,
					  260, 274, 275, 280, 284, 285 };
	static const char *const names[] = { "asm1",   "asm1",   "asm2",    "asm2",    "",
					     "sized",  "",       "bounded", "bounded", "",
					     "before", "before", "" };
	struct symtab bounds, tab;

	fill(&bounds, bound, 2, NULL);
	fill(&tab, rows, sizeof(rows) / sizeof(rows[0]), &bounds);
	expect_names(&tab, "no size", addrs, names, sizeof(addrs) / sizeof(addrs[0]));
	symtab_release(&tab);
	symtab_release(&bounds);
}

static void test_empty(void)
{
	uint64_t from, to;
	struct symbol sym;
	struct symtab tab;

	fill(&tab, NULL, 0, NULL);
	ok(!symtab_find(&tab, 0, &sym), "an empty table has no symbol");
	symtab_gap(&tab, 5, &from, &to);
	ok(!from && to == UINT64_MAX, "… and is one gap");
	symtab_release(&tab);
}

/* Numbers are by name and file, then by address, whatever the order of addition. */
static void test_twins(void)
{
	static const struct {
		const char *name, *file;
		uint64_t start;
		uint32_t twin;
	} rows[] = {
		{ "f", "b.c", 400, 2 }, { "f", "a.c", 100, 1 }, { "g", "a.c", 200, 0 },
		{ "f", "b.c", 300, 1 }, { "h", "", 500, 1 },    { "h", "", 600, 2 },
	};
	struct symtab tab;
	struct symbol sym;

	symtab_init(&tab);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		symtab_add(&tab, &(struct symbol_entry){
					 .start = rows[i].start,
					 .size = 10,
					 .name = symtab_keep(&tab, rows[i].name, 1),
					 .file = symtab_keep(&tab, rows[i].file,
							     strlen(rows[i].file)),
				 });
	symtab_finish(&tab, NULL);
	symtab_number_twins(&tab);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(symtab_find(&tab, rows[i].start, &sym) && sym.twin == rows[i].twin &&
			   !strcmp(sym.file, rows[i].file),
		   "%s of %s at %d has number %u", rows[i].name, rows[i].file,
		   (int)rows[i].start, rows[i].twin);
	symtab_release(&tab);
}

int main(void)
{
	test_twins();
	test_aliases();
	test_overlaps();
	test_unsized();
	test_empty();
	return done_testing();
}
