/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse files that claim more than anyone would read. */
#include "elf/image.h"

#include <elf.h>
#include <unistd.h>

#include "sparse.h"
#include "tap.h"

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

int main(void)
{
	test_sparse();
	return done_testing();
}
