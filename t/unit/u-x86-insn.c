/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths of x86-64 instructions whose first byte is ambiguous, as GNU as encodes them. */
#include "elf/x86_insn.h"

#include <stdlib.h>

#include "tap.h"

static const struct {
	const char *text;
	unsigned char code[X86_INSN_MAX];
	unsigned int len;
	bool vector;
} cases[] = {
	{ "pop (%rax)", { 0x8f, 0x00 }, 2, false },
	{ "pop 8(%r9)", { 0x41, 0x8f, 0x41, 0x08 }, 4, false },
	{ "vprotd $7, %xmm1, %xmm2", { 0x8f, 0xe8, 0x78, 0xc2, 0xd1, 7 }, 6, true },
	{ "vprotd $7, 100000(%rip), %xmm2",
	  { 0x8f, 0xe8, 0x78, 0xc2, 0x15, 0xa0, 0x86, 1, 0, 7 },
	  10,
	  true },
	{ "vphaddbw %xmm1, %xmm9", { 0x8f, 0x69, 0x78, 0xc1, 0xc9 }, 5, true },
	{ "vpshaq %xmm3, 8(%rsp), %xmm9",
	  { 0x8f, 0x69, 0x60, 0x9b, 0x4c, 0x24, 8 },
	  7,
	  true },
	{ "bextr $0x1234, %eax, %ecx",
	  { 0x8f, 0xea, 0x78, 0x10, 0xc8, 0x34, 0x12, 0, 0 },
	  9,
	  true },
	{ "vpcmov %ymm1, %ymm2, %ymm3, %ymm4",
	  { 0x8f, 0xe8, 0x64, 0xa2, 0xe2, 0x10 },
	  6,
	  true },
	{ "vpcmpeqb 32(%rsi), %ymm17, %k1",
	  { 0x62, 0xf3, 0x75, 0x20, 0x3f, 0x4e, 0x01, 0 },
	  8,
	  true },
	{ "vaddph %zmm3, %zmm2, %zmm1", { 0x62, 0xf5, 0x6c, 0x48, 0x58, 0xcb }, 6, true },
	{ "vfmadd132ph 64(%rsp), %zmm2, %zmm1",
	  { 0x62, 0xf6, 0x6d, 0x48, 0x98, 0x4c, 0x24, 1 },
	  8,
	  true },
	{ "blcfill %r9d, %r10d", { 0x8f, 0xc9, 0x28, 0x01, 0xc9 }, 5, true },
};

int main(void)
{
	struct x86_insn insn;
	unsigned char code[X86_INSN_MAX] = { 0x8f };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ok(x86_insn_decode(cases[i].code, X86_INSN_MAX, &insn), "%s",
		   cases[i].text);
		is_u64(insn.len, cases[i].len, "its length");
		ok(insn.vector == cases[i].vector, "whether it uses a vector");
		ok(!x86_insn_decode(cases[i].code, cases[i].len - 1, &insn), "cut");
	}
	for (unsigned int map = 11; map < 32; map++) {
		code[1] = (unsigned char)(0xe0 | map);
		ok(!x86_insn_decode(code, sizeof(code), &insn), "XOP has no map %u", map);
	}
	return done_testing();
}
