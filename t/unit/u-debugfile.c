/* SPDX-License-Identifier: Apache-2.0 */
/* How much is read of the debug files of programs without a build-id. */
#include "elf/debugfile.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"

/* A program that has only .gnu_debuglink; a debug file is the same without that. */
struct program {
	Elf64_Ehdr head;
	Elf64_Shdr sections[3];
	struct {
		char name[8];
		uint32_t crc;
	} link;
	char names[24];
};

static const struct program plain = {
	.head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB },
		.e_type = ET_DYN,
		.e_shoff = offsetof(struct program, sections),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	},
	.sections = {
		{ 0 },
		{ .sh_type = SHT_PROGBITS,
		  .sh_name = 1,
		  .sh_offset = offsetof(struct program, link),
		  .sh_size = sizeof(plain.link) },
		{ .sh_type = SHT_STRTAB,
		  .sh_offset = offsetof(struct program, names),
		  .sh_size = sizeof(plain.names) },
	},
	.names = "\0.gnu_debuglink",
};

/* Makes the debug file NAME of SIZE bytes, nearly all a hole; returns its CRC. */
static uint32_t make_debug(const char *folder, const char *name, size_t size)
{
	struct program debug = plain;
	char *bytes = xcalloc(1, size), *path = xasprintf("%s/%s", folder, name);
	uint32_t crc;

	debug.names[1] = 'x';
	memcpy(bytes, &debug, sizeof(debug));
	crc = (uint32_t)crc32_z(0, (const void *)bytes, size);
	scratch_write(folder, name, &debug, sizeof(debug));
	if (truncate(path, (off_t)size))
		exit(99);
	free(bytes);
	free(path);
	return crc;
}

/* Whether the program finds its debug file NAME, which has that CRC. */
static bool finds(const char *folder, const char *name, uint32_t crc,
		  struct debug_sums *sums)
{
	char *path = xasprintf("%s/program", folder);
	struct program program = plain;
	const struct object_place place = { .path = path, .sums = sums };
	struct elf_image img, debug;
	bool found;

	memcpy(program.link.name, name, strlen(name) + 1);
	program.link.crc = crc;
	scratch_write(folder, "program", &program, sizeof(program));
	if (elf_image_open(&img, path))
		exit(99);
	found = !debugfile_open(&img, &place, &debug);
	if (found)
		elf_image_release(&debug);
	elf_image_release(&img);
	free(path);
	return found;
}

#define MIB ((size_t)1 << 20)

static void test_once(const char *folder)
{
	uint32_t crc = make_debug(folder, "debug", MIB);
	struct debug_sums sums;

	debug_sums_init(&sums);
	ok(finds(folder, "debug", crc, NULL), "a debug file by its CRC");
	ok(!finds(folder, "debug", crc + 1, NULL), "and no other");
	for (int i = 0; i < 3; i++)
		ok(finds(folder, "debug", crc, &sums), "once more");
	ok(!finds(folder, "debug", crc + 1, &sums), "nor with its remembered CRC");
	is_u64(((uint64_t)DEBUG_SUMS_MIB << 20) - sums.quota.left, MIB,
	       "it was read once");
	crc = make_debug(folder, "debug", 2 * MIB);
	ok(finds(folder, "debug", crc, &sums), "after it was rewritten");
	is_u64(((uint64_t)DEBUG_SUMS_MIB << 20) - sums.quota.left, 3 * MIB, "once more");
	is_u64(sums.quota.refused, 0, "none was refused");
	debug_sums_release(&sums);
}

/* Many files of one user. */
static void test_all(const char *folder)
{
	enum { FILES = 200 };
	struct debug_sums sums;
	unsigned found = 0;

	debug_sums_init(&sums);
	quota_init(&sums.quota, 16 * MIB);
	for (unsigned i = 0; i < FILES; i++) {
		char name[8];

		snprintf(name, sizeof(name), "d%04u",
			 i); /* as "debug": the CRC follows */
		found += finds(folder, name, make_debug(folder, name, MIB / 4), &sums);
	}
	ok(found >= 20 && sums.quota.left >= 8 * MIB, "%u of many are read", found);
	is_u64(sums.quota.refused, FILES - found, "the others are counted");
	debug_sums_release(&sums);
}

static void test_large(const char *folder)
{
	uint32_t crc = make_debug(folder, "large", DEBUG_SUM_LIVE_MAX + MIB);
	struct debug_sums sums;

	debug_sums_init(&sums);
	ok(!finds(folder, "large", crc, &sums),
	   "while recording, a large one is not read");
	is_u64(sums.quota.refused, 1, "but counted");
	sums.largest = DEBUG_SUM_MAX;
	ok(finds(folder, "large", crc, &sums), "at the end it is read");
	debug_sums_release(&sums);
}

/* As many as are remembered, and some more. */
static void test_forgotten(const char *folder)
{
	struct debug_sums sums;
	bool found = true;

	debug_sums_init(&sums);
	for (unsigned i = 0; i < DEBUG_SUMS_KNOWN + 10; i++)
		found &= finds(folder, "small", make_debug(folder, "small", 4096 + i),
			       &sums);
	ok(found && sums.known.len == DEBUG_SUMS_KNOWN, "a limited number is remembered");
	debug_sums_release(&sums);
}

int main(void)
{
	char *folder = scratch_make();

	test_once(folder);
	test_all(folder);
	test_large(folder);
	test_forgotten(folder);
	scratch_remove(folder);
	return done_testing();
}
