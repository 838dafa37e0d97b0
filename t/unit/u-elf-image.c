/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse files with excessive claims, and compressed sections. */
#include "elf/image.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/xalloc.h"
#include "elf/objsyms.h"
#include "sparse.h"
#include "tap.h"

/* ---- files that are nearly all holes ---- */

static size_t sections;

static int open_sparse(int fd)
{
	struct elf_image img;

	if (elf_image_open_fd(&img, dup(fd)))
		return 1;
	sections = img.sections.len;
	elf_image_release(&img);
	return 0;
}

static int open_without_sections(int fd)
{
	return open_sparse(fd) || sections;
}

static int open_without_names(int fd)
{
	return open_sparse(fd) || sections != 2;
}

static int read_names(int fd)
{
	struct objsyms syms;
	struct elf_image img;
	int error;

	if (elf_image_open_fd(&img, dup(fd)))
		return 1;
	error = objsyms_read_image(&syms, &img, NULL);
	objsyms_release(&syms);
	elf_image_release(&img);
	return error;
}

#define GIB (UINT64_C(1) << 30)
#define MIB (1 << 20)

static void test_sparse(void)
{
	static const struct {
		const char *what;
		struct sparse file;
		sparse_fn *opens;
	} rows[] = {
		{ "a million sections",
		  { .size = GIB, .sections = 1000000 },
		  open_without_sections },
		{ "16 million sections",
		  { .size = 2 * GIB, .sections = 1 << 24 },
		  open_without_sections },
		{ "names of 900 MiB",
		  { .size = GIB, .sections = 2, .names_size = 900 * MIB },
		  open_without_names },
		{ "notes of 900 MiB",
		  { .size = GIB,
		    .segment = { .p_type = PT_NOTE, .p_filesz = 900 * MIB } },
		  open_without_sections },
		{ "dynamic linking information of 900 MiB",
		  { .size = GIB,
		    .segment = { .p_type = PT_DYNAMIC, .p_filesz = 900 * MIB } },
		  read_names },
	};

	if (!sparse_has_limit()) {
		skip(sizeof(rows) / sizeof(rows[0]), "sanitizers take memory");
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int fd = sparse_make(&rows[i].file);

		is_i64(sparse_use(fd, 64 * MIB, rows[i].opens), 0, "%s, in 64 MiB",
		       rows[i].what);
		close(fd);
	}
}

/* ---- packed sections ---- */

enum { PLAIN = 100000 };

static char plain[PLAIN];

static size_t pack(uint32_t form, char *out, size_t room)
{
	uLongf len = room;

	if (form == 2)
		return ZSTD_compress(out, room, plain, PLAIN, 3);
	compress((Bytef *)out, &len, (const Bytef *)plain, PLAIN);
	return len;
}

struct packed {
	Elf64_Ehdr file;
	Elf64_Chdr header;
	char bytes[PLAIN];
};

/* Unpacks the section that P holds, with LEN bytes behind its header. */
static int unpack(const struct packed *p, size_t len, uint64_t max, struct strbuf *out)
{
	const struct elf_section section = {
		.flags = SHF_COMPRESSED,
		.offset = sizeof(p->file),
		.size = sizeof(p->header) + len,
	};
	struct elf_image img;
	int error = elf_image_memory(&img, p, sizeof(p->file) + section.size);

	if (error)
		return error;
	strbuf_clear(out);
	strbuf_addstr(out, "before");
	error = elf_section_unpack(&img, &section, max, out);
	elf_image_release(&img);
	return error;
}

static void test_packed(uint32_t form, const char *name)
{
	struct packed *p = xcalloc(1, sizeof(*p));
	struct strbuf out = { 0 };
	size_t len = pack(form, p->bytes, sizeof(p->bytes));
	int refused = 0;

	memcpy(p->file.e_ident, ELFMAG "\2\1\1", SELFMAG + 3);
	p->header = (Elf64_Chdr){ .ch_type = form, .ch_size = PLAIN };
	is_i64(unpack(p, len, PLAIN, &out), 0, "%s is unpacked", name);
	ok(out.len == PLAIN + 6 && !memcmp(out.data + 6, plain, PLAIN),
	   "%s: the same content", name);
	is_i64(unpack(p, len, PLAIN - 1, &out), -EFBIG, "%s: it would be too large",
	       name);
	for (size_t cut = 0; cut < len; cut += 97)
		refused += unpack(p, cut, PLAIN, &out) == -ENOEXEC && out.len == 6;
	is_i64(refused, (len + 96) / 97, "%s: cut anywhere it is damaged", name);
	p->header.ch_size = PLAIN - 1;
	is_i64(unpack(p, len, PLAIN, &out), -ENOEXEC, "%s: larger than declared", name);
	p->header.ch_size = PLAIN + 1;
	is_i64(unpack(p, len, GIB, &out), -ENOEXEC, "%s: smaller than declared", name);
	p->header = (Elf64_Chdr){ .ch_type = 3, .ch_size = PLAIN };
	is_i64(unpack(p, len, PLAIN, &out), -ENOEXEC, "of unknown form");
	strbuf_release(&out);
	free(p);
}

int main(void)
{
	for (size_t i = 0; i < PLAIN; i++)
		plain[i] = (char)(i * i % 251);
	test_sparse();
	test_packed(ELFCOMPRESS_ZLIB, "zlib");
	test_packed(2, "zstd");
	return done_testing();
}
