/* SPDX-License-Identifier: Apache-2.0 */
#include "go_program.h"

#include <elf.h>
#include <string.h>

const struct go_drawn funcs[FUNCS] = {
	/* depths: 0 | 24 behind 4 bytes | 8 behind 1 byte | 8 behind 1, 16 behind 8 */
	[GOEXIT] = { "runtime.goexit", "\x02\x40", GO_FUNC_TOP },
	[TOP] = { "main.top", "\x02\x04\x30\x3c" },
	[GROW] = { "main.grow", "\x02\x01\x10\x3f" },
	[SWITCH] = { "runtime.systemstack", "\x02\x40", GO_FUNC_SPWRITE },
	[CLOSURE] = { "main.grow.func1", "\x02\x01\x10\x3f" },
	[MCALL] = { "runtime.mcall", "\x02\x40", GO_FUNC_SPWRITE },
	[WORKER] = { "main.worker", "\x02\x01\x10\x3f" },
	[WORKER_FUNC] = { "main.worker.func1", "\x02\x01\x10\x3f" },
	/* 0 | 8 behind 4 bytes | 0 for the byte of its return */
	[OLD_SWITCH] = { "runtime.systemstack.old", "\x02\x04\x10\x11\x0f\x01\x10\x2a",
			 GO_FUNC_SPWRITE },
	[LATER_SWITCH] = { "runtime.systemstack.later", "\x02\x01\x10\x3f",
			   GO_FUNC_SPWRITE },
	[LATER] = { "main.later", "\x02\x01\x10\x3f" },
};

const struct layout layouts[LAYOUTS] = {
	{ "Go 1.16", 0xfffffffa, 64, 8, 44, 8, 20, 41, false },
	{ "Go 1.18", 0xfffffff0, 72, 4, 40, 4, 16, 37, true },
	{ "Go 1.20", 0xfffffff1, 72, 4, 44, 4, 16, 41, true },
};

static void put(struct table *t, size_t at, uint64_t number, size_t width)
{
	memcpy(t->bytes + at, &number, width);
	if (at + width > t->len)
		t->len = at + width;
}

size_t put_text(struct table *t, const char *text)
{
	const size_t at = t->len;

	memcpy(t->bytes + at, text, strlen(text) + 1);
	t->len += strlen(text) + 1;
	return at;
}

/* Names, then depths (from 1: 0 means none), then pcln. */
void make_table(struct table *t, const struct layout *l)
{
	const uint64_t base = l->based ? TEXT : 0;
	size_t names[FUNCS], depths[FUNCS], parts = l->based ? 32 : 24, pctab, pcln, at;

	*t = (struct table){ .len = l->header };
	put(t, 0, l->magic, 4);
	put(t, 6, 1, 1);
	put(t, 7, 8, 1);
	put(t, 8, FUNCS, 8);
	if (l->based)
		put(t, 24, TEXT, 8);
	put(t, parts, t->len, 8);
	for (enum which f = 0; f < FUNCS; f++)
		names[f] = put_text(t, funcs[f].name) - l->header;
	pctab = t->len;
	t->len++;
	for (enum which f = 0; f < FUNCS; f++)
		depths[f] = put_text(t, funcs[f].depths) - pctab;
	pcln = t->len;
	put(t, parts + 24, pctab, 8);
	put(t, parts + 32, pcln, 8);
	at = (2 * FUNCS + 1) * l->width;
	for (enum which f = 0; f < FUNCS; f++, at += l->record) {
		put(t, pcln + 2 * f * l->width, start_of(f) - base, l->width);
		put(t, pcln + (2 * f + 1) * l->width, at, l->width);
		put(t, pcln + at + l->name, names[f], 4);
		put(t, pcln + at + l->pcsp, depths[f], 4);
		put(t, pcln + at + l->flags, funcs[f].flags, 1);
	}
	put(t, pcln + 2 * FUNCS * l->width, start_of(FUNCS) - base, l->width);
}

struct code {
	unsigned char *bytes; /* IMAGE of them */
	size_t at;
};

static void begin(struct code *c, enum which f)
{
	c->at = start_of(f);
}

static void emit(struct code *c, const char *bytes, size_t len)
{
	memcpy(c->bytes + c->at, bytes, len);
	c->at += len;
}

/* An instruction that ends with the distance to TARGET; gives what follows it. */
static uint64_t emit_to(struct code *c, const char *insn, size_t len, uint64_t target)
{
	int32_t distance;

	emit(c, insn, len);
	distance = (int32_t)(target - (c->at + sizeof(distance)));
	emit(c, (const char *)&distance, sizeof(distance));
	return c->at;
}

