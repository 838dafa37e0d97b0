/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Go's table of functions, its frames, and callers beyond its changes of stacks: a drawn
 * program, and stacks of it.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "unwind/lookup.h"
#include "unwind/unwind.h"

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

static const struct {
	const char *name, *depths; /* as the table has them */
	uint8_t flags;
} funcs[FUNCS] = {
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

static uint64_t start_of(enum which f)
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

static const struct layout layouts[] = {
	{ "Go 1.16", 0xfffffffa, 64, 8, 44, 8, 20, 41, false },
	{ "Go 1.18", 0xfffffff0, 72, 4, 40, 4, 16, 37, true },
	{ "Go 1.20", 0xfffffff1, 72, 4, 44, 4, 16, 41, true },
};

struct table {
	unsigned char bytes[8192];
	size_t len;
};

static void put(struct table *t, size_t at, uint64_t number, size_t width)
{
	memcpy(t->bytes + at, &number, width);
	if (at + width > t->len)
		t->len = at + width;
}

static size_t put_text(struct table *t, const char *text)
{
	const size_t at = t->len;

	memcpy(t->bytes + at, text, strlen(text) + 1);
	t->len += strlen(text) + 1;
	return at;
}

/* Names, then depths (from 1: 0 means none), then pcln. */
static void make_table(struct table *t, const struct layout *l)
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

static void test_table(const struct layout *l)
{
	struct table t;
	struct go_table table;
	struct go_func f, outer;
	uint32_t fuel = 1000;
	int32_t depth = -1;

	make_table(&t, l);
	ok(go_table_init(&table, t.bytes, t.len), "%s: a table", l->version);
	ok(go_table_find(&table, start_of(GROW) + 7, &f) && f.start == start_of(GROW) &&
		   f.end == start_of(GROW + 1) && go_func_is(&table, &f, "main.grow"),
	   "%s: a function in the middle", l->version);
	ok(go_func_depth(&table, &f, f.start, &fuel, &depth) && depth == 0 &&
		   go_func_depth(&table, &f, f.start + 1, &fuel, &depth) && depth == 8 &&
		   go_func_depth(&table, &f, f.end - 1, &fuel, &depth) && depth == 8,
	   "%s: its depths", l->version);
	ok(!go_func_depth(&table, &f, f.end, &fuel, &depth), "%s: none beyond",
	   l->version);
	ok(go_table_find(&table, start_of(MCALL), &f) && f.flags == GO_FUNC_SPWRITE,
	   "%s: flags", l->version);
	ok(!go_table_find(&table, TEXT - 1, &f) &&
		   !go_table_find(&table, start_of(FUNCS), &f) &&
		   go_table_find(&table, start_of(FUNCS) - 1, &f),
	   "%s: nothing before the first and behind the last", l->version);
	ok(go_table_find(&table, start_of(CLOSURE), &f) &&
		   go_table_find_outer(&table, &f, &fuel, &outer) &&
		   outer.start == start_of(GROW) &&
		   !go_table_find_outer(&table, &outer, &fuel, &f),
	   "%s: where a closure was written", l->version);
}

/* Cut at every byte, and with every byte changed: nothing is read beyond the end. */
static void test_damaged(const struct layout *l)
{
	struct table t;

	make_table(&t, l);
	for (size_t i = 0; i < 2 * t.len; i++) {
		const size_t len = i < t.len ? i : t.len;
		unsigned char *bytes = malloc(len ? len : 1);
		struct go_table table;
		struct go_func f, outer;
		uint32_t fuel = 1000000;
		int32_t depth;

		memcpy(bytes, t.bytes, len);
		if (i >= t.len)
			bytes[i - t.len] ^= 0xff;
		if (go_table_init(&table, bytes, len))
			for (uint64_t at = TEXT - 1; at <= start_of(FUNCS); at += 15)
				if (go_table_find(&table, at, &f)) {
					go_func_depth(&table, &f, at, &fuel, &depth);
					go_table_find_outer(&table, &f, &fuel, &outer);
				}
		free(bytes);
	}
	ok(true, "%s: damaged tables end it nowhere", l->version);
}

/* A distance beyond what any stack has would overflow with the return address added. */
static void test_depths(const struct layout *l)
{
	static const struct {
		const char *change; /* from -1 */
		int64_t depth;      /* -1: refused */
	} depths[] = {
		{ "\x82\x80\x80\x80\x08", 1 << 30 },
		{ "\x84\x80\x80\x80\x08", -1 },
		{ "\x80\x80\x80\x80\x10", -1 }, /* INT32_MAX */
		{ "\x82\x80\x80\x80\x10", -1 }, /* INT32_MIN */
		{ "\x0f", -1 },                 /* -9 */
	};
	const size_t n = sizeof(depths) / sizeof(*depths);

	for (size_t i = 0; i < n; i++) {
		struct table t;
		struct go_table table;
		struct go_func f;
		uint32_t fuel = 1000;
		int32_t depth;
		size_t at;
		bool found;

		make_table(&t, l);
		at = put_text(&t, depths[i].change);
		t.bytes[t.len - 1] = FUNC; /* for all of the function */
		go_table_init(&table, t.bytes, t.len);
		go_table_find(&table, start_of(GROW), &f);
		f.pcsp = (uint32_t)(at - table.pctab);
		found = go_func_depth(&table, &f, f.start, &fuel, &depth);
		ok(found ? depth == depths[i].depth : depths[i].depth < 0,
		   "%s: depth %zu", l->version, i);
	}
}

/* Each function and each change of a depth costs one; a name may be as long as 4 KiB. */
static void test_fuel(const struct layout *l)
{
	enum { LONG = 4096 };
	struct table t;
	struct go_table table;
	struct go_func f, outer;
	uint32_t fuel = 2;
	int32_t depth;
	size_t at;

	make_table(&t, l);
	at = put_text(&t, "");
	memset(t.bytes + at, 'x', LONG);
	t.len = at + LONG;
	put_text(&t, ".func1");
	go_table_init(&table, t.bytes, t.len);
	go_table_find(&table, start_of(GROW), &f);
	ok(go_func_depth(&table, &f, f.end - 1, &fuel, &depth) && !fuel &&
		   !go_func_depth(&table, &f, f.start, &fuel, &depth),
	   "%s: a depth costs as much as it has changes before", l->version);
	go_table_find(&table, start_of(CLOSURE), &f);
	fuel = GROW + 1;
	ok(go_table_find_outer(&table, &f, &fuel, &outer) && !fuel,
	   "%s: a search costs as much as it has functions", l->version);
	fuel = GROW;
	ok(!go_table_find_outer(&table, &f, &fuel, &outer) && !fuel,
	   "%s: and ends with that", l->version);
	f.name = (uint32_t)(at - table.names);
	fuel = 1000;
	ok(!go_table_find_outer(&table, &f, &fuel, &outer) && fuel == 1000,
	   "%s: a name of more than 4 KiB is none", l->version);
}

/* ---- the program ---- */

struct code {
	unsigned char bytes[IMAGE];
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

/* Where its calls return to. */
static struct {
	uint64_t top, top_ptr, top_later, grow, grow_other, sw, worker, mcall, later_sw,
		later;
} ret;

static void make_code(struct code *c)
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

	memset(c, 0, sizeof(*c));
	memset(c->bytes + TEXT, 0xcc, IMAGE - TEXT);
	memcpy(c->bytes, &ehdr, sizeof(ehdr));
	memcpy(c->bytes + sizeof(ehdr), &phdr, sizeof(phdr));
	begin(c, GOEXIT);
	EMIT(c, "\x90");
	CALL(c, start_of(TOP));
	EMIT(c, "\x90");
	begin(c, TOP); /* sub $24,%rsp; mov %rbp,16(%rsp); lea 16(%rsp),%rbp */
	EMIT(c, "\x48\x83\xec\x18\x48\x89\x6c\x24\x10\x48\x8d\x6c\x24\x10");
	ret.top = CALL(c, start_of(GROW));
	EMIT(c, "\xff\xd0"); /* call *%rax */
	ret.top_ptr = c->at;
	ret.top_later = CALL(c, start_of(LATER));
	EMIT(c, "\xc3");
	begin(c, GROW);
	EMIT(c, PUSH_FP);
	TAKE(c, start_of(CLOSURE));
	ret.grow = CALL(c, start_of(SWITCH));
	ret.grow_other = CALL(c, start_of(SWITCH));
	EMIT(c, "\x5d\xc3");
	begin(c, SWITCH); /* mov 56(%rdx),%rbx; mov %rbx,%rsp; call *%rdi */
	EMIT(c, "\x48\x8b\x5a\x38\x48\x89\xdc\xff\xd7");
	ret.sw = c->at;
	EMIT(c, "\xc3");
	begin(c, CLOSURE);
	EMIT(c, PUSH_FP "\x90\x5d\xc3");
	begin(c, MCALL); /* mov 56(%r14),%rsp; push %rax; call *%r12 */
	EMIT(c, "\x49\x8b\x66\x38\x50\x41\xff\xd4");
	ret.mcall = c->at;
	begin(c, WORKER);
	EMIT(c, PUSH_FP);
	TAKE(c, start_of(WORKER_FUNC));
	ret.worker = CALL(c, start_of(SWITCH));
	begin(c, WORKER_FUNC);
	EMIT(c, PUSH_FP "\x90\x5d\xc3");
	begin(c, OLD_SWITCH); /* sub $8,%rsp; mov %rbp,(%rsp); lea (%rsp),%rbp; nop; */
	EMIT(c, "\x48\x83\xec\x08\x48\x89\x2c\x24\x48\x8d\x2c\x24\x90");
	/* mov (%rsp),%rbp; add $8,%rsp; ret; nop */
	EMIT(c, "\x48\x8b\x2c\x24\x48\x83\xc4\x08\xc3\x90");
	begin(c, LATER_SWITCH);
	EMIT(c, PUSH_FP "\x48\x8b\x5a\x38\x48\x89\xdc\xff\xd7");
	ret.later_sw = c->at;
	begin(c, LATER);
	EMIT(c, PUSH_FP);
	ret.later = CALL(c, start_of(LATER_SWITCH));
}

static struct code code;
static struct table table;

static struct unwind_module *make_module(void)
{
	struct unwind_module *m;

	make_code(&code);
	make_table(&table, &layouts[1]);
	if (unwind_module_open_image(code.bytes, sizeof(code.bytes), &m))
		return NULL;
	m->hdr_loaded = m->go_loaded = m->sections_loaded = true;
	m->go.file = &m->file;
	return go_table_init(&m->go.table, table.bytes, table.len) ? m : NULL;
}

/* ---- rows ---- */

static void test_rows(struct unwind_module *m)
{
	static const struct {
		const char *what;
		uint64_t vaddr;
		int64_t cfa;
		bool saved; /* fp is below the return address */
	} rows[] = {
		{ "at the first instruction", TEXT + TOP * FUNC, 8, false },
		{ "behind sub", TEXT + TOP * FUNC + 4, 32, false },
		{ "behind what saves it", TEXT + TOP * FUNC + 9, 32, true },
		{ "in the body", TEXT + TOP * FUNC + 15, 32, true },
		{ "push: before", TEXT + GROW * FUNC, 8, false },
		{ "push: behind", TEXT + GROW * FUNC + 1, 16, true },
		{ "of a function that has no frame", TEXT + SWITCH * FUNC + 8, 8, false },
	};
	uint32_t fuel = 1000;
	struct cfi_row row;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool found = unwind_module_row(m, rows[i].vaddr, &fuel, &row);
		const struct cfi_place *fp = &row.reg[RBP], *ra = &row.reg[RA];

		ok(found && row.cfa.how == CFI_REGISTER && row.cfa.reg == RSP &&
			   row.cfa.number == rows[i].cfa && ra->how == CFI_OFFSET &&
			   ra->number == -8 &&
			   (rows[i].saved ? fp->how == CFI_OFFSET && fp->number == -16
					  : fp->how == CFI_UNSPECIFIED),
		   "the row %s", rows[i].what);
	}
}

