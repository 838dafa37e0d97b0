/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/code_reach.h"

#include <elf.h>
#include <stdlib.h>

#include "base/vec.h"
#include "elf/x86_insn.h"
#include "base/xalloc.h"

/* The most bytes of one function to look at: no honest one is longer. */
#define REACH_MAX ((uint64_t)1 << 20)

/* The properties of an instruction that are needed to follow code. */
struct step {
	uint8_t len;
	bool branches; /* TARGET may be next; from the instruction's own start */
	bool ends;     /* the next instruction is not reached */
	bool pads;     /* fills the space between functions */
	int64_t target;
};

struct reach_machine {
	uint16_t machine;
	bool (*decode)(const unsigned char *code, size_t len, struct step *out);
};

/* ---- x86-64 ---- */

static bool is_jcc(unsigned op)
{
	return (op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3) ||
	       (op >= X86_OP(1, 0x80) && op <= X86_OP(1, 0x8f));
}

/* ret, hlt, int3, ud2, or a jump through a register or memory. */
static bool ends_way(const struct x86_insn *insn)
{
	return insn->op == 0xc2 || insn->op == 0xc3 || insn->op == 0xf4 ||
	       insn->op == 0xcc || insn->op == X86_OP(1, 0x0b) ||
	       (insn->op == 0xff && insn->reg % 8 == 4);
}

/* nop in its forms, int3. */
static bool is_x86_padding(const struct x86_insn *insn)
{
	return insn->op == 0x90 || insn->op == X86_OP(1, 0x1f) || insn->op == 0xcc;
}

static bool decode_x86_64(const unsigned char *code, size_t len, struct step *out)
{
	struct x86_insn insn;
	bool jumps;

	if (!x86_insn_decode(code, len, &insn))
		return false;
	*out = (struct step){ .len = insn.len };
	if (insn.vector)
		return true;
	jumps = insn.op == 0xe9 || insn.op == 0xeb;
	out->branches = jumps || is_jcc(insn.op);
	out->target = insn.len + insn.imm;
	out->ends = jumps || ends_way(&insn);
	out->pads = is_x86_padding(&insn);
	return true;
}

/* ---- aarch64 ---- */

/* The BITS of an instruction from bit LOW on, a signed number of words. */
static int64_t words_at(uint32_t insn, unsigned low, unsigned bits)
{
	return ((int64_t)((uint64_t)insn << (64 - low - bits)) >> (64 - bits)) * 4;
}

enum { A64_NOP = 0xd503201f };

/* br, ret, eret and their authenticated forms; blr returns. */
static bool leaves_by_register(uint32_t insn)
{
	return (insn & 0xfe1f0000) == 0xd61f0000 && (insn >> 21 & 7) != 1;
}

static bool decode_aarch64(const unsigned char *code, size_t len, struct step *out)
{
	uint32_t insn;

	if (len < 4)
		return false;
	insn = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
	       (uint32_t)code[3] << 24;
	*out = (struct step){ .len = 4, .branches = true };
	if ((insn & 0xfc000000) == 0x14000000) { /* b */
		out->target = words_at(insn, 0, 26);
		out->ends = true;
	} else if ((insn & 0xff000000) == 0x54000000 || /* b.cond, bc.cond */
		   (insn & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
		out->target = words_at(insn, 5, 19);
	} else if ((insn & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		out->target = words_at(insn, 5, 14);
	} else {
		out->branches = false;
		out->ends = leaves_by_register(insn) || (insn & 0xffff0000) == 0 ||
			    (insn & 0xffe0001f) == 0xd4200000; /* udf, brk */
		out->pads = insn == A64_NOP || !insn;
	}
	return insn || out->pads;
}

/* ---- following ---- */

static const struct reach_machine machines[] = {
	{ EM_X86_64, decode_x86_64 },
	{ EM_AARCH64, decode_aarch64 },
};

static const struct reach_machine *machine_of(const struct elf_image *img)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == img->machine && img->is64 && !img->swap)
			return &machines[i];
	return NULL;
}

bool code_reach_knows(const struct elf_image *img)
{
	return machine_of(img) != NULL;
}

struct follower {
	const struct reach_machine *machine;
	struct strbuf code;
	uint8_t *met;     /* by byte: the length of the instruction found there, or 0 */
	VEC(size_t) ways; /* to follow */
};

static bool decode_at(const struct follower *f, size_t at, struct step *out)
{
	return f->machine->decode((const unsigned char *)f->code.data + at,
				  f->code.len - at, out);
}

/* Follows code from AT until the path ends or meets known code. */
static void follow(struct follower *f, size_t at)
{
	struct step step;

	while (at < f->code.len && !f->met[at] && decode_at(f, at, &step)) {
		f->met[at] = step.len;
		if (step.branches && step.target + (int64_t)at >= 0 &&
		    step.target + (int64_t)at < (int64_t)f->code.len)
			*vec_push(&f->ways) = (size_t)(step.target + (int64_t)at);
		if (step.ends)
			return;
		at += step.len;
	}
}

/* The end of the padding at AT. */
static size_t skip_padding(const struct follower *f, size_t at)
{
	struct step step;

	while (at < f->code.len && !f->met[at] && decode_at(f, at, &step) && step.pads)
		at += step.len;
	return at;
}

/* The end of the code found from the start on, without a gap except padding. */
static size_t met_at_once(const struct follower *f)
{
	size_t end = 0, at = 0;

	while (at < f->code.len && f->met[at]) {
		end = at + f->met[at];
		at = skip_padding(f, end);
	}
	return end;
}

uint64_t code_reach(const struct elf_image *img, uint64_t start, uint64_t limit)
{
	const struct elf_segment *segment = elf_segment_at_vaddr(img, start);
	struct follower f = { .machine = machine_of(img) };
	uint64_t len = limit - start, left;
	size_t end = 0;

	if (!f.machine || !segment || limit <= start)
		return start;
	left = segment->filesz - (start - segment->vaddr);
	len = len < left ? len : left;
	len = len < REACH_MAX ? len : REACH_MAX;
	if (elf_image_read(img, start - segment->vaddr + segment->offset, len, &f.code))
		goto out;
	f.met = xcalloc(f.code.len + 1, sizeof(*f.met));
	*vec_push(&f.ways) = 0;
	while (f.ways.len)
		follow(&f, f.ways.data[--f.ways.len]);
	end = met_at_once(&f);
out:
	free(f.met);
	vec_release(&f.ways);
	strbuf_release(&f.code);
	return start + end;
}
