/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This program's own file in other forms: without section headers, without .eh_frame_hdr,
 * with only .debug_frame, and with that in a separate file.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "self.h"
#include "sparse.h"
#include "tap.h"
#include "unwind_end.h"
#include "undescribed.h"
#include "unwind/lookup.h"
#include "base/xalloc.h"

struct test {
	struct self_space space;
	struct self_sample sample;
	struct self_map *self;
	struct unwinder *u;
	unsigned char *image, *whole;
	size_t len;
	struct unwind_frames frames;
};

static void record(void *arg)
{
	struct test *t = arg;

	SELF_SAMPLE_HERE(&t->sample, &t->space, SELF_STACK);
}

static void load(struct test *t)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		skip_all("the program cannot read itself");
	t->len = (size_t)st.st_size;
	t->image = xmalloc(t->len);
	t->whole = xmalloc(t->len);
	if (pread(fd, t->whole, t->len, 0) != st.st_size)
		skip_all("the program cannot read itself");
	close(fd);
}

static void drop_sections(unsigned char *image)
{
	Elf64_Ehdr *ehdr = (Elf64_Ehdr *)image;

	ehdr->e_shoff = 0;
	ehdr->e_shnum = ehdr->e_shstrndx = 0;
}

static void drop_table(unsigned char *image)
{
	const Elf64_Ehdr *ehdr = (const Elf64_Ehdr *)image;
	Elf64_Phdr *phdr = (Elf64_Phdr *)(image + ehdr->e_phoff);

	for (unsigned int i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_GNU_EH_FRAME)
			phdr[i].p_type = PT_NULL;
}

/* Renames the section, as if it did not exist. */
static void drop_section(const struct test *t, const char *name)
{
	size_t len = strlen(name) + 1;

	for (size_t at = 0; at + len <= t->len; at++)
		if (memcmp(t->image + at, name, len) == 0)
			t->image[at + 1] = 'x';
}

/* Provides the debug file at PATH; counts the requests. */
static unsigned int asked;

