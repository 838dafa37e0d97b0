/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/x86_insn.h"

#include <string.h>

#include "base/cursor.h"

enum {
	RSP = 4,
	RBP = 5,
	REX_W = 8,
	REX_R = 4,
	REX_B = 1,
};

/*
 * The bytes behind each opcode: '.' none; 'b' one, 'w' two, 'z' four (two behind 66), 'v'
 * an operand of full size, 'o' an address, 'e' three bytes, 'j' a branch's four; 'm' a
 * ModRM byte and its operands, 'B' and 'Z' the same with b and z, 'f' and 'F' if only two
 * of the eight take an immediate; '-' is invalid, or a prefix.
 */
static const char one_byte[] = "mmmmbz--mmmmbz--" /* 00 */
			       "mmmmbz--mmmmbz--"
			       "mmmmbz--mmmmbz--" /* 20 */
			       "mmmmbz--mmmmbz--"
			       "----------------" /* 40 */
			       "................"
			       "---m----zZbB...." /* 60 */
			       "bbbbbbbbbbbbbbbb"
			       "BZ-Bmmmmmmmmmmmm" /* 80 */
			       "..........-....."
			       "oooo....bz......" /* a0 */
			       "bbbbbbbbvvvvvvvv"
			       "BBw.--BZe.w..b-." /* c0 */
			       "mmmm---.mmmmmmmm"
			       "bbbbbbbbjj-b...." /* e0 */
			       "-.--..fF......mm";

static const char two_byte[] = "mmmm-.....-.-m.B" /* 00 */
			       "mmmmmmmmmmmmmmmm"
			       "mmmm----mmmmmmmm" /* 20 */
			       "........--------"
			       "mmmmmmmmmmmmmmmm" /* 40 */
			       "mmmmmmmmmmmmmmmm"
			       "mmmmmmmmmmmmmmmm" /* 60 */
			       "BBBBmmm.mmmmmmmm"
			       "jjjjjjjjjjjjjjjj" /* 80 */
			       "mmmmmmmmmmmmmmmm"
			       "...mBm--...mBmmm" /* a0 */
			       "mmmmmmmmmmBmmmmm"
			       "mmBmBBBm........" /* c0 */
			       "mmmmmmmmmmmmmmmm"
			       "mmmmmmmmmmmmmmmm" /* e0 */
			       "mmmmmmmmmmmmmmmm";

struct decoder {
	struct cursor c;
	struct x86_insn *insn;
	uint8_t rex;
	bool short_operand, short_address; /* prefixes 66 and 67 */
};

static bool is_prefix(uint8_t byte)
{
	static const unsigned char prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
						  0x66, 0x67, 0xf0, 0xf2, 0xf3 };

	return memchr(prefixes, byte, sizeof(prefixes));
}

/* Skips prefixes, and returns the byte behind them; REX counts only as the last. */
static uint8_t skip_prefixes(struct decoder *d)
{
	uint8_t byte = cursor_u8(&d->c);

	for (; is_prefix(byte); byte = cursor_u8(&d->c)) {
		d->short_operand |= byte == 0x66;
		d->short_address |= byte == 0x67;
	}
	if (byte >> 4 == 4) {
		d->rex = byte & 15;
		byte = cursor_u8(&d->c);
	}
	return byte;
}

static void set_op(struct decoder *d, unsigned int map)
{
	d->insn->op = (uint16_t)X86_OP(map, cursor_u8(&d->c));
}

/* Behind 0f. */
static void read_escaped(struct decoder *d)
{
	uint8_t byte = cursor_u8(&d->c);

	if (byte == 0x38)
		set_op(d, 2);
	else if (byte == 0x3a)
		set_op(d, 3);
	else
		d->insn->op = (uint16_t)X86_OP(1, byte);
}

/* EVEX has two maps more, of numbers of 16 bits. */
static bool is_half_map(uint8_t first, unsigned int map)
{
	return first == 0x62 && (map == 5 || map == 6);
}

/*
 * VEX, of two or three bytes, and EVEX, of four: the second byte has the map, except in
 * the shortest form, which is only for 0f's map.
 */
static void read_vector(struct decoder *d, uint8_t first)
{
	uint8_t second = cursor_u8(&d->c);
	unsigned int map = first == 0xc5 ? 1 : second & 7;

	d->insn->vector = true;
	for (int more = first == 0xc5 ? 0 : first == 0xc4 ? 1 : 2; more; more--)
		cursor_u8(&d->c);
	if (!map || (map > 3 && !is_half_map(first, map)))
		cursor_fail(&d->c);
	set_op(d, map);
}

enum { XOP_MAP_MIN = 8, XOP_MAP_MAX = 10 };

