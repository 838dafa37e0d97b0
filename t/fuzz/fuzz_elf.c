/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an ELF file: its names, the bounds of its functions, its reference to a
 * debug file, and its compressed sections.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/debugfile.h"
#include "elf/image.h"
#include "elf/objsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* No debug folder of the machine: what is found must not depend on it. */
static const struct object_place nowhere = { .path = "/none/file",
					     .root = "/proc/self/fdinfo" };

static uint64_t ask(const struct elf_image *img, size_t len)
{
	struct strbuf label = { 0 };
	struct objsyms syms;
	uint64_t sum = 0;

	if (objsyms_read_image(&syms, img, &nowhere))
		abort();
	for (uint64_t at = 0; at < len + 4096; at += 64) {
		struct symbol sym;

		objsyms_at(&syms, at, &sym);
		strbuf_clear(&label);
		objsyms_label(&label, "file", &sym);
		sum += label.len + sym.start;
	}
	objsyms_release(&syms);
	strbuf_release(&label);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static volatile uint64_t sink;
	struct elf_image img;
	int fd = memfd_create("elf", 0);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	if (!elf_image_open_fd(&img, fd)) {
		sink = ask(&img, len);
		elf_image_release(&img);
	}
	if (!elf_image_memory(&img, bytes, len)) {
		sink = ask(&img, len);
		elf_image_release(&img);
	}
	return 0;
}
