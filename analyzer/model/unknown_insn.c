/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unknown_insn.h"

#include "elf/x86_insn.h"

size_t unknown_insn_x86(const uint8_t *code, size_t len, size_t at, void *user)
{
	struct x86_insn insn;

	(void)user;
	return x86_insn_decode(code + at, len - at, &insn) ? insn.len : 1;
}
