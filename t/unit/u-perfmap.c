/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "base/xalloc.h"

#define ALL ((uint64_t)1 << 40)

/* Names COUNT ADDRESSES from a map with that content; returns the budget that is left. */
static uint64_t read_text(struct perfmap *map, const char *bytes, size_t len,
			  const uint64_t *addresses, size_t count, uint64_t budget)
{
	struct perfmap_query query = { addresses, count, budget };
	char *path = xstrdup("/tmp/ringprof-u-perfmap-XXXXXX");
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	is_i64(perfmap_read(map, fd, &query), 0, "it is read");
	close(fd);
	unlink(path);
	free(path);
	return query.budget;
}

/* NULL: none. */
static const char *name_at(const struct perfmap *map, uint64_t address)
{
	vec_for_each(const struct perfmap_piece, piece, &map->pieces)
		if (address >= piece->start && address < piece->end)
			return piece->name;
	return NULL;
}

static void expect(const struct perfmap *map, uint64_t address, const char *name)
{
	is_str(name_at(map, address), name, "name at %#" PRIx64, address);
}

static bool are_disjoint(const struct perfmap *map)
{
	uint64_t end = 0;

	vec_for_each(const struct perfmap_piece, piece, &map->pieces) {
		if (piece->start < end || piece->end <= piece->start)
			return false;
		end = piece->end;
	}
	return true;
}

/* Checks CASES for TEXT. */
struct named {
	uint64_t address;
	const char *name;
};

static void check(const char *text, size_t len, const struct named *cases, size_t count)
{
	uint64_t addresses[32];
	struct perfmap map;

	for (size_t i = 0; i < count; i++)
		addresses[i] = cases[i].address;
	read_text(&map, text, len, addresses, count, ALL);
	for (size_t i = 0; i < count; i++)
		expect(&map, cases[i].address, cases[i].name);
	ok(are_disjoint(&map), "pieces are in order and do not overlap");
	is_u64(map.unread, 0, "all was read");
	perfmap_release(&map);
}

#define CHECK(text, cases)                                                               \
	check((text), sizeof(text) - 1, (cases), sizeof(cases) / sizeof((cases)[0]))

static void test_lines(void)
{
	static const char text[] = "7f0000001000 40 old\n"
				   "7f0000002000 20 LazyCompile:*f g.js:1 (a b)\n"
				   "7f0000001000 80 new\n"
				   "7f0000003000 0 empty\n"
				   "7f0000004000 10\n"
				   "7f0000005000 zz broken\n"
				   "\n"
				   "7f0000006000 ffffffffffffffff huge\n"
				   "0x7f0000001100 0x10 prefixed\n"
				   "7f0000002000 10 unfinishe";
	static const struct named cases[] = {
		{ 0, NULL },
		{ 0x7f0000001000, "new" },
		{ 0x7f000000107f, "new" },
		{ 0x7f0000001080, NULL },
		{ 0x7f0000001108, "prefixed" },
		{ 0x7f0000002000, "LazyCompile:*f g.js:1 (a b)" },
		{ 0x7f000000201f, "LazyCompile:*f g.js:1 (a b)" },
		{ 0x7f0000002020, NULL },
		{ 0x7f0000003000, NULL },
		{ 0x7f0000004000, NULL },
		{ 0x7f0000005000, NULL },
		{ UINT64_MAX - 1, "huge" },
		{ UINT64_MAX, NULL },
	};
	struct perfmap_query query = { NULL, 0, ALL };
	struct perfmap map;

	CHECK(text, cases);
	is_i64(perfmap_read(&map, -1, &query), -EBADF, "no file");
}

/* Code that was compiled later replaces older code. */
static void test_overlaps(void)
{
	static const char text[] = "1000 100 old\n"
				   "1080 10 inner\n"
				   "2000 10 below\n"
				   "1ff0 18 later\n"
				   "3010 10 above\n"
				   "3000 18 over it\n";
	static const struct named cases[] = {
		{ 0x1000, "old" },     { 0x1080, "inner" },   { 0x1090, "old" },
		{ 0x1fff, "later" },   { 0x2007, "later" },   { 0x2008, "below" },
		{ 0x3000, "over it" }, { 0x3017, "over it" }, { 0x301f, "above" },
	};

	CHECK(text, cases);
}

