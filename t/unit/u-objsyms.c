/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files that are whole, wrong, or damaged. */
#include "elf/objsyms.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/file.h"
#include "random.h"
#include "tap.h"
#include "base/xalloc.h"

/* Opens, reads and asks; the results do not matter. */
static bool use_image(struct elf_image *img)
{
	struct objsyms syms;
	struct symbol sym;
	bool whole = true;
	int error = objsyms_read_image(&syms, img, NULL);

	(void)error;
	for (uint64_t offset = 0; offset < img->size + 4096; offset += 97) {
		objsyms_at(&syms, offset, &sym);
		whole = whole && sym.size && sym.start <= offset && sym.until > offset;
	}
	objsyms_release(&syms);
	return whole;
}

static bool use_bytes(const void *bytes, size_t len)
{
	struct elf_image img;
	bool whole = true;

	if (!elf_image_memory(&img, bytes, len)) {
		whole = use_image(&img);
		elf_image_release(&img);
	}
	return whole;
}

/* Copies of exact size, so a sanitizer notices reads beyond them. */
static void test_truncated(const struct strbuf *file)
{
	bool whole = true;

	for (size_t len = 0; len < file->len; len += 64) {
		char *copy = xmalloc(len);

		memcpy(copy, file->data, len);
		whole = use_bytes(copy, len) && whole;
		free(copy);
	}
	ok(whole, "cut at every 64 bytes, each offset still has a symbol around it");
}

/* Half of the changes hit the most important bytes: the headers at both ends. */
static void test_mutated(const struct strbuf *file, unsigned rounds, uint64_t seed)
{
	char *copy = xmalloc(file->len);

	for (unsigned i = 0; i < rounds; i++) {
		unsigned changes = 1 + random_next(&seed) % 8;

		memcpy(copy, file->data, file->len);
		while (changes--) {
			uint64_t where = random_next(&seed), near = where >> 32;
			size_t at = where % 4 == 0   ? near % 1024
				    : where % 4 == 1 ? file->len - 1 - near % 2560
						     : near % file->len;

			copy[at] = (char)random_next(&seed);
		}
		use_bytes(copy, file->len);
	}
	ok(true, "%u mutations of it cause no crash", rounds);
	free(copy);
}

/* Sets words of the program's own tables to values that overflow. */
static void test_extremes(const struct strbuf *file)
{
	static const uint64_t values[] = {
		0, 1, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX, UINT64_MAX - 7
	};
	char *copy = xmalloc(file->len);

	for (size_t at = 16; at + 8 <= 1024 && at + 8 <= file->len; at += 4)
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			memcpy(copy, file->data, file->len);
			memcpy(copy + at, &values[i], 8);
			use_bytes(copy, file->len);
		}
	for (size_t at = file->len - 2560; at + 8 <= file->len; at += 8)
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			memcpy(copy, file->data, file->len);
			memcpy(copy + at, &values[i], 8);
			use_bytes(copy, file->len);
		}
	ok(true, "extreme numbers in its headers cause no crash");
	free(copy);
}

/* The file shrinks after it was opened: the read is short, without SIGBUS. */
static void test_shrinking(const struct strbuf *file)
{
	char path[] = "/tmp/ringprof-u-objsyms-XXXXXX";
	int fd = mkstemp(path);
	struct elf_image img;

	if (fd < 0 || write(fd, file->data, file->len) != (ssize_t)file->len)
		abort();
	is_i64(elf_image_open(&img, path), 0, "a copy of it opens");
	ok(ftruncate(fd, 4096) == 0, "it is cut meanwhile");
	ok(use_image(&img), "and read without harm");
	elf_image_release(&img);
	close(fd);
	unlink(path);
}

static void test_refusals(void)
{
	static const struct {
		const char *path, *build_id;
		int error;
	} cases[] = {
		{ "/proc/self/exe", "00112233", -ESTALE },
		{ "/nonexistent", NULL, -ENOENT },
		{ "/dev/null", NULL, -EINVAL },
		{ "/", NULL, -EINVAL },
		{ "/proc/self/status", NULL, -EACCES }, /* the kernel's answer */
		{ "/etc/passwd", NULL, -ENOEXEC },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct object_place place = { .path = cases[i].path,
					      .build_id = cases[i].build_id };
		struct objsyms syms;
		struct symbol sym;

		is_i64(objsyms_read(&syms, &place), cases[i].error, "%s", place.path);
		objsyms_at(&syms, 0x1234, &sym);
		is_u64(sym.start, 0x1000, "… then an offset has its page");
		is_u64(sym.source, SYMBOL_NONE, "… and no name");
		objsyms_release(&syms);
	}
}

static void test_padded_build_ids(void)
{
	static const char full[] = "00112233445566778899aabbccddeeff00112233",
			  md5[] = "00112233445566778899aabbccddeeff",
			  md5_padded[] = "00112233445566778899aabbccddeeff00000000",
			  lld[] = "0011223344556677",
			  lld_padded[] = "0011223344556677000000000000000000000000",
			  between[] = "00112233445566770000",
			  zeros[] = "0000000000000000000000000000000000000000";
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {
		{ full, full, true },       { md5, md5_padded, true },
		{ md5_padded, md5, true },  { lld, lld_padded, true },
		{ md5, full, false },       { lld, md5, false },
		{ lld, md5_padded, false }, { between, lld_padded, false },
		{ "", "", false },          { "", zeros, false },
	};
	struct build_id id;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(build_id_same(rows[i].a, rows[i].b) == rows[i].same, "%s and %s",
		   rows[i].a, rows[i].b);
	ok(build_id_unpadded(md5_padded, 16, &id), "16 bytes and zeros");
	is_str(id.hex, md5, "are these 16");
	ok(!build_id_unpadded(md5_padded, 8, &id), "but not 8");
	ok(!build_id_unpadded(full, 16, &id), "no zeros, no padding");
}

