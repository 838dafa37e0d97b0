/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where instructions start, also those that capstone may not know, as GNU as and objdump
 * have them: each is one row.
 */
#include "model/disassembly.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

enum { CODE = 0x1000, INSN_MAX = 15, MOST = 32 };

struct coded {
	unsigned char bytes[INSN_MAX];
	unsigned int size;
};

static const struct coded x86[] = {
	{ { 0x31, 0xc0 }, 2 },                                      /* xor */
	{ { 0x62, 0xe1, 0xfe, 0x28, 0x6f, 0x06 }, 6 },              /* vmovdqu64 */
	{ { 0x62, 0xf3, 0x75, 0x20, 0x3e, 0x4e, 0x01, 0 }, 8 },     /* vpcmpequb */
	{ { 0x62, 0xf1, 0x7d, 0x20, 0x74, 0x4f, 0x71 }, 7 },        /* vpcmpeqb */
	{ { 0x62, 0xf1, 0x7d, 0x20, 0x74, 0x0f }, 6 },              /* the same */
	{ { 0xc5, 0xfb, 0x93, 0xc1 }, 4 },                          /* kmovd */
	{ { 0xc4, 0xe1, 0xf8, 0x98, 0xc1 }, 5 },                    /* kortestq */
	{ { 0x62, 0xa3, 0x75, 0x20, 0x25, 0xd0, 0xde }, 7 },        /* vpternlogd */
	{ { 0x62, 0xe1, 0x6d, 0x20, 0xda, 0x15, 1, 2, 3, 4 }, 10 }, /* vpminub */
	{ { 0x62, 0xf5, 0x6c, 0x48, 0x58, 0xcb }, 6 },              /* vaddph */
	{ { 0x06 }, 1 },                                            /* none at all */
	{ { 0xff, 0xc0 }, 2 },                                      /* inc */
	{ { 0x75, 0xfe }, 2 },                                      /* jne to itself */
	{ { 0xc3 }, 1 },                                            /* ret */
};

static const struct coded arm64[] = {
	{ { 0x1f, 0x20, 0x03, 0xd5 }, 4 }, /* nop */
	{ { 0xff, 0xff, 0xff, 0xff }, 4 }, /* none */
	{ { 0x00, 0x00, 0x00, 0x14 }, 4 }, /* b to itself */
	{ { 0xc0, 0x03, 0x5f, 0xd6 }, 4 }, /* ret */
};

/* An ELF file of MACHINE with LEN bytes of CODE, and no more. */
static char *put_object(const char *root, uint16_t machine, const unsigned char *code,
			size_t len)
{
	const Elf64_Phdr load = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_offset = CODE,
				  .p_vaddr = CODE,
				  .p_filesz = len,
				  .p_memsz = len,
				  .p_align = CODE };
	const Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = machine,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(load),
		.e_phnum = 1,
	};
	unsigned char file[CODE + MOST * INSN_MAX] = { 0 };

	memcpy(file, &head, sizeof(head));
	memcpy(file + sizeof(head), &load, sizeof(load));
	memcpy(file + CODE, code, len);
	scratch_write(root, "object", file, CODE + len);
	return xasprintf("%s/object", root);
}

/* An unknown instruction has all of its bytes as text. */
static void check_text(const struct disassembly *d, size_t i, const struct coded *want)
{
	struct strbuf text = { 0 };

	for (unsigned int b = 0; b < want->size; b++)
		strbuf_addf(&text, "%s0x%02x", b ? ", " : ".byte   ", want->bytes[b]);
	is_str(d->text.data + d->list.data[i].text, text.data, "instruction %zu's bytes",
	       i);
	is_u64(d->list.data[i].target, 0, "it is no jump");
	strbuf_release(&text);
}

static void check(uint16_t machine, const struct coded *coded, size_t count,
		  size_t unknown)
{
	unsigned char code[MOST * INSN_MAX];
	char *root = scratch_make(), *path;
	struct disassembly d;
	size_t len = 0;

	for (size_t i = 0; i < count; len += coded[i++].size)
		memcpy(code + len, coded[i].bytes, coded[i].size);
	path = put_object(root, machine, code, len);
	is_i64(disassemble(
		       &d,
		       &(struct code_range){ .place = { .path = path, .trusted = true },
					     .start = CODE,
					     .size = len },
		       1),
	       0, "it is disassembled");
	is_u64(d.list.len, count, "as many instructions as there are");
	len = CODE;
	for (size_t i = 0; i < count && i < d.list.len; len += coded[i++].size) {
		is_u64(d.list.data[i].vaddr, len, "where instruction %zu starts", i);
		is_u64(d.list.data[i].size, coded[i].size, "its length");
		if (d.list.data[i].unknown)
			check_text(&d, i, &coded[i]);
	}
	ok(disassembly_unknown(&d, 0, d.list.len) >= unknown, "some are unknown");
	is_u64(disassembly_unknown(&d, d.list.len - 2, d.list.len), 0,
	       "the last are not");
	disassembly_release(&d);
	free(path);
	scratch_remove(root);
}

int main(void)
{
	check(EM_X86_64, x86, sizeof(x86) / sizeof(*x86), 1);
	check(EM_AARCH64, arm64, sizeof(arm64) / sizeof(*arm64), 1);
	return done_testing();
}
