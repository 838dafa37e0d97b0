/* SPDX-License-Identifier: Apache-2.0 */
/* Which general registers an x86-64 instruction may write: never too few. */
#ifndef UNWIND_REG_WRITES_H
#define UNWIND_REG_WRITES_H

#include <stdint.h>

#include "elf/x86_insn.h"

/* Bit N: the register with the hardware's number N. */
uint16_t reg_writes_of(const struct x86_insn *insn);

#endif