/* A function of this program, found by its address. */
static void test_self(void)
{
	char *path = realpath("/proc/self/exe", NULL);
	struct object_place place = { .path = path, .root = "/", .trusted = true };
	struct elf_image img;
	struct objsyms syms;
	struct symbol sym;
	uint64_t offset;

	is_i64(elf_image_open(&img, "/proc/self/exe"), 0, "this program opens");
	is_i64(objsyms_read(&syms, &place), 0, "and is read, below a root");
	is_str(syms.build_id.hex, img.build_id.hex, "its build-id is known");
	ok(elf_image_offset(&img, img.entry, &offset), "its entry is in a segment");
	objsyms_at(&syms, offset, &sym);
	is_str(sym.name, "_start", "and is called _start");
	is_u64(sym.start, offset, "… from there on, in the file");
	is_u64(sym.vaddr, img.entry, "… and in memory");
	objsyms_release(&syms);
	elf_image_release(&img);
	free(path);
}

static size_t names_within(struct elf_image *img, uint64_t all, uint64_t *refused)
{
	struct objsyms syms;
	size_t count;

	quota_init(img->quota, all);
	if (objsyms_read_image(&syms, img, NULL))
		exit(99);
	count = syms.named.entries.len;
	*refused = img->quota->refused;
	objsyms_release(&syms);
	quota_release(img->quota);
	return count;
}

/* Another user's program: the memory of its tables is charged to him. */
static void test_quota(void)
{
	struct quota quota = { 0 };
	struct elf_image img;
	uint64_t refused;

	is_i64(elf_image_open(&img, "/proc/self/exe"), 0, "this program opens");
	img.quota = &quota;
	img.owner = 12345;
	ok(names_within(&img, 1 << 28, &refused) && !refused, "with its names");
	ok(!names_within(&img, 1 << 8, &refused),
	   "and without them if they take too much");
	ok(refused, "that is counted");
	img.quota = NULL;
	elf_image_charge(&img, &quota);
	ok(img.quota ? img.owner != geteuid() : true, "our own files are not charged");
	elf_image_release(&img);
}

static bool has_text(const struct symtab *tab, const char *part)
{
	vec_for_each(const struct symbol_entry, entry, &tab->entries)
		if (strstr(tab->names.data + entry->name, part))
			return true;
	return false;
}

/* The kernel maps the whole vDSO; its section headers show its size. */
static void test_vdso(void)
{
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const void *)vdso;
	struct elf_image img;
	struct objsyms syms;

	if (!vdso || header->e_ident[EI_CLASS] != ELFCLASS64) {
		skip(3, "no 64-bit vDSO here");
		return;
	}
	is_i64(elf_image_memory(&img, vdso,
				header->e_shoff + header->e_shnum * header->e_shentsize),
	       0, "the vDSO is an image in memory");
	is_i64(objsyms_read_image(&syms, &img, NULL), 0, "and is read");
	ok(has_text(&syms.named, "clock_gettime"), "it has clock_gettime");
	objsyms_release(&syms);
	elf_image_release(&img);
}

static void test_build_ids(void)
{
	static const char notes[] = "\4\0\0\0\2\0\0\0\1\0\0\0Gnu\0xx\0\0"
				    "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\xab\x01\xff";
	/* a property (type 5): its contents begin at a multiple of 8, behind the name */
	static const char wide[] = "\4\0\0\0\10\0\0\0\5\0\0\0GNU\0propertY"
				   "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\xab\x01\xff";
	struct build_id id;

	ok(build_id_from_notes(wide, sizeof(wide) - 1, 8, false, &id), "aligned to 8");
	is_str(id.hex, "ab01ff", "… behind a name that fills the header up to 8");
	ok(build_id_from_notes(notes, sizeof(notes) - 1, 4, false, &id), "one is found");
	is_str(id.hex, "ab01ff", "… behind another note, its last padding missing");
	for (size_t len = 0; len < sizeof(notes) - 1; len++)
		ok(!build_id_from_notes(notes, len, 4, false, &id) && !id.hex[0],
		   "not in the first %zu bytes", len);
	is_i64(elf_image_build_id(-1, &id), -EBADF, "no file, no id");
	is_i64(build_id_read_notes("/proc/self/status", &id), -ENODATA,
	       "no notes, no id");
}

int main(void)
{
	char *path = xasprintf("%s/t/progs/burn", getenv("RP_BUILD") ?: ".");
	struct strbuf file = { 0 };

	test_build_ids();
	test_refusals();
	test_self();
	test_quota();
	test_padded_build_ids();
	test_vdso();
	if (file_read(path, 1 << 24, &file) == 0 && file.len > 4096) {
		test_truncated(&file);
		test_mutated(&file, 5000, 0x9e3779b97f4a7c15);
		test_extremes(&file);
		test_shrinking(&file);
	} else {
		skip(6, "run through t/run, which says where t/progs/burn is");
	}
	strbuf_release(&file);
	free(path);
	return done_testing();
}