/* ---- stacks ---- */

#define STACK 0x7000
#define OTHER UINT64_C(0xc000040) /* on a goroutine's stack, which is not copied */
#define WORDS 8

static bool find(void *space, uint64_t address, struct unwind_map *map)
{
	*map = (struct unwind_map){ TEXT, IMAGE, TEXT, space, true };
	return address >= TEXT && address < IMAGE;
}

struct stack {
	const char *what;
	uint64_t pc, fp;
	uint64_t words[WORDS], chain[WORDS], want[WORDS];
	enum unwind_end end;
};

static size_t count(const uint64_t *words)
{
	size_t n = 0;

	while (n < WORDS && words[n])
		n++;
	return n;
}

static void test_stack(struct unwinder *u, struct unwind_module *m, const struct stack *s)
{
	struct unwind_regs regs = { .pc = s->pc };
	struct unwind_frames frames = { 0 };
	struct unwind_input in = {
		.arch = &unwind_x86_64,
		.regs = &regs,
		.stack = s->words,
		.stack_len = sizeof(s->words),
		.stack_start = STACK,
		.chain = s->chain,
		.chain_len = count(s->chain),
		.find = find,
		.space = m,
	};
	bool same;

	unwind_reg_set(&regs, RSP, STACK);
	unwind_reg_set(&regs, RBP, s->fp);
	for (unsigned again = 0; again < 2; again++) { /* found, and remembered */
		unwind_stack(u, &in, &frames);
		same = frames.end == s->end && frames.v.len == count(s->want);
		for (size_t i = 0; same && i < frames.v.len; i++)
			same = frames.v.data[i].address == s->want[i] &&
			       frames.v.data[i].is_return == (i > 0);
		ok(same, "%s", s->what);
	}
	unwind_frames_release(&frames);
}