/* Lines around one that exceeds a single read. */
static void test_long_lines(void)
{
	static const uint64_t addresses[] = { 0x1000, 0x2000, 0x3000, 0x4000 };
	const size_t sizes[] = { 1000, 1500, 200000, 262143, 262144, 300000, 900000 };
	char cut[1025];

	memset(cut, 'x', 1024);
	cut[1024] = '\0';
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct strbuf text = { 0 };
		struct perfmap map;
		const char *got;

		strbuf_addstr(&text, "1000 10 first\n2000 10 ");
		strbuf_pad(&text, 'x', sizes[i]);
		strbuf_addstr(&text, "\n3000 10 third\n4000 10 last\n");
		read_text(&map, text.data, text.len, addresses, 4, ALL);
		expect(&map, 0x1000, "first");
		got = name_at(&map, 0x2000);
		ok(got ? !strcmp(got, cut + (sizes[i] < 1024 ? 1024 - sizes[i] : 0))
		       : sizes[i] > 262000,
		   "a name of %zu bytes is cut, or left out", sizes[i]);
		expect(&map, 0x3000, "third");
		expect(&map, 0x4000, "last");
		is_u64(map.unread, 0, "all was read");
		perfmap_release(&map);
		strbuf_release(&text);
	}
}

/* The newest names are those at the end. */
static void test_budget(void)
{
	static const uint64_t addresses[] = { 0x1000, 0x2000, 0x3000 };
	static const char text[] = "1000 10 one\n2000 10 two\n3000 10 three\n";
	static const struct {
		uint64_t budget;
		const char *names[3];
		size_t unread;
	} cases[] = {
		{ 0, { NULL, NULL, NULL }, 3 },
		{ 5, { NULL, NULL, NULL }, 3 },
		{ 14, { NULL, NULL, NULL }, 3 }, /* no newline proves it complete */
		{ 15, { NULL, NULL, "three" }, 2 },
		{ 27, { NULL, "two", "three" }, 1 },
		{ 1000, { "one", "two", "three" }, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct perfmap map;
		uint64_t left = read_text(&map, text, sizeof(text) - 1, addresses, 3,
					  cases[i].budget);

		for (int k = 0; k < 3; k++)
			expect(&map, addresses[k], cases[i].names[k]);
		is_u64(map.unread, cases[i].unread, "the others may be in the rest");
		is_u64(left,
		       cases[i].budget > 3 * PERFMAP_LINE_COST
			       ? cases[i].budget - 3 * PERFMAP_LINE_COST
			       : 0,
		       "a line has its cost");
		perfmap_release(&map);
	}
}

/* sysfs reports sizes that are too large, as if the file was cut meanwhile. */
static void test_rewritten(void)
{
	static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	static const uint64_t addresses[] = { 1, 2 };
	struct perfmap_query query = { addresses, 2, ALL };
	struct perfmap map;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size < 1000) {
		skip(2, "no file has a wrong size");
	} else {
		is_i64(perfmap_read(&map, fd, &query), 0,
		       "a map that is cut while it is read");
		is_u64(map.unread, 2, "has no names");
		perfmap_release(&map);
	}
	if (fd >= 0)
		close(fd);
}

/* ---- random maps, compared with a table that each line overwrites ---- */

enum { SPACE = 4096, ASKED = 200 };

static unsigned drawn(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 8) % below;
}

static void add_drawn(struct strbuf *text, char (*truth)[16], unsigned line,
		      unsigned *seed)
{
	unsigned start = drawn(seed, SPACE),
		 size = drawn(seed, drawn(seed, 8) ? 40 : 900);
	unsigned end = start + size < SPACE ? start + size : SPACE;

	if (!drawn(seed, 50)) {
		strbuf_pad(text, 'z', drawn(seed, 300000)); /* useless */
		strbuf_addch(text, '\n');
	}
	strbuf_addf(text, "%x %x n%u\n", start, size, line);
	for (unsigned at = start; at < end; at++)
		snprintf(truth[at], sizeof(truth[at]), "n%u", line);
}

