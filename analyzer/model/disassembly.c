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
#include "model/unknown_insn.h"
#include "model/vmlinux.h"
#include "base/sorted.h"

/* Functions are smaller; a larger one is damaged. */
enum { CODE_MAX = 16 << 20 };

void disassembly_release(struct disassembly *d)
{
	vec_release(&d->list);
	strbuf_release(&d->text);
	line_answers_release(&d->lines);
}

uint32_t disassembly_at(const struct disassembly *code, uint64_t offset)
{
	size_t n = sorted_up_to(code->list.data, code->list.len, offset, offset);

	if (!n || offset - code->list.data[n - 1].offset >= code->list.data[n - 1].size)
		return 0;
	return (uint32_t)n;
}

const struct line_frame *disassembly_line(const struct disassembly *code, size_t i)
{
	struct line_answer answer = { 0 };

	if (i < code->lines.places.len)
		answer = code->lines.places.data[i];
	return answer.count ? &code->lines.frames.data[answer.first] : NULL;
}

size_t disassembly_unknown(const struct disassembly *code, size_t from, size_t end)
{
	size_t count = 0;

	for (size_t i = from; i < end; i++)
		count += code->list.data[i].unknown;
	return count;
}

/* ---- decoding ---- */

static const struct {
	uint16_t machine; /* EM_* */
	cs_arch arch;
	cs_mode mode;
	/*
	 * The length of what it does not know; NULL: as all.  It would look for the next
	 * instruction within that one, and find false ones, jumps too.
	 */
	cs_skipdata_cb_t unknown;
} decoders[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64, unknown_insn_x86 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, NULL },
};

/* With AT&T's syntax on x86, as in objdump, and what it does not know as ".byte". */
static int open_decoder(uint16_t machine, csh *out)
{
	for (size_t i = 0; i < sizeof(decoders) / sizeof(decoders[0]); i++) {
		const cs_opt_skipdata skip = { .mnemonic = ".byte",
					       .callback = decoders[i].unknown };

		if (decoders[i].machine != machine)
			continue;
		if (cs_open(decoders[i].arch, decoders[i].mode, out) != CS_ERR_OK)
			return -ENOTSUP;
		if (machine == EM_X86_64)
			cs_option(*out, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
		cs_option(*out, CS_OPT_DETAIL, CS_OPT_ON);
		cs_option(*out, CS_OPT_SKIPDATA, CS_OPT_ON);
		cs_option(*out, CS_OPT_SKIPDATA_SETUP, (size_t)&skip);
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
	const struct object_place *place; /* of IMG; NULL: the vDSO */
	struct vmlinux kernel;            /* if IMG is one */
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
		.unknown = !insn->id,
	};
	strbuf_addf(&out->text, insn->op_str[0] ? "%-7s %s" : "%s%s", insn->mnemonic,
		    insn->op_str);
	if (branch_target(work->decoder, insn, &target)) {
		put_target(&work->syms, &work->img, target, &out->text);
		if (cs_insn_group(work->decoder, insn, CS_GRP_JUMP))
			out->list.data[out->list.len - 1].target = target;
	}
	strbuf_addch(&out->text, '\0');
}

static int decode(struct disassembly *out, const struct work *work, uint64_t start,
		  uint64_t size)
{
	const uint64_t in_file = start + work->kernel.shift;
	struct strbuf bytes = { 0 };
	size_t before = out->list.len;
	uint64_t vaddr, first;
	const uint8_t *at;
	size_t left;
	cs_insn *insn;
	int error;

	if (!size || size > CODE_MAX || !elf_image_vaddr(&work->img, in_file, &first))
		return -ENODATA;
	error = elf_image_read(&work->img, in_file, size, &bytes);
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
	return out->list.len > before ? 0 : -ENODATA;
}

/* ---- the whole ---- */

static void add_lines(struct disassembly *out, const struct work *work)
{
	VEC(uint64_t) offsets = { 0 };
	struct line_job job = { 0 };

	if (!work->place || lineinfo_open(work->place, &job.info))
		return;
	vec_for_each(const struct instruction, insn, &out->list)
		*vec_push(&offsets) = insn->offset + work->kernel.shift;
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

static uint64_t size_of(const struct work *work, const struct code_range *range)
{
	struct symbol sym;

	if (range->size)
		return range->size;
	objsyms_at(&work->syms, range->start + work->kernel.shift, &sym);
	return sym.until - range->start - work->kernel.shift;
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

static int open_code(struct work *work, const struct code_range *range)
{
	if (range->vdso)
		return open_vdso(range->place.build_id, &work->img);
	if (range->release) {
		work->place = &work->kernel.place;
		return vmlinux_open(&work->kernel, &range->place, range->release,
				    &work->img);
	}
	work->place = &range->place;
	return object_file_settled(&range->place, &work->img, NULL);
}

/* Offsets are from the kernel's first byte only if its function starts there. */
static int check_symbol(const struct work *work, const struct code_range *range)
{
	struct symbol sym;

	if (!range->release)
		return 0;
	objsyms_at(&work->syms, range->start + work->kernel.shift, &sym);
	return sym.name && sym.start == range->start + work->kernel.shift &&
			       !strcmp(sym.name, range->symbol)
		       ? 0
		       : -ENOKEY;
}

/* 0 if any has code. */
static int decode_all(struct disassembly *out, const struct work *work,
		      const struct code_range *ranges, size_t count)
{
	int error = -ENODATA;

	for (size_t i = 0; i < count; i++) {
		int status = decode(out, work, ranges[i].start,
				    size_of(work, &ranges[i]));

		error = status && error ? status : 0;
	}
	return error;
}

int disassemble(struct disassembly *out, const struct code_range *ranges, size_t count)
{
	struct work work = { 0 };
	int error;

	*out = (struct disassembly){ 0 };
	error = open_code(&work, ranges);
	if (!error) {
		error = objsyms_read_image(&work.syms, &work.img, work.place);
		if (!error)
			error = check_symbol(&work, ranges);
		if (!error)
			error = open_decoder(work.img.machine, &work.decoder);
		if (!error) {
			error = decode_all(out, &work, ranges, count);
			cs_close(&work.decoder);
		}
		if (!error && elf_image_is_changed(&work.img))
			error = -ESTALE;
		if (!error)
			add_lines(out, &work);
		objsyms_release(&work.syms);
		elf_image_release(&work.img);
	}
	vmlinux_release(&work.kernel);
	return error;
}
