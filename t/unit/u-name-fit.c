/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortened names: true ones from libstdc++, LLVM, node, rustc and programs in Rust and Go,
 * each with its own name as another program found it (t/unit/names.txt; with an argument,
 * that file).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strtab.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "render/name_fit.h"
#include "render/name_set.h"
#include "tap.h"

#define MARK "\xe2\x80\xa6"

struct entry {
	char *own, *name;
};

struct entries {
	VEC(struct entry) all;
};

static const size_t rooms[] = { 12, 20, 30, 40, 46, 60, 80, 100, 140 };

enum { ROOMS = sizeof(rooms) / sizeof(rooms[0]) };

static void read_entries(const char *path, struct entries *out)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		char *tab = strchr(line, '\t');

		line[strcspn(line, "\n")] = '\0';
		if (!tab)
			continue;
		*tab = '\0';
		*vec_push(&out->all) = (struct entry){ xstrdup(line), xstrdup(tab + 1) };
	}
	free(line);
	if (file)
		fclose(file);
}

/* Whether the parts between marks are parts of NAME, in this order. */
static bool is_cut_of(const char *shown, const char *name)
{
	while (*shown) {
		size_t mark = !strncmp(shown, MARK, strlen(MARK)) ? strlen(MARK) : 0;

		shown += mark;
		if (mark || !*shown)
			continue;
		while (*name && *name != *shown)
			name++;
		if (!*name++)
			return false;
		shown++;
	}
	return true;
}

/* Reports the first few that fail. */
static bool check(const struct entry *e, size_t room)
{
	struct strbuf shown = { 0 };
	size_t width;
	bool good;

	name_fit(&shown, e->name, room, MARK, NULL);
	width = utf8_length(strbuf_str(&shown));
	good = width <= room && is_cut_of(strbuf_str(&shown), e->name) &&
	       (utf8_length(e->own) > room || strstr(strbuf_str(&shown), e->own)) &&
	       (utf8_length(e->name) > room || !strcmp(strbuf_str(&shown), e->name));
	if (!good)
		printf("# in %zu: %s (%s) is %s\n", room, e->name, e->own,
		       strbuf_str(&shown));
	strbuf_release(&shown);
	return good;
}

static void test_own_names(const struct entries *entries)
{
	size_t bad = 0;

	vec_for_each(const struct entry, e, &entries->all)
		for (size_t r = 0; r < ROOMS; r++)
			bad += !check(e, rooms[r]);
	is_u64(bad, 0, "own names of %zu names survive in %d widths", entries->all.len,
	       ROOMS);
}

/* Within one table no two names are displayed alike. */
static void test_distinct(const struct entries *entries, size_t room, const char *mark)
{
	struct strtab names, texts;
	struct strbuf text = { 0 };
	struct name_set set;
	size_t wide = 0;

	strtab_init(&names);
	strtab_init(&texts);
	name_set_init(&set, mark);
	vec_for_each(const struct entry, e, &entries->all) {
		strtab_intern(&names, e->name);
		name_set_add(&set, e->name, room);
	}
	name_set_distinguish(&set);
	vec_for_each(const struct entry, e, &entries->all) {
		strbuf_clear(&text);
		name_set_put(&set, e->name, room, &text);
		strtab_intern(&texts, strbuf_str(&text));
		wide += utf8_length(strbuf_str(&text)) > room;
	}
	printf("# in %zu: %zu of %zu are wider\n", room, wide, entries->all.len);
	is_u64(strtab_count(&texts), strtab_count(&names),
	       "as many texts as names in %zu columns, marked %s", room, mark);
	strbuf_release(&text);
	name_set_release(&set);
	strtab_release(&names);
	strtab_release(&texts);
}

