/* SPDX-License-Identifier: Apache-2.0 */
/* The names stored in an experiment, by place. */
#ifndef STORED_SYMBOLS_H
#define STORED_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/read.h"

struct stored_symbols {
	struct exp_symbol *symbols; /* by module and start */
	size_t *first; /* module → first of its symbols; one more at the end */
	bool *of_file; /* module → whether its file was read when they were stored */
};

/* Overwrites OUT, which the caller releases. */
void stored_symbols_init(struct stored_symbols *out, const struct experiment *exp);
void stored_symbols_release(struct stored_symbols *stored);

/* The symbol that contains OFFSET of MODULE, the innermost of several, or NULL. */
const struct exp_symbol *stored_symbols_find(const struct stored_symbols *stored,
					     uint32_t module, uint64_t offset);

/* Whether there are any of MODULE. */
static inline bool stored_symbols_has(const struct stored_symbols *stored,
				      uint32_t module)
{
	return stored->first[module] < stored->first[module + 1];
}

#endif
