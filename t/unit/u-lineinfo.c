/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged debug information: any answer, quickly, without reads out of bounds. */
#include "elf/lineinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf/image.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "elf/lineinfo_paths.h"
#include "elf/lineinfo_units.h"
#include "random.h"
#include "scratch.h"
#include "tap.h"

/* How many places of the text segment have a line; -1: the file cannot be read. */
static int ask(const char *path, uint64_t from, uint64_t to)
{
	struct line_answers answers;
	struct lineinfo *info;
	uint64_t offsets[512];
	int found = 0;

	if (lineinfo_open(&(struct object_place){ .path = path, .trusted = true }, &info))
		return -1;
	if (lineinfo_parse(info)) {
		lineinfo_free(info);
		return -1;
	}
	for (size_t i = 0; i < 512; i++)
		offsets[i] = from + (to - from) / 512 * i;
	lineinfo_find(info, offsets, 512, &answers);
	for (size_t i = 0; i < answers.places.len; i++) {
		struct line_answer a = answers.places.data[i];

		for (uint32_t f = a.first; f < a.first + a.count; f++)
			strtab_get(&answers.texts, answers.frames.data[f].file);
		found += a.count > 0;
	}
	line_answers_release(&answers);
	lineinfo_free(info);
	return found;
}

/* Changes a few bytes of one debug section. */
static void damage(struct strbuf *bytes, const struct elf_image *img, uint64_t *seed)
{
	static const char *const names[] = {
		".debug_info",     ".debug_abbrev",      ".debug_line", ".debug_ranges",
		".debug_rnglists", ".debug_str_offsets", ".debug_addr", ".debug_line_str",
	};
	size_t count = sizeof(names) / sizeof(names[0]);
	const struct elf_section *section = NULL;

	while (!section || !section->size)
		section = elf_section_named(img, names[random_next(seed) % count]);
	for (unsigned i = 1 + random_next(seed) % 8; i > 0; i--) {
		/* the header of a section's first table decides most */
		uint64_t reach = random_next(seed) % 2 && section->size > 64
					 ? 64
					 : section->size;
		uint64_t at = section->offset + random_next(seed) % reach;

		if (at < bytes->len)
			bytes->data[at] = (char)random_next(seed);
	}
}

static void test_damaged(const char *root, unsigned rounds)
{
	struct strbuf whole = { 0 }, copy = { 0 };
	const struct elf_segment *text;
	uint64_t seed = RANDOM_SEED;
	char *path = xasprintf("%s/damaged", root);
	struct elf_image img;
	unsigned answered = 0;
	int before;

	if (elf_image_open(&img, "/proc/self/exe") ||
	    file_read("/proc/self/exe", SIZE_MAX, &whole))
		return;
	text = elf_segment_at_vaddr(&img, img.entry);
	before = ask("/proc/self/exe", text->offset, text->offset + text->filesz);
	ok(before > 20, "the whole file: %d of 512 places have a line", before);
	for (unsigned i = 0; i < rounds; i++) {
		strbuf_clear(&copy);
		strbuf_add(&copy, whole.data, whole.len);
		damage(&copy, &img, &seed);
		if (i % 16 == 0) /* also cuts it */
			strbuf_truncate(&copy, random_next(&seed) % copy.len);
		scratch_write(root, "damaged", copy.data, copy.len);
		answered += ask(path, text->offset, text->offset + text->filesz) >= 0;
	}
	ok(answered > rounds / 2, "%u of %u damaged files were read", answered, rounds);
	elf_image_release(&img);
	strbuf_release(&whole);
	strbuf_release(&copy);
	free(path);
}

static void test_paths(void)
{
	static const char *const cases[][2] = {
		{ "/a/b.c", "/a/b.c" },
		{ "//a//b.c", "/a/b.c" },
		{ "/a/./b.c", "/a/b.c" },
		{ "/a/x/../b.c", "/a/b.c" },
		{ "/../a/b.c", "/a/b.c" },
		{ "/a/b/../../c", "/c" },
		{ "./b.c", "b.c" },
		{ "../b.c", "../b.c" },
		{ "../../b.c", "../../b.c" },
		{ "a/../../b.c", "../b.c" },
		{ "a/../b.c", "b.c" },
		{ "/a/...", "/a/..." },
		{ "<built-in>", "<built-in>" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf out = { 0 };

		line_path_clean(cases[i][0], &out);
		is_str(strbuf_str(&out), cases[i][1], "%s", cases[i][0]);
		strbuf_release(&out);
	}
}

/* ---- units that claim the same code ---- */

/* All ranges reach the address, or all but the first end before it. */
static void test_overlaps(unsigned others, bool found, const char *what)
{
	struct units units = { 0 };

	*vec_push(&units.ranges) = (struct unit_range){ 100, 2000, 7 };
	for (unsigned i = 0; i < others; i++)
		*vec_push(&units.ranges) = (struct unit_range){ 101 + i, 102 + i, 8 };
	is_u64(units_find(&units, 1999), found ? 7 : UNIT_NONE, "%s", what);
	is_u64(units_find(&units, 101), others ? 8 : 7, "the innermost range counts");
	is_u64(units_find(&units, 99), UNIT_NONE, "nothing lies before all of them");
	is_u64(units_find(&units, 2000), UNIT_NONE, "nor behind them");
	units_release(&units);
}

/* The ranges of this program, with the budget of a file of so many bytes. */
static size_t count_ranges(uint64_t budget)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct units units;
	size_t count;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || units_open(&units, elf, NULL))
		abort();
	units_index(&units, budget);
	count = units.ranges.len;
	units_release(&units);
	elf_end(elf);
	close(fd);
	return count;
}

static void test_units(void)
{
	size_t all = count_ranges(UINT64_MAX);

	test_overlaps(0, true, "one range");
	test_overlaps(63, true, "63 others are searched");
	test_overlaps(64, false, "more are not");
	ok(all > 2, "there are %zu ranges", all);
	is_u64(count_ranges(all), all, "a budget that suffices");
	is_u64(count_ranges(2), 2, "one of two ranges");
	is_u64(count_ranges(0), 0, "none");
}

int main(void)
{
	char *root = scratch_make(), *empty = xasprintf("%s/empty", root);
	struct lineinfo *info;

	scratch_text(root, "empty", "");
	test_paths();
	is_i64(lineinfo_open(&(struct object_place){ .path = "/none" }, &info), -ENOENT,
	       "a missing file");
	is_i64(lineinfo_open(&(struct object_place){ .path = empty, .trusted = true },
			     &info),
	       -ENOEXEC, "an empty file");
	test_damaged(root, 400);
	test_units();
	scratch_remove(root);
	free(empty);
	return done_testing();
}