static const struct {
	const char *name;
	size_t room;
	const char *want;
} examples[] = {
	{ "main", 4, "main" },
	{ "void std::vector<int, std::allocator<int> >::_M_realloc_insert<int "
	  "const&>(int*, int const&)",
	  60, "std::vector<" MARK ">::_M_realloc_insert<int const&>(" MARK ")" },
	{ "std::__unguarded_partition<int*, __gnu_cxx::__ops::_Iter_less_iter>(int*)", 46,
	  "std::__unguarded_partition<" MARK ">(" MARK ")" },
	{ "bool ns::operator< <int>(ns::S<int> const&, ns::S<int> const&)", 30,
	  "ns::operator< <int>(" MARK ")" },
	{ "std::ostream& ns::operator<< <char>(std::ostream&, char)", 23,
	  "ns::operator<< <" MARK ">(" MARK ")" },
	{ "main::{lambda(std::string const&, int)#1}::operator()(std::string const&, "
	  "int) const",
	  46, "main::{lambda(" MARK ")#1}::operator()(" MARK ") const" },
	{ "a::very::long::path::of::namespaces::to::function(int, long)", 14,
	  MARK "::function(" MARK ")" },
	{ "<alloc::vec::Vec<(u8, u8)> as core::iter::Iterator>::next", 50,
	  "<alloc::vec::Vec<" MARK "> as core::iter::Iterator>::next" },
	{ "<alloc::vec::Vec<T> as core::iter::Iterator>::next", 20, "<" MARK ">::next" },
	{ "<alloc::vec::Vec<(u8, u8)> as core::iter::Iterator>::next", 44,
	  "<Vec<" MARK "> as Iterator>::next" },
	{ "core::iter::collect::<alloc::vec::Vec<u8>>", 24,
	  "core::iter::collect::<" MARK ">" },
	{ "JS:*fib /srv/shop/server/w.js:1:13", 24, "JS:*fib " MARK "/w.js:1:13" },
	{ "github.com/someone/project/tree.(*Node).Insert", 20, MARK ".(*Node).Insert" },
	{ "an_identifier_that_is_too_long", 11, "an_id" MARK "_long" },
};

static void test_examples(void)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		strbuf_clear(&text);
		name_fit(&text, examples[i].name, examples[i].room, MARK, NULL);
		is_str(strbuf_str(&text), examples[i].want, "%s in %zu", examples[i].name,
		       examples[i].room);
	}
	strbuf_release(&text);
}

/* Any bytes are a name: no bracket, nor a cut of a name at any byte, is out of bounds. */
static void test_any_text(const struct entries *entries)
{
	struct strbuf shown = { 0 };
	size_t bad = 0;

	for (size_t i = 0; i < entries->all.len; i += 1 + entries->all.len / 40) {
		char *name = xstrdup(entries->all.data[i].name);

		for (size_t len = strlen(name); len; len--) {
			name[len] = '\0';
			for (size_t start = 0; start < 2 && start < len; start++) {
				strbuf_clear(&shown);
				name_fit(&shown, name + len * start / 3, 14, MARK, NULL);
				bad += utf8_length(strbuf_str(&shown)) > 14;
			}
		}
		free(name);
	}
	is_u64(bad, 0, "every part of a name fits");
	strbuf_release(&shown);
}

static void find_names(int argc, char **argv, struct entries *out)
{
	const char *src = getenv("RP_SRC");
	char *path = argc > 1 ? xstrdup(argv[1])
			      : xasprintf("%s/t/unit/names.txt", src ? src : ".");

	read_entries(path, out);
	free(path);
}

int main(int argc, char **argv)
{
	struct entries entries = { 0 };

	find_names(argc, argv, &entries);
	if (!entries.all.len)
		skip_all("RP_SRC does not name the source tree");
	test_examples();
	test_own_names(&entries);
	for (size_t r = 0; r < ROOMS; r++)
		test_distinct(&entries, rooms[r], r % 2 ? MARK : "...");
	test_any_text(&entries);
	vec_for_each(struct entry, e, &entries.all) {
		free(e->own);
		free(e->name);
	}
	vec_release(&entries.all);
	return done_testing();
}
