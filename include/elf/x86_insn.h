/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes one x86-64 instruction: its length, and as much as is needed to follow the
 * stack pointer through code without call frame information.
 */
#ifndef X86_INSN_H
#define X86_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define X86_INSN_MAX 15 /* bytes */

/* Opcode maps: one byte, behind 0f, 0f 38, 0f 3a; 5 and 6: EVEX alone; 8 to 10: XOP. */
#define X86_OP(map, opcode) ((map) << 8 | (opcode))

struct x86_insn {
	uint8_t len;  /* bytes */
	uint16_t op;  /* X86_OP */
	bool vector;  /* VEX, EVEX or XOP: the map's opcodes have other meanings */
	bool has_rm;  /* there are mod and reg */
	uint8_t mod;  /* 3: rm is a register */
	uint8_t reg;  /* 0 … 15, in the hardware's order: rsp 4, rbp 5 */
	uint8_t rm;   /* the register, or the base of the address; without has_rm the
			 register that the opcode's low bits name */
	bool indexed; /* the address has an index, or no base */
	int32_t disp; /* of the address */
	int64_t imm;  /* sign-extended; a branch's distance */
};

/* Decodes the instruction at CODE; false if it is invalid, or longer than LEN. */
bool x86_insn_decode(const unsigned char *code, size_t len, struct x86_insn *insn);

#endif
