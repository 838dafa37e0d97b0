/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the instructions of an entry.  Each is first decoded into its opcode and operands
 * by a table of forms, then applied to the row.
 */
#include "unwind/cfi.h"

#include <dwarf.h>
#include <string.h>

/* Compilers nest DW_CFA_remember_state once; nothing known goes deeper than two. */
#define MAX_REMEMBERED 4

/* Opcodes that this libdw's dwarf.h may not have. */
#define CFA_AARCH64_NEGATE_RA_STATE_WITH_PC 0x2c

struct insn {
	uint8_t op;
	uint64_t a, b; /* operands; a signed one as its two's complement */
	const unsigned char *block;
};

/*
 * Forms: 'u' unsigned and 's' signed LEB128, 'b' a block with its length, '1' '2' '4'
 * '8' bytes, 'p' a pointer in the entry's encoding.  Absent: not an instruction.
 */
static const char *const forms[64] = {
	[DW_CFA_nop] = "",
	[DW_CFA_set_loc] = "p",
	[DW_CFA_advance_loc1] = "1",
	[DW_CFA_advance_loc2] = "2",
	[DW_CFA_advance_loc4] = "4",
	[DW_CFA_offset_extended] = "uu",
	[DW_CFA_restore_extended] = "u",
	[DW_CFA_undefined] = "u",
	[DW_CFA_same_value] = "u",
	[DW_CFA_register] = "uu",
	[DW_CFA_remember_state] = "",
	[DW_CFA_restore_state] = "",
	[DW_CFA_def_cfa] = "uu",
	[DW_CFA_def_cfa_register] = "u",
	[DW_CFA_def_cfa_offset] = "u",
	[DW_CFA_def_cfa_expression] = "b",
	[DW_CFA_expression] = "ub",
	[DW_CFA_offset_extended_sf] = "us",
	[DW_CFA_def_cfa_sf] = "us",
	[DW_CFA_def_cfa_offset_sf] = "s",
	[DW_CFA_val_offset] = "uu",
	[DW_CFA_val_offset_sf] = "us",
	[DW_CFA_val_expression] = "ub",
	[DW_CFA_MIPS_advance_loc8] = "8",
	[CFA_AARCH64_NEGATE_RA_STATE_WITH_PC] = "",
	[DW_CFA_GNU_window_save] = "", /* on aarch64: negate_ra_state */
	[DW_CFA_GNU_args_size] = "u",
	[DW_CFA_GNU_negative_offset_extended] = "uu",
};

struct run {
	const struct cfi *cfi;
	const struct cfi_fde *fde;
	struct cursor c;
	uint64_t loc;
	struct cfi_row *row;
	const struct cfi_row *initial; /* NULL while the CIE's own instructions run */
	unsigned int remembered;
	struct cfi_row saved[MAX_REMEMBERED];
};

static uint64_t read_operand(struct run *r, char form, struct insn *in)
{
	uint64_t len;

	switch (form) {
	case '1':
		return cursor_u8(&r->c);
	case '2':
		return cursor_u16(&r->c);
	case '4':
		return cursor_u32(&r->c);
	case '8':
		return cursor_u64(&r->c);
	case 's':
		return (uint64_t)cursor_sleb(&r->c);
	case 'p':
		return cfi_pointer(&r->cfi->section, &r->c, r->fde->cie.encoding, 0);
	case 'b':
		len = cursor_varint(&r->c);
		in->block = cursor_bytes(&r->c, len);
		return len;
	default:
		return cursor_varint(&r->c);
	}
}

/* The three opcodes with an operand in their low bits become their long forms. */
static bool read_insn(struct run *r, struct insn *in)
{
	uint8_t byte = cursor_u8(&r->c), low = byte & 0x3f;
	const char *form;

	*in = (struct insn){ .op = byte, .a = low };
	switch (byte & 0xc0) {
	case DW_CFA_advance_loc:
		in->op = DW_CFA_advance_loc4;
		break;
	case DW_CFA_offset:
		in->op = DW_CFA_offset_extended;
		in->b = cursor_varint(&r->c);
		break;
	case DW_CFA_restore:
		in->op = DW_CFA_restore_extended;
		break;
	default:
		form = forms[low];
		if (!form)
			return false;
		if (form[0])
			in->a = read_operand(r, form[0], in);
		if (form[0] && form[1])
			in->b = read_operand(r, form[1], in);
	}
	return cursor_ok(&r->c);
}

static bool set_cfa(struct run *r, uint64_t reg, uint64_t number)
{
	if (reg >= UNWIND_REGS)
		return false;
	r->row->cfa = (struct cfi_place){ .how = CFI_REGISTER,
					  .reg = (uint8_t)reg,
					  .number = (int64_t)number };
	return true;
}

static uint64_t factored(const struct run *r, uint64_t n)
{
	return n * (uint64_t)r->fde->cie.data_align;
}

