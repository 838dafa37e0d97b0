/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The test program (or one that it steps) as the target: its mappings, and its registers
 * and stack at a moment, in the form that the unwinder takes.
 */
#ifndef SELF_H
#define SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>

#include "unwind/unwind.h"
#include "base/vec.h"

#define SELF_STACK (1 << 20)

struct self_map {
	struct unwind_map map;
	char name[256]; /* the file's path, "[stack]", "[vdso]", … or "" */
};

struct self_module {
	char name[256];
	struct unwind_module *module; /* NULL: it could not be opened */
};

/*
 * As /proc/PID/maps has them; the modules of executable mappings are opened, each once.
 * All-zero is an empty one.
 */
struct self_space {
	VEC(struct self_map) maps;
	VEC(struct self_module) modules;
};

void self_space_init(struct self_space *space); /* of this process */
void self_space_update(struct self_space *space, pid_t pid);
void self_space_release(struct self_space *space);

/* For struct unwind_input. */
bool self_find(void *space, uint64_t address, struct unwind_map *map);

/* The mapping of ADDRESS, or NULL. */
const struct self_map *self_map_of(const struct self_space *space, uint64_t address);

struct self_sample {
	struct unwind_regs regs;
	size_t stack_len;
	unsigned char stack[SELF_STACK];
};

/* Takes registers from CONTEXT, and up to MAX bytes of the stack that they point to. */
void self_sample(struct self_sample *sample, const struct self_space *space,
		 const ucontext_t *context, size_t max);

/* The same of the place where it is called from; always inlined by being a macro. */
#define SELF_SAMPLE_HERE(sample, space, max)                                             \
	do {                                                                             \
		ucontext_t here_;                                                        \
		getcontext(&here_);                                                      \
		self_sample(sample, space, &here_, max);                                 \
	} while (0)

void self_unwind(struct unwinder *u, struct self_space *space,
		 const struct self_sample *sample, struct unwind_frames *frames);

#endif