static bool agrees(const struct perfmap *map, char (*truth)[16], const uint64_t *asked,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *got = name_at(map, asked[i]);

		if (strcmp(got ? got : "", truth[asked[i]]))
			return false;
	}
	return are_disjoint(map);
}

static void test_drawn(void)
{
	static char truth[SPACE][16];
	uint64_t asked[ASKED];
	size_t bad = 0;

	for (unsigned round = 0; round < 60; round++) {
		unsigned seed = round, lines = drawn(&seed, 400);
		struct perfmap_query query = { asked, ASKED, ALL };
		struct strbuf text = { 0 };
		struct perfmap map;

		memset(truth, 0, sizeof(truth));
		for (unsigned i = 0; i < lines; i++)
			add_drawn(&text, truth, i, &seed);
		for (unsigned i = 0, at = 0; i < ASKED; i++)
			asked[i] = at += drawn(&seed, SPACE / ASKED);
		read_text(&map, strbuf_str(&text), text.len, asked, ASKED, query.budget);
		bad += !agrees(&map, truth, asked, ASKED);
		perfmap_release(&map);
		strbuf_release(&text);
	}
	is_u64(bad, 0, "the last line that covers an address names it");
}

/* ---- whose map ---- */

/* The number of its names, or the error. */
static int find(const struct perfmap_place *place)
{
	static const uint64_t address = 0x1008;
	struct perfmap_query query = { &address, 1, ALL };
	struct perfmap map;
	int error = perfmap_find(&map, place, &query);
	int names = error ? error : (int)map.pieces.len;

	if (!error)
		perfmap_release(&map);
	return names;
}

static void test_pid(void)
{
	char *path = xasprintf("/tmp/perf-%d.map", (int)getpid());
	char *other = xasprintf("%s.other", path);
	const int64_t now = time(NULL) * INT64_C(1000000000),
		      hour = INT64_C(3600000000000);
	const struct perfmap_place place = { .pid = getpid(), .owner = geteuid() },
				   before = { .pid = getpid(),
					      .owner = geteuid(),
					      .from_ns = now + hour },
				   after = { .pid = getpid(),
					     .owner = geteuid(),
					     .to_ns = now - hour };
	FILE *file = fopen(path, "w");

	if (!file) {
		skip(1, "cannot write to /tmp");
		goto out;
	}
	fputs("1000 10 jitted\n", file);
	fclose(file);
	is_i64(find(&place), 1, "the map of a process is found");
	is_i64(find(&before), -EACCES, "not one of an earlier process");
	is_i64(find(&after), -EACCES, "nor of a later one");
	is_i64(link(path, other), 0, "a second name is made");
	is_i64(find(&place), -EACCES, "a map with two names may be anybody's");
	unlink(path);
	is_i64(symlink(other, path), 0, "a link is made");
	is_i64(find(&place), -EINVAL, "a link is refused wherever it leads");
	unlink(path);
	unlink(other);
	is_i64(find(&place), -ENOENT, "a missing map");
	/* A FIFO in its place must not block us. */
	if (mkfifo(path, 0600) == 0)
		is_i64(find(&place), -EINVAL, "a FIFO is refused");
	unlink(path);
out:
	free(other);
	free(path);
}

/* Every prefix, and every byte changed: no crash. */
static void test_damage(void)
{
	static const char text[] = "7f00 10 c d\n\t \n0x1 2 3\nffffffffffffffff 1 e\n";
	static const uint64_t asked[] = { 0, 1, 2, 0x7f00, 0x7f0f, UINT64_MAX };

	for (size_t i = 0; i < sizeof(text); i++)
		for (int k = 0; k < 4; k++) {
			char damaged[sizeof(text)];
			struct perfmap map;

			memcpy(damaged, text, sizeof(text));
			damaged[i] = " \t\n\0"[k];
			read_text(&map, damaged, k ? sizeof(text) : i, asked, 6, ALL);
			perfmap_release(&map);
		}
}

int main(void)
{
	test_lines();
	test_overlaps();
	test_long_lines();
	test_budget();
	test_rewritten();
	test_drawn();
	test_pid();
	test_damage();
	return done_testing();
}
