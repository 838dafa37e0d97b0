/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information of arbitrary bytes: found, run, turned into rules, and used for
 * steps.  The input's first byte selects the kind, the second is the length of the
 * .eh_frame_hdr that precedes the section.
 *
 *	bit 0: aarch64, else x86-64
 *	bit 1: .debug_frame, else .eh_frame
 *	bit 2: the table is used where there is one
 */
#include <stdlib.h>
#include <string.h>

#include "unwind/cfi.h"
#include "unwind/rule.h"
#include "unwind/step.h"

#define HDR_ADDRESS UINT64_C(0x400000)
#define STACK       UINT64_C(0x7ffff000)
#define MAX_ENTRIES 64
#define FUEL        10000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void set_regs(const struct unwind_arch *arch, struct unwind_regs *regs)
{
	*regs = (struct unwind_regs){ .pc = HDR_ADDRESS };
	for (unsigned int n = 0; n < arch->nregs; n++)
		unwind_reg_set(regs, n, STACK + 16 * n);
}

static void step(const struct unwind_arch *arch, const struct cfi_row *row)
{
	uint64_t words[64];
	const struct stack_copy stack = {
		.bytes = (const unsigned char *)words,
		.len = sizeof(words),
		.start = STACK,
	};
	struct unwind_rule rule = unwind_rule_of(row, arch);
	struct step_result result;
	struct unwind_regs regs;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		words[i] = STACK + i * 8;
	set_regs(arch, &regs);
	step_by_row(arch, row, &stack, &regs, &result);
	if (rule.kind == RULE_NONE || rule.kind == RULE_ROOT || rule.kind == RULE_SLOW)
		return;
	set_regs(arch, &regs);
	step_by_rule(arch, &rule, &stack, &regs, &result);
}

static void look_up(const struct cfi *cfi, const struct unwind_arch *arch,
		    uint64_t address)
{
	struct cfi_fde fde;
	struct cfi_row row;
	uint32_t fuel = FUEL;

	if (!cfi_find(cfi, address, &fde))
		return;
	/* By rows: a function may have millions. */
	for (unsigned int n = 0; n < MAX_ENTRIES && address < fde.end; n++) {
		if (!cfi_row_at(cfi, &fde, address, &fuel, &row))
			return;
		if (address < row.start || address >= row.end)
			abort();
		step(arch, &row);
		address = row.end;
	}
}

/* Where the table or the index says that functions start. */
static uint64_t start_of(const struct cfi *cfi, size_t i)
{
	int32_t distance;

	if (!cfi->table)
		return cfi->index.data[i].start;
	memcpy(&distance, cfi->table + i * 8, sizeof(distance));
	return cfi->table_base + (uint64_t)(int64_t)distance;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const struct unwind_arch *arch;
	size_t hdr_len, entries;
	struct cfi cfi;

	if (len < 2 || len - 2 < bytes[1])
		return 0;
	arch = bytes[0] & 1 ? &unwind_aarch64 : &unwind_x86_64;
	hdr_len = bytes[1];
	cfi_init(&cfi, bytes + 2 + hdr_len, len - 2 - hdr_len, HDR_ADDRESS + hdr_len,
		 !(bytes[0] & 2));
	if (bytes[0] & 4)
		cfi_set_table(&cfi, bytes + 2, hdr_len, HDR_ADDRESS);
	if (!cfi.table)
		cfi_make_index(&cfi);
	entries = cfi.table ? cfi.table_len : cfi.index.len;
	for (size_t i = 0; i < entries && i < MAX_ENTRIES; i++)
		look_up(&cfi, arch, start_of(&cfi, i));
	cfi_release(&cfi);
	return 0;
}
