/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments as an attacker writes them: files of blocks split, altered, and reassembled
 * so that every size and checksum is right, except those altered last.
 */
#ifndef ALTER_EXPERIMENT_H
#define ALTER_EXPERIMENT_H

#include <stddef.h>

#include "campaign.h"
#include "base/vec.h"

/* One block, decompressed. */
struct altered_block {
	unsigned table, coding;
	uint32_t rows;
	size_t columns;
	struct strbuf column[16];
	bool raw;              /* the payload is column[0] alone, as it stands */
	unsigned long spoiled; /* by how much the header's raw size is wrong */
};

struct altered_file {
	struct strbuf head;
	VEC(struct altered_block) blocks;
};

/* Splits the good file BYTES into blocks. */
void altered_file_read(struct altered_file *file, const struct strbuf *bytes);
void altered_file_write(const struct altered_file *file, struct strbuf *out);
void altered_file_release(struct altered_file *file);

/* Alters something once: a value, a column, a block, or their order. */
void altered_file_alter(struct altered_file *file, struct draw *d);

/* Sets the first value of COLUMN in the first block of TABLE. */
void altered_file_set(struct altered_file *file, unsigned table, size_t column,
		      uint64_t value);

/* Alters one value, text, or piece of a JSON text. */
void alter_json(struct strbuf *text, struct draw *d);

#endif
