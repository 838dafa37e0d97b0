/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long an instruction is that capstone does not know.  Apart from the disassembler,
 * since capstone has an x86_insn of its own.
 */
#ifndef UNKNOWN_INSN_H
#define UNKNOWN_INSN_H

#include <stddef.h>
#include <stdint.h>

/* In bytes, 1 if we do not know either; a callback of capstone (cs_skipdata_cb_t). */
size_t unknown_insn_x86(const uint8_t *code, size_t len, size_t at, void *user);

#endif
