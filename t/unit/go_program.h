/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A drawn Go program: Go's table of its functions as several versions write it, and its
 * code, an image of x86-64.
 */
#ifndef GO_PROGRAM_H
#define GO_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/lookup.h"
#include "unwind/module.h"

enum { RAX = 0, RBP = 6, RSP = 7, RA = 16, TEXT = 0x1000, IMAGE = 0x2000, FUNC = 0x40 };

/* The program's functions, one behind the other from TEXT on, FUNC bytes each. */
enum which {
	GOEXIT,
	TOP,
	GROW,
	SWITCH,
	CLOSURE,
	MCALL,
	WORKER,
	WORKER_FUNC,
	OLD_SWITCH,
	LATER_SWITCH,
	LATER,
	FUNCS
};

struct go_drawn {
	const char *name, *depths; /* as the table has them */
	uint8_t flags;
};

extern const struct go_drawn funcs[FUNCS];

static inline uint64_t start_of(enum which f)
{
	return TEXT + (uint64_t)f * FUNC;
}

/* ---- the table ---- */

struct layout {
	const char *version;
	uint32_t magic;
	size_t header, width, record, name, pcsp, flags;
	bool based; /* on an address in the header */
};

enum { LAYOUTS = 3, LAYOUT_OF_PROGRAM = 1 };

extern const struct layout layouts[LAYOUTS];

struct table {
	unsigned char bytes[8192];
	size_t len;
};

void make_table(struct table *t, const struct layout *l);

/* Appends TEXT; where it is. */
size_t put_text(struct table *t, const char *text);

/* ---- the program ---- */

/* Where its calls return to. */
struct returns {
	uint64_t top, top_ptr, top_later, grow, grow_other, sw, worker, mcall, later_sw,
		later;
};

struct go_program {
	unsigned char code[IMAGE];
	struct table table;
	struct returns ret;
	struct unwind_module *module; /* for unwind_module_free */
};

/* False if it does not count as a Go program. */
bool make_program(struct go_program *p);

#endif
