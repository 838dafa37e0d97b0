/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/cfi_read.h"

#include <dwarf.h>

int64_t cfi_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (shift > 63) {
			cursor_fail(c);
			return 0;
		}
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (byte & 0x40 && shift < 64)
		value |= UINT64_MAX << shift;
	return (int64_t)value;
}

static uint64_t pointer_base(struct cursor *c, uint8_t how, uint64_t here,
			     uint64_t datarel)
{
	switch (how) {
	case DW_EH_PE_absptr:
		return 0;
	case DW_EH_PE_pcrel:
		return here;
	case DW_EH_PE_datarel:
		return datarel;
	default:
		cursor_fail(c);
		return 0;
	}
}

static uint64_t pointer_value(struct cursor *c, uint8_t form)
{
	switch (form) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor_u64(c);
	case DW_EH_PE_udata4:
		return cursor_u32(c);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)cursor_u32(c);
	case DW_EH_PE_udata2:
		return cursor_u16(c);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)cursor_u16(c);
	case DW_EH_PE_uleb128:
		return cursor_varint(c);
	case DW_EH_PE_sleb128:
		return (uint64_t)cfi_sleb(c);
	default:
		cursor_fail(c);
		return 0;
	}
}

uint64_t cfi_pointer(struct cursor *c, uint8_t encoding, const unsigned char *bytes,
		     uint64_t vaddr, uint64_t datarel)
{
	uint64_t here = vaddr + (uint64_t)(c->at - bytes);
	uint64_t base = pointer_base(c, encoding & 0x70, here, datarel);
	uint64_t value = pointer_value(c, encoding & 0x0f);

	/* An indirect pointer is in memory that the file does not have. */
	if (encoding & DW_EH_PE_indirect)
		cursor_fail(c);
	return cursor_ok(c) ? base + value : 0;
}