/*
 * AMD's XOP: 8f, the map, a byte, the opcode.  Behind pop's 8f comes a ModRM byte with
 * reg 0, which would be a lower map; AMD64 manual, volume 3, 1.2.7.
 */
static bool is_xop(const struct decoder *d, uint8_t first)
{
	return first == 0x8f && d->c.at < d->c.end && (*d->c.at & 31) >= XOP_MAP_MIN;
}

static void read_xop(struct decoder *d)
{
	unsigned int map = cursor_u8(&d->c) & 31;

	d->insn->vector = true;
	cursor_u8(&d->c);
	if (map > XOP_MAP_MAX)
		cursor_fail(&d->c);
	else
		set_op(d, map);
}

static void read_op(struct decoder *d)
{
	uint8_t byte = skip_prefixes(d);

	if (byte == 0x0f)
		read_escaped(d);
	else if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		read_vector(d, byte);
	else if (is_xop(d, byte))
		read_xop(d);
	else
		d->insn->op = byte;
}

/* Of whole maps, by their number. */
static const char of_map[] = "--mB-mm-BmZ";

static char form_of(const struct x86_insn *insn)
{
	unsigned int map = insn->op >> 8, opcode = insn->op & 0xff;

	return map == 0 ? one_byte[opcode] : map == 1 ? two_byte[opcode] : of_map[map];
}

/* A scale-index-base byte; with mod 0, base 5 means a displacement instead. */
static void read_sib(struct decoder *d)
{
	uint8_t sib = cursor_u8(&d->c), base = sib & 7;

	d->insn->indexed = (sib >> 3 & 7) != RSP || (base == RBP && !d->insn->mod);
	d->insn->rm = (uint8_t)(base | (d->rex & REX_B ? 8 : 0));
	if (base == RBP && !d->insn->mod)
		d->insn->disp = (int32_t)cursor_u32(&d->c);
}

static void read_rm(struct decoder *d)
{
	uint8_t byte = cursor_u8(&d->c), rm = byte & 7;
	struct x86_insn *insn = d->insn;

	insn->has_rm = true;
	insn->mod = byte >> 6;
	insn->reg = (uint8_t)((byte >> 3 & 7) | (d->rex & REX_R ? 8 : 0));
	insn->rm = (uint8_t)(rm | (d->rex & REX_B ? 8 : 0));
	if (insn->mod == 3)
		return;
	if (rm == RSP) {
		read_sib(d);
	} else if (rm == RBP && !insn->mod) { /* relative to the pc */
		insn->indexed = true;
		insn->disp = (int32_t)cursor_u32(&d->c);
	}
	if (insn->mod == 1)
		insn->disp = (int8_t)cursor_u8(&d->c);
	else if (insn->mod == 2)
		insn->disp = (int32_t)cursor_u32(&d->c);
}

static void read_imm(struct decoder *d, char form)
{
	int64_t *imm = &d->insn->imm;

	switch (form) {
	case 'b':
		*imm = (int8_t)cursor_u8(&d->c);
		break;
	case 'w':
		*imm = (int16_t)cursor_u16(&d->c);
		break;
	case 'j':
		*imm = (int32_t)cursor_u32(&d->c);
		break;
	case 'e':
		cursor_u16(&d->c);
		cursor_u8(&d->c);
		break;
	case 'o':
		*imm = d->short_address ? cursor_u32(&d->c) : (int64_t)cursor_u64(&d->c);
		break;
	default: /* z, v */
		if (form == 'v' && d->rex & REX_W)
			*imm = (int64_t)cursor_u64(&d->c);
		else if (d->short_operand)
			*imm = (int16_t)cursor_u16(&d->c);
		else
			*imm = (int32_t)cursor_u32(&d->c);
	}
}

static void read_operands(struct decoder *d)
{
	char form = form_of(d->insn);

	if (form == '-')
		cursor_fail(&d->c);
	if (strchr("mBZfF", form))
		read_rm(d);
	else
		d->insn->rm = (uint8_t)((d->insn->op & 7) | (d->rex & REX_B ? 8 : 0));
	if (form == 'B' || (form == 'f' && d->insn->reg % 8 < 2))
		read_imm(d, 'b');
	else if (form == 'Z' || (form == 'F' && d->insn->reg % 8 < 2))
		read_imm(d, 'z');
	else if (strchr("bwzvoej", form))
		read_imm(d, form);
}

bool x86_insn_decode(const unsigned char *code, size_t len, struct x86_insn *insn)
{
	struct decoder d = { .insn = insn };

	*insn = (struct x86_insn){ 0 };
	cursor_init(&d.c, code, len < X86_INSN_MAX ? len : X86_INSN_MAX);
	read_op(&d);
	read_operands(&d);
	insn->len = (uint8_t)(d.c.at - code);
	return cursor_ok(&d.c);
}
