/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code of a function is. */
#ifndef FUNCTION_CODE_H
#define FUNCTION_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/disassembly.h"
#include "session/session.h"

/*
 * The build of a frame of FUNCTION; false: it has no code of its own.  OUT borrows from the
 * session.
 */
bool function_code(const struct session *s, uint32_t function, struct code_range *out);

/* The same of a function of the kernel, for vmlinux; *OUT's strings are the model's. */
bool function_kernel_code(const struct session *s, uint32_t function,
			  struct code_range *out);

#endif
