/* SPDX-License-Identifier: Apache-2.0 */
#include "model/disassembly.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>

#include "elf/demangle.h"
#include "elf/image.h"
#include "elf/lineinfo_apart.h"
#include "elf/objsyms.h"
#include "elf/vdso.h"

/* Functions are smaller; a larger one is damaged. */
enum { CODE_MAX = 16 << 20 };

void disassembly_release(struct disassembly *d)
{
	vec_release(&d->list);
	strbuf_release(&d->text);
	line_answers_release(&d->lines);
}

/* ---- decoding ---- */

static const struct {
	uint16_t machine; /* EM_* */
	cs_arch arch;
	cs_mode mode;
} decoders[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN },
};

/* With AT&T's syntax on x86, as in objdump, and bytes that are no code as data. */
static int open_decoder(uint16_t machine, csh *out)
{
	for (size_t i = 0; i < sizeof(decoders) / sizeof(decoders[0]); i++) {
		if (decoders[i].machine != machine)
			continue;
		if (cs_open(decoders[i].arch, decoders[i].mode, out) != CS_ERR_OK)
			return -ENOTSUP;
		if (machine == EM_X86_64)
			cs_option(*out, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
		cs_option(*out, CS_OPT_DETAIL, CS_OPT_ON);
		cs_option(*out, CS_OPT_SKIPDATA, CS_OPT_ON);
		return 0;
	}
	return -ENOTSUP;
}

/* The target of a branch: the last number of its operands, unless it is in memory. */
static bool branch_target(csh decoder, const cs_insn *insn, uint64_t *target)
{
	const char *number = NULL;

	if (!insn->id || insn->op_str[0] == '*' || strchr(insn->op_str, '(') ||
	    strchr(insn->op_str, '[') ||
	    (!cs_insn_group(decoder, insn, CS_GRP_JUMP) &&
	     !cs_insn_group(decoder, insn, CS_GRP_CALL)))
		return false;
	for (const char *at = insn->op_str; (at = strstr(at, "0x")); at += 2)
		number = at;
	if (number)
		*target = strtoull(number, NULL, 16);
	return number != NULL;
}

/* " <main+0x1f>" */
static void put_target(const struct objsyms *syms, const struct elf_image *img,
		       uint64_t vaddr, struct strbuf *out)
{
	struct symbol sym;
	uint64_t offset;

	if (!elf_image_offset(img, vaddr, &offset))
		return;
	objsyms_at(syms, offset, &sym);
	if (!sym.name)
		return;
	strbuf_addstr(out, " <");
	demangle(sym.name, out, DEMANGLE_SHORT);
	if (vaddr != sym.vaddr)
		strbuf_addf(out, "+0x%" PRIx64, vaddr - sym.vaddr);
	strbuf_addch(out, '>');
}

/* The state of decoding. */
struct work {
	csh decoder;
	struct elf_image img;
	struct objsyms syms;
};

static void add_instruction(struct disassembly *out, const struct work *work,
			    const cs_insn *insn, uint64_t offset)
{
	uint64_t target;

	*vec_push(&out->list) = (struct instruction){
		.offset = offset,
		.vaddr = insn->address,
		.size = insn->size,
		.text = out->text.len,
	};
	strbuf_addf(&out->text, insn->op_str[0] ? "%-7s %s" : "%s%s", insn->mnemonic,
		    insn->op_str);
	if (branch_target(work->decoder, insn, &target))
		put_target(&work->syms, &work->img, target, &out->text);
	strbuf_addch(&out->text, '\0');
}

static int decode(struct disassembly *out, const struct work *work, uint64_t start,
		  uint64_t size)
{
	struct strbuf bytes = { 0 };
	uint64_t vaddr, first;
	const uint8_t *at;
	size_t left;
	cs_insn *insn;
	int error;

	if (!size || size > CODE_MAX || !elf_image_vaddr(&work->img, start, &first))
		return -ENODATA;
	error = elf_image_read(&work->img, start, size, &bytes);
	if (error)
		return -ENODATA;
	insn = cs_malloc(work->decoder);
	at = (const uint8_t *)bytes.data;
	left = bytes.len;
	vaddr = first;
	while (insn && cs_disasm_iter(work->decoder, &at, &left, &vaddr, insn))
		add_instruction(out, work, insn, start + (insn->address - first));
	if (insn)
		cs_free(insn, 1);
	strbuf_release(&bytes);
	return out->list.len ? 0 : -ENODATA;
}

/* ---- the whole ---- */

static void add_lines(struct disassembly *out, const struct code_range *range)
{
	VEC(uint64_t) offsets = { 0 };
	struct line_job job = { 0 };

	if (lineinfo_open(&range->place, &job.info))
		return;
	vec_for_each(const struct instruction, insn, &out->list)
		*vec_push(&offsets) = insn->offset;
	job.offsets = offsets.data;
	job.count = offsets.len;
	lineinfo_ask(&job, 1, NULL, NULL);
	if (!job.error) {
		out->lines = job.reply.answers;
		free(job.reply.missing);
	}
	vec_release(&offsets);
	lineinfo_free(job.info);
}

static uint64_t size_of(const struct objsyms *syms, const struct code_range *range)
{
	struct symbol sym;

	if (range->size)
		return range->size;
	objsyms_at(syms, range->start, &sym);
	return sym.until - range->start;
}

/* The vDSO of the recorded kernel, if that is the running one. */
static int open_vdso(const char *build_id, struct elf_image *img)
{
	size_t len;
	const void *image = vdso_image(&len);
	int error = image ? elf_image_memory(img, image, len) : -ENOENT;

	if (error || build_id_same(img->build_id.hex, build_id))
		return error;
	elf_image_release(img);
	return -ESTALE;
}

static int open_code(const struct code_range *range, struct elf_image *img)
{
	return range->vdso ? open_vdso(range->place.build_id, img)
			   : object_file_open(&range->place, img);
}

int disassemble(struct disassembly *out, const struct code_range *range)
{
	struct work work;
	int error;

	*out = (struct disassembly){ 0 };
	error = open_code(range, &work.img);
	if (error)
		return error;
	error = objsyms_read_image(&work.syms, &work.img,
				   range->vdso ? NULL : &range->place);
	if (!error)
		error = open_decoder(work.img.machine, &work.decoder);
	if (!error) {
		error = decode(out, &work, range->start, size_of(&work.syms, range));
		cs_close(&work.decoder);
	}
	if (!error && elf_image_is_changed(&work.img))
		error = -ESTALE;
	if (!error && !range->vdso)
		add_lines(out, range);
	objsyms_release(&work.syms);
	elf_image_release(&work.img);
	return error;
}