/* Applies definitions of the CFA; only with a register can the offset alone change. */
static bool apply_cfa(struct run *r, const struct insn *in)
{
	struct cfi_place *cfa = &r->row->cfa;

	switch (in->op) {
	case DW_CFA_def_cfa:
		return set_cfa(r, in->a, in->b);
	case DW_CFA_def_cfa_sf:
		return set_cfa(r, in->a, factored(r, in->b));
	case DW_CFA_def_cfa_expression:
		if (in->a > UINT32_MAX)
			return false;
		*cfa = (struct cfi_place){ .how = CFI_VAL_EXPR,
					   .expr_len = (uint32_t)in->a,
					   .expr = in->block };
		return true;
	default:
		break;
	}
	if (cfa->how != CFI_REGISTER)
		return false;
	switch (in->op) {
	case DW_CFA_def_cfa_register:
		return set_cfa(r, in->a, (uint64_t)cfa->number);
	case DW_CFA_def_cfa_offset:
		return set_cfa(r, cfa->reg, in->a);
	default: /* DW_CFA_def_cfa_offset_sf */
		return set_cfa(r, cfa->reg, factored(r, in->a));
	}
}

static bool apply_restore(struct run *r, uint64_t reg)
{
	if (!r->initial)
		return false;
	if (reg < UNWIND_REGS)
		r->row->reg[reg] = r->initial->reg[reg];
	return true;
}

/* Sets the place of register A; registers that unwinding does not need are ignored. */
static bool apply_reg(struct run *r, const struct insn *in)
{
	struct cfi_place place = { .how = CFI_OFFSET };

	switch (in->op) {
	case DW_CFA_undefined:
		place.how = CFI_UNDEFINED;
		break;
	case DW_CFA_same_value:
		place.how = CFI_SAME;
		break;
	case DW_CFA_register:
		place.how = CFI_REGISTER;
		place.reg = in->b < UNWIND_REGS ? (uint8_t)in->b : UINT8_MAX;
		break;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		if (in->b > UINT32_MAX)
			return false;
		place.how = in->op == DW_CFA_expression ? CFI_EXPR : CFI_VAL_EXPR;
		place.expr_len = (uint32_t)in->b;
		place.expr = in->block;
		break;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		place.how = CFI_VAL_OFFSET;
		place.number = (int64_t)factored(r, in->b);
		break;
	case DW_CFA_GNU_negative_offset_extended:
		place.number = (int64_t)-factored(r, in->b);
		break;
	default: /* DW_CFA_offset_extended and …_sf */
		place.number = (int64_t)factored(r, in->b);
	}
	if (in->a < UNWIND_REGS)
		r->row->reg[in->a] = place;
	return true;
}

/* Remembers only the rules; the row's addresses stay. */
static bool apply_state(struct run *r, bool remember)
{
	uint64_t start = r->row->start;

	if (remember) {
		if (r->remembered == MAX_REMEMBERED)
			return false;
		r->saved[r->remembered++] = *r->row;
		return true;
	}
	if (!r->remembered)
		return false;
	*r->row = r->saved[--r->remembered];
	r->row->start = start;
	return true;
}

static bool apply(struct run *r, const struct insn *in)
{
	switch (in->op) {
	case DW_CFA_nop:
	case DW_CFA_GNU_args_size:
	case DW_CFA_GNU_window_save:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		return true;
	case DW_CFA_remember_state:
		return apply_state(r, true);
	case DW_CFA_restore_state:
		return apply_state(r, false);
	case DW_CFA_restore_extended:
		return apply_restore(r, in->a);
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_def_cfa_expression:
		return apply_cfa(r, in);
	default:
		return apply_reg(r, in);
	}
}

/* Whether IN starts a new row, and its address. */
static bool moves(const struct run *r, const struct insn *in, uint64_t *loc)
{
	switch (in->op) {
	case DW_CFA_set_loc:
		*loc = in->a;
		return true;
	case DW_CFA_advance_loc1:
	case DW_CFA_advance_loc2:
	case DW_CFA_advance_loc4:
	case DW_CFA_MIPS_advance_loc8:
		*loc = r->loc + in->a * r->fde->cie.code_align;
		return true;
	default:
		return false;
	}
}

/* Runs the instructions from FROM to END, or until the row of ADDRESS is whole. */
static bool run(struct run *r, const unsigned char *from, const unsigned char *end,
		uint64_t address, uint32_t *fuel)
{
	struct insn in;
	uint64_t loc;

	cursor_init(&r->c, from, (size_t)(end - from));
	while (cursor_left(&r->c)) {
		if (!*fuel)
			return false;
		--*fuel;
		if (!read_insn(r, &in))
			return false;
		if (!moves(r, &in, &loc)) {
			if (!apply(r, &in))
				return false;
			continue;
		}
		if (!r->initial || loc < r->loc)
			return false; /* a CIE has no rows; rows go upwards */
		if (loc > address) {
			r->row->end = loc;
			break;
		}
		r->loc = r->row->start = loc;
	}
	return true;
}

bool cfi_row_at(const struct cfi *cfi, const struct cfi_fde *fde, uint64_t address,
		uint32_t *fuel, struct cfi_row *row)
{
	struct cfi_row initial;
	struct run r; /* not initialised as a whole: the saved rows are large */

	r.cfi = cfi;
	r.fde = fde;
	r.loc = fde->start;
	r.row = row;
	r.initial = NULL;
	r.remembered = 0;
	if (fde->cie.ra >= UNWIND_REGS)
		return false;
	memset(row, 0, sizeof(*row));
	row->signal = fde->cie.signal;
	row->ra = (uint8_t)fde->cie.ra;
	row->start = fde->start;
	row->end = fde->end;
	if (!run(&r, fde->cie.initial, fde->cie.initial_end, UINT64_MAX, fuel))
		return false;
	initial = *row;
	r.initial = &initial;
	r.remembered = 0;
	return run(&r, fde->insns, fde->insns_end, address, fuel);
}
