/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged debug information: any answer, soon, and nothing read that is not there. */
#include "elf/lineinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/image.h"
#include "base/file.h"
#include "elf/lineinfo_paths.h"
#include "tap.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static bool write_file(const char *path, const struct strbuf *bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool whole = fd >= 0 && write(fd, bytes->data, bytes->len) == (ssize_t)bytes->len;

	if (fd >= 0)
		close(fd);
	return whole;
}

/* How many places of the text segment have a line; -1: the file could not be read. */
static int ask(const char *path, uint64_t from, uint64_t to)
{
	struct line_answers answers;
	struct lineinfo *info;
	uint64_t offsets[512];
	int found = 0;

	if (lineinfo_open(&(struct object_place){ .path = path, .trusted = true }, &info))
		return -1;
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
		section = elf_section_named(img, names[next_random(seed) % count]);
	for (unsigned i = 1 + next_random(seed) % 8; i > 0; i--) {
		/* the header of a section's first table decides most */
		uint64_t reach = next_random(seed) % 2 && section->size > 64
					 ? 64
					 : section->size;
		uint64_t at = section->offset + next_random(seed) % reach;

		if (at < bytes->len)
			bytes->data[at] = (char)next_random(seed);
	}
}

static void test_damaged(const char *path, unsigned rounds)
{
	struct strbuf whole = { 0 }, copy = { 0 };
	const struct elf_segment *text;
	uint64_t seed = 88172645463325252u;
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
		if (i % 16 == 0) /* and cut it */
			strbuf_truncate(&copy, next_random(&seed) % copy.len);
		if (!write_file(path, &copy))
			break;
		answered += ask(path, text->offset, text->offset + text->filesz) >= 0;
	}
	ok(answered > rounds / 2, "%u of %u damaged files were read", answered, rounds);
	unlink(path);
	elf_image_release(&img);
	strbuf_release(&whole);
	strbuf_release(&copy);
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

int main(void)
{
	struct lineinfo *info;
	char path[] = "/tmp/u-lineinfo.XXXXXX";
	int fd = mkstemp(path);

	test_paths();
	is_u64((uint64_t)-lineinfo_open(&(struct object_place){ .path = "/none" }, &info),
	       ENOENT, "a file that is not there");
	is_u64((uint64_t)-lineinfo_open(
		       &(struct object_place){ .path = path, .trusted = true }, &info),
	       ENOEXEC, "an empty file");
	if (fd >= 0)
		close(fd);
	test_damaged(path, 400);
	return done_testing();
}