#define EMIT(c, insn)            emit(c, insn, sizeof(insn) - 1)
#define EMIT_TO(c, insn, target) emit_to(c, insn, sizeof(insn) - 1, target)
#define CALL(c, target)          EMIT_TO(c, "\xe8", target)
#define TAKE(c, target)          EMIT_TO(c, "\x48\x8d\x05", target) /* lea …(%rip),%rax */
#define PUSH_FP                  "\x55\x48\x89\xe5" /* push %rbp; mov %rsp,%rbp */

static void make_code(struct code *c, struct returns *ret)
{
	const Elf64_Ehdr ehdr = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB },
		.e_machine = EM_X86_64,
		.e_phoff = sizeof(ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
	};
	const Elf64_Phdr phdr = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_filesz = IMAGE };

	memset(c->bytes, 0, IMAGE);
	memset(c->bytes + TEXT, 0xcc, IMAGE - TEXT);
	memcpy(c->bytes, &ehdr, sizeof(ehdr));
	memcpy(c->bytes + sizeof(ehdr), &phdr, sizeof(phdr));
	begin(c, GOEXIT);
	EMIT(c, "\x90");
	CALL(c, start_of(TOP));
	EMIT(c, "\x90");
	begin(c, TOP); /* sub $24,%rsp; mov %rbp,16(%rsp); lea 16(%rsp),%rbp */
	EMIT(c, "\x48\x83\xec\x18\x48\x89\x6c\x24\x10\x48\x8d\x6c\x24\x10");
	ret->top = CALL(c, start_of(GROW));
	EMIT(c, "\xff\xd0"); /* call *%rax */
	ret->top_ptr = c->at;
	ret->top_later = CALL(c, start_of(LATER));
	EMIT(c, "\xc3");
	begin(c, GROW);
	EMIT(c, PUSH_FP);
	TAKE(c, start_of(CLOSURE));
	ret->grow = CALL(c, start_of(SWITCH));
	ret->grow_other = CALL(c, start_of(SWITCH));
	EMIT(c, "\x5d\xc3");
	begin(c, SWITCH); /* mov 56(%rdx),%rbx; mov %rbx,%rsp; call *%rdi */
	EMIT(c, "\x48\x8b\x5a\x38\x48\x89\xdc\xff\xd7");
	ret->sw = c->at;
	EMIT(c, "\xc3");
	begin(c, CLOSURE);
	EMIT(c, PUSH_FP "\x90\x5d\xc3");
	begin(c, MCALL); /* mov 56(%r14),%rsp; push %rax; call *%r12 */
	EMIT(c, "\x49\x8b\x66\x38\x50\x41\xff\xd4");
	ret->mcall = c->at;
	begin(c, WORKER);
	EMIT(c, PUSH_FP);
	TAKE(c, start_of(WORKER_FUNC));
	ret->worker = CALL(c, start_of(SWITCH));
	begin(c, WORKER_FUNC);
	EMIT(c, PUSH_FP "\x90\x5d\xc3");
	begin(c, OLD_SWITCH); /* sub $8,%rsp; mov %rbp,(%rsp); lea (%rsp),%rbp; nop; */
	EMIT(c, "\x48\x83\xec\x08\x48\x89\x2c\x24\x48\x8d\x2c\x24\x90");
	/* mov (%rsp),%rbp; add $8,%rsp; ret; nop */
	EMIT(c, "\x48\x8b\x2c\x24\x48\x83\xc4\x08\xc3\x90");
	begin(c, LATER_SWITCH);
	EMIT(c, PUSH_FP "\x48\x8b\x5a\x38\x48\x89\xdc\xff\xd7");
	ret->later_sw = c->at;
	begin(c, LATER);
	EMIT(c, PUSH_FP);
	ret->later = CALL(c, start_of(LATER_SWITCH));
}

bool make_program(struct go_program *p)
{
	struct code code = { .bytes = p->code };
	struct unwind_module *m;

	make_code(&code, &p->ret);
	make_table(&p->table, &layouts[LAYOUT_OF_PROGRAM]);
	p->module = NULL;
	if (unwind_module_open_image(p->code, sizeof(p->code), &m))
		return false;
	m->hdr_loaded = m->go_loaded = m->sections_loaded = true;
	m->go.file = &m->file;
	p->module = m;
	return go_table_init(&m->go.table, p->table.bytes, p->table.len);
}