static void test_stacks(struct unwind_module *m)
{
	const uint64_t in_closure = start_of(CLOSURE) + 4, goexit = TEXT + 1;
	const uint64_t in_worker = start_of(WORKER_FUNC) + 4;
	const uint64_t later = start_of(LATER_SWITCH) + 1, old = start_of(OLD_SWITCH);
	const struct stack stacks[] = {
		{ "which of two calls, the function tells that it was given",
		  in_closure,
		  STACK,
		  { OTHER, ret.sw },
		  { in_closure, ret.sw, ret.top, goexit },
		  { in_closure, ret.sw, ret.grow, ret.top, goexit },
		  UNWIND_END_ROOT },
		{ "a goroutine's first function, by what it gave",
		  in_worker,
		  STACK,
		  { OTHER, ret.sw },
		  { in_worker, ret.sw, goexit },
		  { in_worker, ret.sw, ret.worker, goexit },
		  UNWIND_END_ROOT },
		{ "not one that did not give it: no edge is invented",
		  in_worker,
		  STACK,
		  { OTHER, ret.sw },
		  { in_worker, ret.sw, ret.top, goexit },
		  { in_worker, ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "nor one that no direct call tells",
		  in_closure,
		  STACK,
		  { OTHER, ret.sw },
		  { in_closure, ret.sw, ret.top_ptr, goexit },
		  { in_closure, ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "one that keeps a frame is in the chain",
		  in_closure,
		  STACK,
		  { OTHER, ret.later_sw },
		  { in_closure, ret.later_sw, ret.later, goexit },
		  { in_closure, ret.later_sw, ret.later, goexit },
		  UNWIND_END_ROOT },
		{ "a call that goes elsewhere is none",
		  in_closure,
		  STACK,
		  { OTHER, ret.later_sw },
		  { in_closure, ret.later_sw, ret.grow, goexit },
		  { in_closure, ret.later_sw },
		  UNWIND_END_OTHER_STACK },
		{ "what is proven stays",
		  in_closure,
		  STACK,
		  { OTHER, ret.sw },
		  { in_closure, ret.sw, ret.top, ret.top },
		  { in_closure, ret.sw, ret.grow, ret.top },
		  UNWIND_END_OTHER_STACK },
		{ "without a chain",
		  in_closure,
		  STACK,
		  { OTHER, ret.sw },
		  { 0 },
		  { in_closure, ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "a chain of other frame pointers",
		  in_closure,
		  OTHER - 64,
		  { OTHER, ret.sw },
		  { in_closure, ret.top, goexit },
		  { in_closure, ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "a chain that the copy contradicts",
		  in_closure,
		  STACK,
		  { OTHER, ret.sw },
		  { in_closure, ret.later_sw, ret.top, goexit },
		  { in_closure, ret.sw },
		  UNWIND_END_OTHER_STACK },
		{ "in the function that changes stacks",
		  start_of(SWITCH) + 4,
		  OTHER,
		  { 0 },
		  { start_of(SWITCH) + 4, ret.later, goexit },
		  { start_of(SWITCH) + 4 },
		  UNWIND_END_OTHER_STACK },
		{ "the frame pointer was pushed, but is the caller's still",
		  later,
		  OTHER,
		  { 0 },
		  { later, ret.top_later, goexit },
		  { later, ret.later, ret.top_later, goexit },
		  UNWIND_END_ROOT },
		{ "so what its caller returns to is not what it does",
		  later,
		  OTHER,
		  { 0 },
		  { later, ret.top_ptr, goexit },
		  { later },
		  UNWIND_END_OTHER_STACK },
		{ "from where it is set on, it is its own",
		  later + 3,
		  OTHER,
		  { 0 },
		  { later + 3, ret.later, ret.top_later, goexit },
		  { later + 3, ret.later, ret.top_later, goexit },
		  UNWIND_END_ROOT },
		{ "stored, but not set",
		  old + 8,
		  OTHER,
		  { 0 },
		  { old + 8, ret.top_ptr, goexit },
		  { old + 8 },
		  UNWIND_END_OTHER_STACK },
		{ "set behind the store",
		  old + 12,
		  OTHER,
		  { 0 },
		  { old + 12, ret.top_ptr, goexit },
		  { old + 12, ret.top_ptr, goexit },
		  UNWIND_END_ROOT },
		{ "restored before the stack pointer is",
		  old + 17,
		  OTHER,
		  { 0 },
		  { old + 17, ret.top_ptr, goexit },
		  { old + 17 },
		  UNWIND_END_OTHER_STACK },
		{ "not restored behind a return",
		  old + 22,
		  OTHER,
		  { 0 },
		  { old + 22, ret.top_ptr, goexit },
		  { old + 22, ret.top_ptr, goexit },
		  UNWIND_END_ROOT },
		{ "a chain of other registers, as with a precise event",
		  later + 3,
		  OTHER,
		  { 0 },
		  { later + 4, ret.later, ret.top_later, goexit },
		  { later + 3 },
		  UNWIND_END_OTHER_STACK },
		{ "which the copy has a part of",
		  in_closure,
		  STACK,
		  { OTHER, ret.later_sw },
		  { in_closure + 1, ret.later_sw, ret.later, goexit },
		  { in_closure, ret.later_sw, ret.later, goexit },
		  UNWIND_END_ROOT },
		{ "what mcall called never returns",
		  in_closure,
		  STACK,
		  { OTHER, ret.mcall },
		  { in_closure, ret.mcall, ret.top, goexit },
		  { in_closure, ret.mcall },
		  UNWIND_END_ROOT },
	};
	struct unwinder *u = unwinder_new();

	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
		test_stack(u, m, &stacks[i]);
	is_u64(unwinder_stats(u)->joined, 16, "how many were joined");
	unwinder_free(u);
}

/* ---- what is no code ---- */

/* The program: all but the hole is executable. */
struct part {
	struct unwind_module *module;
	uint64_t hole, hole_end;
};

static bool find_part(void *space, uint64_t address, struct unwind_map *map)
{
	const struct part *part = space;
	const bool executable = address < part->hole || address >= part->hole_end;

	*map = (struct unwind_map){ address, address + 1, address, part->module,
				    executable };
	return address >= TEXT && address < IMAGE;
}

/* Callers are in the table, and their code proves them; but it must be mapped as code. */
static void test_no_code(struct unwind_module *m)
{
	static const struct {
		enum which hole;
		size_t frames;
		enum unwind_end end;
	} holes[] = {
		{ FUNCS, 5, UNWIND_END_ROOT },
		{ GROW, 2, UNWIND_END_OTHER_STACK }, /* which the chain lacks */
		{ TOP, 2, UNWIND_END_OTHER_STACK },
		{ GOEXIT, 4, UNWIND_END_OTHER_STACK },
	};
	const uint64_t pc = start_of(CLOSURE) + 4, words[] = { OTHER, ret.sw };
	const uint64_t chain[] = { pc, ret.sw, ret.top, TEXT + 1 };
	struct unwinder *u = unwinder_new();
	struct unwind_regs regs = { .pc = pc };
	struct unwind_frames frames = { 0 };

	m->serial = 0; /* it is a new one's */
	unwind_reg_set(&regs, RSP, STACK);
	unwind_reg_set(&regs, RBP, STACK);
	for (size_t i = 0; i < sizeof(holes) / sizeof(*holes); i++) {
		const enum which hole = holes[i].hole;
		struct part part = { m, start_of(hole), start_of(hole) + FUNC };
		const struct unwind_input in = { .arch = &unwind_x86_64,
						 .regs = &regs,
						 .stack = words,
						 .stack_len = sizeof(words),
						 .stack_start = STACK,
						 .chain = chain,
						 .chain_len = 4,
						 .find = find_part,
						 .space = &part };

		unwind_stack(u, &in, &frames);
		ok(frames.v.len == holes[i].frames && frames.end == holes[i].end,
		   "%s is no code",
		   hole == FUNCS ? "nothing of the stack" : funcs[hole].name);
	}
	unwind_frames_release(&frames);
	unwinder_free(u);
}

/* ---- a table that takes long to read ---- */

enum { STEPS = 1 << 20, BUDGET = 1 << 20 /* of unwind.c */ };

static bool find_long(void *space, uint64_t address, struct unwind_map *map)
{
	*map = (struct unwind_map){ TEXT, IMAGE + STEPS, TEXT, space, true };
	return address >= TEXT && address < map->end;
}

/* M's last function becomes one whose depth changes with each of its STEPS bytes. */
static unsigned char *lengthen(struct unwind_module *m)
{
	const struct layout *l = &layouts[1];
	const struct go_table *t = &m->go.table;
	const uint64_t last = t->pcln + 2 * LATER * l->width;
	const uint32_t end = LATER * FUNC + STEPS,
		       pcsp = (uint32_t)(table.len - t->pctab);
	unsigned char *bytes = malloc(table.len + 2 * STEPS), *pair = bytes + table.len;
	uint32_t record;

	memcpy(bytes, table.bytes, table.len);
	memcpy(&record, bytes + last + l->width, sizeof(record));
	memcpy(bytes + last + 2 * l->width, &end, sizeof(end));
	memcpy(bytes + t->pcln + record + l->pcsp, &pcsp, sizeof(pcsp));
	memcpy(pair, "\x02\x01\x10\x01", 4); /* 0, 8, then 16 and 8 in turns */
	for (size_t i = 2; i < STEPS; i++)
		memcpy(pair + 2 * i, i % 2 ? "\x0f\x01" : "\x10\x01", 2);
	return go_table_init(&m->go.table, bytes, table.len + 2 * STEPS) ? bytes : NULL;
}

/*
 * A stack whose first frame costs nearly all, so that the budget ends with its edges.
 * It was not enough for them the first time, but is once the frame's rule is known.
 */
static void test_budget(struct unwind_module *m)
{
	enum { BEFORE = 41 };
	const uint64_t words[] = { OTHER, ret.later_sw };
	unsigned char *bytes = lengthen(m);
	unsigned spent = 0, cut = 0, wrong = 0;
	struct unwind_frames frames = { 0 };

	for (uint64_t at = BUDGET / 2 - BEFORE; at < BUDGET / 2 + 2; at += 2) {
		struct unwinder *u = unwinder_new();
		struct unwind_regs regs = { .pc = start_of(LATER) + at };
		const uint64_t chain[] = { regs.pc, ret.later_sw, ret.later, TEXT + 1 };
		const struct unwind_input in = { .arch = &unwind_x86_64,
						 .regs = &regs,
						 .stack = words,
						 .stack_len = sizeof(words),
						 .stack_start = STACK,
						 .chain = chain,
						 .chain_len = 4,
						 .find = find_long,
						 .space = m };

		m->serial = 0; /* it is a new one's */
		unwind_reg_set(&regs, RSP, STACK);
		unwind_reg_set(&regs, RBP, STACK);
		unwind_stack(u, &in, &frames);
		if (frames.end == UNWIND_END_OTHER) {
			spent += frames.v.len == 1;
			cut += frames.v.len == 2;
		}
		if (frames.v.len > 1) {
			unwind_stack(u, &in, &frames);
			wrong += frames.end != UNWIND_END_ROOT;
		}
		unwinder_free(u);
	}
	ok(spent, "a depth that takes too long to find");
	ok(cut, "an edge that there is no more budget for");
	ok(!wrong, "is not remembered as none");
	unwind_frames_release(&frames);
	m->go.table = (struct go_table){ 0 };
	free(bytes);
}

int main(void)
{
	struct unwind_module *m;

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		test_table(&layouts[i]);
		test_damaged(&layouts[i]);
		test_fuel(&layouts[i]);
		test_depths(&layouts[i]);
	}
	m = make_module();
	ok(m, "a Go program");
	if (m) {
		test_rows(m);
		test_stacks(m);
		test_no_code(m);
		test_budget(m);
	}
	unwind_module_free(m);
	return done_testing();
}
