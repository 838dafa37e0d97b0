/* SPDX-License-Identifier: Apache-2.0 */
#include "self.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static struct unwind_module *open_module(const struct self_map *m)
{
	struct unwind_module *module = NULL;
	int fd;

	/* The vDSO is the same in every process. */
	if (strcmp(m->name, "[vdso]") == 0) {
		const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);

		if (!image ||
		    unwind_module_open_image(image, m->map.end - m->map.start, &module))
			return NULL;
		return module;
	}
	fd = open(m->name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && unwind_module_open(fd, &module))
		close(fd);
	return module;
}

static struct unwind_module *module_of(struct self_space *space, const struct self_map *m)
{
	struct self_module *new;

	vec_for_each(const struct self_module, known, &space->modules)
		if (strcmp(known->name, m->name) == 0)
			return known->module;
	new = vec_push(&space->modules);
	memcpy(new->name, m->name, sizeof(new->name));
	new->module = open_module(m);
	return new->module;
}

void self_space_update(struct self_space *space, pid_t pid)
{
	char line[512], perms[8];
	struct self_map m;
	FILE *f;

	vec_clear(&space->maps);
	snprintf(line, sizeof(line), "/proc/%d/maps", (int)pid);
	f = fopen(line, "r");
	while (f && fgets(line, sizeof(line), f)) {
		memset(&m, 0, sizeof(m));
		if (sscanf(line,
			   "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %255[^\n]",
			   &m.map.start, &m.map.end, perms, &m.map.file_offset,
			   m.name) < 4)
			continue;
		m.map.executable = perms[2] == 'x';
		if (m.map.executable && m.name[0])
			m.map.module = module_of(space, &m);
		*vec_push(&space->maps) = m;
	}
	if (f)
		fclose(f);
}

void self_space_init(struct self_space *space)
{
	*space = (struct self_space){ 0 };
	self_space_update(space, getpid());
}

void self_space_release(struct self_space *space)
{
	vec_for_each(struct self_module, m, &space->modules)
		unwind_module_free(m->module);
	vec_release(&space->modules);
	vec_release(&space->maps);
}

const struct self_map *self_map_of(const struct self_space *space, uint64_t address)
{
	vec_for_each(const struct self_map, m, &space->maps)
		if (address >= m->map.start && address < m->map.end)
			return m;
	return NULL;
}

bool self_find(void *space, uint64_t address, struct unwind_map *map)
{
	const struct self_map *m = self_map_of(space, address);

	if (m)
		*map = m->map;
	return m;
}

static void read_context(struct unwind_regs *regs, const ucontext_t *context)
{
	regs->known = 0;
#if defined(__x86_64__)
	/* DWARF's order of registers in gregs' numbers. */
	static const int order[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				     REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				     REG_R12, REG_R13, REG_R14, REG_R15 };

	for (unsigned int n = 0; n < sizeof(order) / sizeof(*order); n++)
		unwind_reg_set(regs, n, (uint64_t)context->uc_mcontext.gregs[order[n]]);
	regs->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	for (unsigned int n = 0; n < 31; n++)
		unwind_reg_set(regs, n, context->uc_mcontext.regs[n]);
	unwind_reg_set(regs, 31, context->uc_mcontext.sp);
	regs->pc = context->uc_mcontext.pc;
#else
	(void)context;
#endif
}

/* Other frames' memory is read, which AddressSanitizer must not take for an overrun. */
__attribute__((no_sanitize("address"))) static void
copy(unsigned char *to, const unsigned char *from, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		to[i] = from[i];
		__asm__ volatile("" ::: "memory"); /* no memcpy, which is checked */
	}
}

void self_sample(struct self_sample *sample, const struct self_space *space,
		 const ucontext_t *context, size_t max)
{
	const struct self_map *stack;
	uint64_t sp;

	read_context(&sample->regs, context);
	sp = sample->regs.reg[unwind_arch_host()->sp];
	stack = self_map_of(space, sp);
	sample->stack_len = stack ? stack->map.end - sp : 0;
	if (sample->stack_len > max)
		sample->stack_len = max;
	if (sample->stack_len > SELF_STACK)
		sample->stack_len = SELF_STACK;
	copy(sample->stack, (const unsigned char *)(uintptr_t)sp, sample->stack_len);
}

void self_unwind(struct unwinder *u, struct self_space *space,
		 const struct self_sample *sample, struct unwind_frames *frames)
{
	const struct unwind_arch *arch = unwind_arch_host();
	const struct unwind_input in = { .arch = arch,
					 .regs = &sample->regs,
					 .stack = sample->stack,
					 .stack_len = sample->stack_len,
					 .stack_start = sample->regs.reg[arch->sp],
					 .find = self_find,
					 .space = space };

	unwind_stack(u, &in, frames);
}