static int find_debug(const void *path, int fd)
{
	(void)fd;
	asked++;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* How the stack ends if IMAGE is this program's module. */
static const char *end_with(struct test *t, const char *debug)
{
	struct unwind_module *kept = t->self->map.module, *module;

	if (unwind_module_open_image(t->image, t->len, &module))
		return "no module";
	asked = 0;
	if (debug)
		unwind_module_set_debug(module, find_debug, debug);
	t->self->map.module = module;
	self_unwind(t->u, &t->space, &t->sample, &t->frames);
	t->self->map.module = kept;
	unwind_module_free(module);
	return t->frames.fp_used   ? "frame pointer"
	       : t->frames.scanned ? "instructions"
				   : unwind_end_name(t->frames.end);
}

static void find_self(struct test *t)
{
	for (size_t i = 0; i < t->space.maps.len; i++) {
		struct unwind_map *m = &t->space.maps.data[i].map;

		if (t->sample.regs.pc >= m->start && t->sample.regs.pc < m->end)
			t->self = &t->space.maps.data[i];
	}
}

static void test_forms(struct test *t)
{
	record(t);
	find_self(t);
	memcpy(t->image, t->whole, t->len);
	is_str(end_with(t, NULL), "root", "unchanged");
	drop_sections(t->image);
	is_str(end_with(t, NULL), "root", "by .eh_frame_hdr, without section headers");
	drop_table(t->image);
	ok(strcmp(end_with(t, NULL), "root") != 0, "without either there is no root: %s",
	   end_with(t, NULL));
	memcpy(t->image, t->whole, t->len);
	drop_table(t->image);
	is_str(end_with(t, NULL), "root", "by .eh_frame, read linearly");
}

static void test_debug_frame(struct test *t)
{
	undescribed(record, t, 10);
	memcpy(t->image, t->whole, t->len);
	is_str(end_with(t, NULL), "root", "by .debug_frame alone");
	ok(t->frames.v.len >= 13, "%zu frames", t->frames.v.len);
	drop_section(t, ".debug_frame");
	ok(strcmp(end_with(t, NULL), "root") != 0, "without that: %s", end_with(t, NULL));
	if (unwind_arch_host() == &unwind_x86_64) {
		is_str(end_with(t, NULL), "instructions", "… by its instructions");
		ok(t->frames.end == UNWIND_END_ROOT, "… to the root");
	}
	is_str(end_with(t, "/proc/self/exe"), "root", "from a separate file");
	is_u64(asked, 1, "requested once");
	ok(strcmp(end_with(t, "/nowhere"), "root") != 0, "a missing debug file");
	is_u64(asked, 1, "is requested once too");
	is_str(end_with(t, "/dev/null"), end_with(t, NULL),
	       "a debug file that is no ELF file");
	memcpy(t->image, t->whole, t->len);
	is_str(end_with(t, "/proc/self/exe"), "root", "a complete module needs none");
}

/* Files that are no modules. */
static void test_refusals(const struct test *t)
{
	struct unwind_module *module;
	int fd = open("/dev/null", O_RDONLY);

	ok(unwind_module_open(fd, &module) < 0, "a device");
	close(fd);
	ok(unwind_module_open_image("", 0, &module) < 0, "an empty file");
	ok(unwind_module_open_image(t->whole, sizeof(Elf64_Ehdr) - 1, &module) < 0,
	   "half a header");
	t->image[EI_CLASS] = ELFCLASS32;
	ok(unwind_module_open_image(t->image, t->len, &module) < 0, "32 bits");
	unwind_module_free(NULL);
}

/* Requests a row and Go's table; the results do not matter. */
static int ask(int fd)
{
	uint32_t fuel = 1 << 20;
	struct unwind_module *module;
	struct cfi_row row;

	if (unwind_module_open(dup(fd), &module))
		return 1;
	unwind_module_row(module, 0x1234, &fuel, &row);
	unwind_module_is_go(module);
	unwind_module_free(module);
	return 0;
}

/* Nothing is kept of a file with a million sections, or with endless names. */
static void test_sparse(void)
{
	static const struct sparse rows[] = {
		{ .size = 64 << 20, .sections = 1000000 },
		{ .size = UINT64_C(2) << 30, .sections = 2, .names_size = 1 << 30 },
	};

	if (!sparse_has_limit()) {
		skip(2, "sanitizers use memory");
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		int fd = sparse_make(&rows[i]);

		is_i64(sparse_use(fd, 48 << 20, ask), 0, "a sparse file, in 48 MiB");
		close(fd);
	}
}

#define MIB ((size_t)1 << 20)

/* PT_GNU_EH_FRAME and its table claim 200 MiB. */
static const struct sparse greedy = {
	.size = 512 * MIB,
	.segment = { .p_type = PT_GNU_EH_FRAME,
		     .p_vaddr = SPARSE_HOLE,
		     .p_filesz = 200 * MIB },
	.load = { .p_type = PT_LOAD, .p_filesz = SPARSE_HOLE + 16 + 200 * MIB },
	/* udata4 pcrel, udata4, datarel sdata4: .eh_frame is 16 bytes on */
	.first = { 1, 0x1b, 3, 0x3b, 16, 0, 0, 0 },
};

enum { FILES = 64 };

static bool ask_many(const struct sparse *file, uid_t owner, struct quota *memory)
{
	struct unwind_module *modules[FILES];
	uint32_t fuel = 1 << 20;
	struct cfi_row row;

	for (int i = 0; i < FILES; i++) {
		if (unwind_module_open(sparse_make(file), &modules[i]))
			return false;
		modules[i]->file.owner = owner;
		unwind_module_set_memory(modules[i], memory);
		unwind_module_row(modules[i], 0x1234, &fuel, &row);
	}
	for (int i = 0; i < FILES; i++)
		unwind_module_free(modules[i]);
	return true;
}

/* How much of ALL FILES such files take; SIZE_MAX unless REFUSED of them are refused. */
static size_t taken(const struct sparse *file, size_t all, uint64_t refused)
{
	struct quota memory;
	size_t left;
	bool done;

	quota_init(&memory, all);
	done = ask_many(file, 0, &memory);
	left = memory.left;
	quota_release(&memory);
	return done && memory.refused == refused ? all - left : SIZE_MAX;
}

static int ask_greedy(int fd)
{
	(void)fd;
	return taken(&greedy, 128 * MIB, FILES) != 0;
}

/* Each needs 16 MiB, half of them for an index: two get them. */
static int ask_modest(int fd)
{
	struct sparse file = greedy;

	(void)fd;
	file.segment.p_filesz = 4096;
	file.load.p_filesz = SPARSE_HOLE + 16 + 8 * MIB;
	return (taken(&file, 128 * MIB, FILES - 2) + MIB - 1) / MIB != 32;
}

/* A table of 200 MiB for an .eh_frame of half a MiB: the memory fits the latter. */
static int ask_long_table(int fd)
{
	struct sparse file = greedy;

	(void)fd;
	file.load.p_filesz = SPARSE_HOLE + 16 + MIB / 2;
	return taken(&file, 512 * MIB, 0) > 64 * MIB;
}

static int ask_nowhere(int fd)
{
	struct sparse file = greedy;

	(void)fd;
	file.first[0] = 0;
	return taken(&file, 64 * MIB, 0) != 0;
}

/* Users 1 to 9 have many large libraries; user 10 and root have small ones. */
static int ask_strangers(int fd)
{
	struct sparse large = greedy, small = greedy;
	struct quota memory;
	bool starved = false;

	(void)fd;
	large.segment.p_filesz = small.segment.p_filesz = 4096;
	large.load.p_filesz = SPARSE_HOLE + 16 + 2 * MIB;
	small.load.p_filesz = SPARSE_HOLE + 16 + 4096;
	quota_init(&memory, 128 * MIB);
	for (uid_t user = 1; user < 10; user++)
		starved |= !ask_many(&large, user, &memory);
	starved |= memory.refused < 8 * FILES;
	memory.refused = 0;
	starved |= !ask_many(&small, 10, &memory) || memory.refused;
	large.load.p_filesz = SPARSE_HOLE + 16 + MIB;
	starved |= !ask_many(&large, 0, &memory) || memory.refused > FILES - 3;
	quota_release(&memory);
	return starved;
}

static void test_memory(void)
{
	static const struct {
		const char *what;
		sparse_fn *asks;
	} rows[] = {
		{ "tables that are too large", ask_greedy },
		{ "tables until the memory is used up", ask_modest },
		{ "tables longer than their .eh_frame", ask_long_table },
		{ "tables that lead nowhere", ask_nowhere },
		{ "tables of other users, which leave memory for the rest",
		  ask_strangers },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_i64(sparse_has_limit() ? sparse_use(-1, 96 * MIB, rows[i].asks)
					  : rows[i].asks(-1),
		       0, "%s, of %d files", rows[i].what, FILES);
}

int main(void)
{
	static struct test t;

	if (!unwind_arch_host())
		skip_all("this architecture has no stacks to unwind");
	t.u = unwinder_new();
	self_space_init(&t.space);
	load(&t);
	test_forms(&t);
	test_debug_frame(&t);
	test_refusals(&t);
	test_sparse();
	test_memory();
	unwind_frames_release(&t.frames);
	unwinder_free(t.u);
	self_space_release(&t.space);
	free(t.image);
	free(t.whole);
	return done_testing();
}
