/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two encodings of numbers that call frame information has beside the cursor's own.
 */
#ifndef CFI_READ_H
#define CFI_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

/* Signed LEB128; of more than ten bytes it fails. */
int64_t cfi_sleb(struct cursor *c);

/*
 * A pointer by its encoding byte (DW_EH_PE_…).  BYTES, which lies at VADDR, is what the
 * cursor reads from; DATAREL what data-relative pointers count from.  An encoding that
 * needs more than the file makes the cursor fail.
 */
uint64_t cfi_pointer(struct cursor *c, uint8_t encoding, const unsigned char *bytes,
		     uint64_t vaddr, uint64_t datarel);

#endif
