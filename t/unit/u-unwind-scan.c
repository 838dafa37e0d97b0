/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code as bytes, and the expected result of following it to its return; then the C
 * library's own code, compared with its call frame information.
 */
#include "unwind/scan.h"

#include <stdio.h>
#include <string.h>

#include "self.h"
#include "tap.h"
#include "unwind/code.h"
#include "unwind/lookup.h"
#include "elf/x86_insn.h"

#define CODE 0x1000

enum { RBP = 6, RSP = 7 };

struct test_case {
	const char *what;
	unsigned char code[48];
	uint8_t from;
	bool is_return, found;
	uint8_t kind, reg;
	int32_t cfa;
	int16_t fp;
	int8_t rbx, r12;
};

static const struct test_case cases[] = {
	{ "a leaf",
	  { 0x48, 0x01, 0xf8, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 8 },
	{ "pushed registers: push %rbp; push %rbx; push %r12; | nop; pop, pop, pop; ret",
	  { 0x55, 0x53, 0x41, 0x54, 0x90, 0x41, 0x5c, 0x5b, 0x5d, 0xc3 },
	  4,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 32,
	  .fp = -2,
	  .rbx = -1,
	  .r12 = -2 },
	{ "before the pushes, popped values lie below the stack pointer",
	  { 0x55, 0x53, 0x41, 0x54, 0x90, 0x41, 0x5c, 0x5b, 0x5d, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 8,
	  .fp = -2,
	  .rbx = -1,
	  .r12 = -2 },
	{ "sub and add: | sub $0x28,%rsp; add $0x30,%rsp; ret",
	  { 0x48, 0x83, 0xec, 0x28, 0x48, 0x83, 0xc4, 0x30, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 16 },
	{ "lea 0x88(%rsp),%rsp; ret",
	  { 0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 0x90 },
	{ "leave; ret",
	  { 0x90, 0xc9, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RBP,
	  .cfa = 16,
	  .fp = -2 },
	{ "a frame pointer set on the path: mov %rsp,%rbp; push %rax; leave; ret",
	  { 0x48, 0x89, 0xe5, 0x50, 0xc9, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 16,
	  .fp = -2 },
	{ "lea -8(%rbp),%rsp; pop %rbx; pop %rbp; ret",
	  { 0x48, 0x8d, 0x65, 0xf8, 0x5b, 0x5d, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RBP,
	  .cfa = 16,
	  .fp = -2,
	  .rbx = -1 },
	{ "both paths of a branch: test; je +2; pop %rax; ret; add $8,%rsp; ret",
	  { 0x85, 0xc0, 0x74, 0x02, 0x58, 0xc3, 0x48, 0x83, 0xc4, 0x08, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 16 },
	{ "behind a call that never returns: je 8; call; | push %rbx; pop; ret | pop; "
	  "ret",
	  { 0x74, 0x08, 0xe8, 0, 0, 0, 0, 0x53, 0x5b, 0xc3, 0x5a, 0xc3 },
	  0,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 16 },
	{ "a loop ends: jmp .", { 0xeb, 0xfe }, 0, .found = false },
	{ "nothing behind ud2", { 0x0f, 0x0b, 0xc3 }, 0, .found = false },
	{ "behind a jump through a table: sub $8,%rsp; | jmp *%rax; add $8,%rsp; ret",
	  { 0x48, 0x83, 0xec, 0x08, 0xff, 0xe0, 0x48, 0x83, 0xc4, 0x08, 0xc3 },
	  4,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 16 },
	{ "the stack pointer from elsewhere: mov %rax,%rsp",
	  { 0x48, 0x89, 0xc4, 0xc3 },
	  0,
	  .found = false },
	{ "a thread's start: call *%r9; mov %eax,%edi; xor; mov $60,%al; syscall; "
	  "hlt",
	  { 0x41, 0xff, 0xd1, 0x89, 0xc7, 0x31, 0xc0, 0xb0, 0x3c, 0x0f, 0x05, 0xf4 },
	  3,
	  .is_return = true,
	  .found = true,
	  .kind = RULE_ROOT },
	{ "exit itself has callers",
	  { 0x41, 0xff, 0xd1, 0x89, 0xc7, 0x31, 0xc0, 0xb0, 0x3c, 0x0f, 0x05, 0xf4 },
	  3,
	  .found = false },
	{ "another system call: mov $61,%eax; syscall; ret",
	  { 0xb8, 0x3d, 0, 0, 0, 0x0f, 0x05, 0xc3 },
	  0,
	  .is_return = true,
	  .found = true,
	  .kind = RULE_REG,
	  .reg = RSP,
	  .cfa = 8 },
};

static void check(const struct test_case *t)
{
	struct elf_file f = { .fd = -1, .image = t->code, .arch = &unwind_x86_64 };
	struct unwind_rule rule;
	bool found;

	f.size = sizeof(t->code);
	*vec_push(&f.segments) = (struct elf_segment){ .filesz = sizeof(t->code),
						       .vaddr = CODE,
						       .flags = PF_X };
	found = unwind_scan(&f, CODE + t->from, t->is_return, &rule);
	ok(found == t->found, "%s", t->what);
	if (found && t->found) {
		is_u64(rule.kind, t->kind, "%s: kind", t->what);
		is_u64(rule.cfa_reg, t->reg, "%s: register", t->what);
		is_i64(rule.cfa_offset, t->cfa, "%s: CFA", t->what);
		is_i64(rule.fp, t->fp, "%s: frame pointer", t->what);
		is_i64(rule.saved[0], t->rbx, "%s: rbx", t->what);
		is_i64(rule.saved[1], t->r12, "%s: r12", t->what);
	}
	vec_release(&f.segments);
}

/* The code before an address: a call, or the end of Go's goroutines. */
static void test_before(void)
{
	static const struct {
		const char *what;
		unsigned char code[16];
		uint8_t at;
		bool call, go_end;
	} rows[] = {
		{ "call rel32", { 0, 0, 0, 0xe8, 1, 2, 3, 4 }, 8, true, false },
		{ "call *%rax", { 0, 0, 0, 0, 0, 0, 0xff, 0xd0 }, 8, true, false },
		{ "call *%r12", { 0, 0, 0, 0, 0, 0x41, 0xff, 0xd4 }, 8, true, false },
		{ "call *0x10(%rax)",
		  { 0, 0, 0, 0, 0, 0xff, 0x50, 0x10 },
		  8,
		  true,
		  false },
		{ "jmp *%rax", { 0, 0, 0, 0, 0, 0, 0xff, 0xe0 }, 8, false, false },
		{ "push", { 0, 0, 0, 0, 0, 0, 0x41, 0x54 }, 8, false, false },
		{ "goexit",
		  { 0, 0, 0, 0, 0, 0, 0, 0x90, 0xe8, 1, 2, 3, 4, 0x90 },
		  8,
		  false,
		  true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct elf_file f = { .fd = -1,
				      .image = rows[i].code,
				      .size = sizeof(rows[i].code),
				      .arch = &unwind_x86_64 };

		*vec_push(&f.segments) = (struct elf_segment){
			.filesz = sizeof(rows[i].code), .vaddr = CODE, .flags = PF_X
		};
		ok(unwind_code_is_behind_call(&f, CODE + rows[i].at) == rows[i].call,
		   "behind %s", rows[i].what);
		ok(unwind_code_is_go_end(&f, CODE + rows[i].at - 1) == rows[i].go_end,
		   "at %s", rows[i].what);
		vec_release(&f.segments);
	}
}

/* Stack switches before a call: the two forms in Go's assembly, and similar code. */
static void test_go_switch(void)
{
	static const struct {
		const char *what;
		unsigned char code[16];
		bool is;
	} rows[] = {
		{ "mov 0x38(%rbx),%rsp; call",
		  { 0x48, 0x8b, 0x63, 0x38, 0xe8, 1, 2, 3, 4 },
		  true },
		{ "mov 0x38(%r14),%rsp; push; mov; call",
		  { 0x49, 0x8b, 0x66, 0x38, 0x50, 0x4c, 0x8b, 0x22, 0x41, 0xff, 0xd4 },
		  true },
		{ "mov 0x38(%rdx),%rbx; mov %rbx,%rsp; call",
		  { 0x48, 0x8b, 0x5a, 0x38, 0x48, 0x89, 0xdc, 0xff, 0xd7 },
		  true },
		{ "mov 0x30(%rbx),%rsp; call",
		  { 0x48, 0x8b, 0x63, 0x30, 0xe8, 1, 2, 3, 4 },
		  false },
		{ "mov 0x38(%rsp),%rsp; call",
		  { 0x48, 0x8b, 0x64, 0x38, 0xe8, 1, 2, 3, 4 },
		  false },
		{ "mov 0x38(%rdx),%rbx; mov %rbx,%rax; call",
		  { 0x48, 0x8b, 0x5a, 0x38, 0x48, 0x89, 0xd8, 0xff, 0xd7 },
		  false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned char code[48] = { 0 };
		struct elf_file f = { .fd = -1,
				      .image = code,
				      .size = sizeof(code),
				      .arch = &unwind_x86_64 };

		memcpy(code + sizeof(code) - sizeof(rows[i].code), rows[i].code,
		       sizeof(rows[i].code));
		*vec_push(&f.segments) = (struct elf_segment){ .filesz = sizeof(code),
							       .vaddr = CODE,
							       .flags = PF_X };
		ok(unwind_code_is_go_switch(&f, CODE + sizeof(code)) == rows[i].is,
		   "behind %s", rows[i].what);
		ok(!unwind_code_is_go_switch(&f, CODE + 16), "not at its start");
		vec_release(&f.segments);
	}
}

/* From a function's entry to a place in it. */
static void test_fp(void)
{
	static const struct {
		const char *what;
		unsigned char code[24];
		uint8_t at;
		bool found;
		int64_t above;
	} rows[] = {
		{ "push %rbp; mov %rsp,%rbp; sub $0x20,%rsp; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x20, 0x90 },
		  8,
		  true,
		  0x20 },
		{ "push %rbp; mov %rsp,%rbp; push %rbx; sub $8,%rsp; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 0x08, 0x90 },
		  9,
		  true,
		  0x10 },
		{ "push %rbp; mov %rsp,%rbp; call; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0xe8, 1, 2, 3, 4, 0x90 },
		  9,
		  true,
		  0 },
		{ "| push %rbp; mov %rsp,%rbp", { 0x55, 0x48, 0x89, 0xe5 }, 0, false, 0 },
		{ "push %rbp; | mov %rsp,%rbp", { 0x55, 0x48, 0x89, 0xe5 }, 1, false, 0 },
		{ "push %rbx; |", { 0x53, 0x90 }, 1, false, 0 },
		{ "push %rbp; mov %rsp,%rbp; sub %rax,%rsp; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x29, 0xc4, 0x90 },
		  7,
		  false,
		  0 },
		{ "push %rbp; mov %rsp,%rbp; and $-32,%rsp; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xe0, 0x90 },
		  8,
		  false,
		  0 },
		{ "push %rbp; mov %rsp,%rbp; je +1; push %rax; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x74, 0x01, 0x50, 0x90 },
		  7,
		  false,
		  0 },
		{ "push %rbp; mov %rsp,%rbp; je +2; push %rax; pop %rax; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x74, 0x02, 0x50, 0x58, 0x90 },
		  8,
		  true,
		  0 },
		{ "push %rbp; mov %rsp,%rbp; push %rbx; jmp +1; ret; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0x53, 0xeb, 0x01, 0xc3, 0x90 },
		  8,
		  true,
		  8 },
		{ "push %rbp; mov %rsp,%rbp; jmp *%rax; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xe0, 0x90 },
		  6,
		  false,
		  0 },
		{ "push %rbp; mov %rsp,%rbp; ret; |",
		  { 0x55, 0x48, 0x89, 0xe5, 0xc3, 0x90 },
		  5,
		  false,
		  0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct effect_place sp, fp;
		bool found;
		struct elf_file f = { .fd = -1,
				      .image = rows[i].code,
				      .size = sizeof(rows[i].code),
				      .arch = &unwind_x86_64 };

		*vec_push(&f.segments) = (struct elf_segment){
			.filesz = sizeof(rows[i].code), .vaddr = CODE, .flags = PF_X
		};
		found = unwind_scan_from_entry(&f, CODE, CODE + rows[i].at, &sp, &fp) &&
			!sp.by_fp && !fp.by_fp;
		ok(found == rows[i].found, "the frame pointer is %s: %s",
		   rows[i].found ? "found" : "not known", rows[i].what);
		if (found)
			is_i64(fp.at - sp.at, rows[i].above, "… and where");
		vec_release(&f.segments);
	}
}

static void test_thread_end(void)
{
	/* mov $111,%edi; mov $60,%eax; syscall */
	unsigned char code[] = { 0xbf, 0x6f, 0, 0, 0, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05 };
	struct elf_file f = {
		.fd = -1, .image = code, .size = sizeof(code), .arch = &unwind_x86_64
	};

	*vec_push(&f.segments) = (struct elf_segment){ .filesz = sizeof(code),
						       .vaddr = CODE,
						       .flags = PF_X };
	ok(unwind_code_is_thread_end(&f, CODE), "the end of a thread");
	ok(!unwind_code_is_thread_end(&f, CODE + 1), "not in the middle of it");
	code[6] = 0x3b;
	ok(!unwind_code_is_thread_end(&f, CODE), "another system call");
	vec_release(&f.segments);
}

struct counts {
	unsigned long tried, unfound, wrong;
	unsigned long entered, unreached, misled; /* from the function's entry */
};

/* Where a call leads to the function, and how deep the stack then is at ADDRESS. */
static void compare_entry(const struct unwind_module *m, const struct cfi_row *row,
			  uint64_t address, struct counts *counts)
{
	struct effect_place sp, fp;
	struct cfi_fde fde;
	struct cfi_row first;
	uint32_t fuel = 100000;

	if (!m->cfis.len || !cfi_find(&m->cfis.data[0], address, &fde) ||
	    !cfi_row_at(&m->cfis.data[0], &fde, fde.start, &fuel, &first) ||
	    first.cfa.reg != RSP || first.cfa.number != 8)
		return;
	counts->entered++;
	if (!unwind_scan_from_entry(&m->file, fde.start, address, &sp, &fp))
		counts->unreached++;
	else
		counts->misled += sp.by_fp || 8 - sp.at != row->cfa.number;
}

/* Compares the rule by instructions at ADDRESS with ROW. */
static void compare(const struct unwind_module *m, const struct cfi_row *row,
		    uint64_t address, struct counts *counts)
{
	const struct elf_file *f = &m->file;
	struct unwind_rule told = unwind_rule_of(row, f->arch), found;

	if (told.kind != RULE_REG || told.cfa_reg != RSP)
		return;
	compare_entry(m, row, address, counts);
	counts->tried++;
	if (!unwind_scan(f, address, false, &found))
		counts->unfound++;
	else if (found.cfa_reg == RSP && found.cfa_offset != told.cfa_offset)
		counts->wrong++;
}

/* Tries about every hundredth of the row's instructions. */
static void compare_row(const struct unwind_module *m, const struct cfi_row *row,
			struct counts *counts, unsigned int *turn)
{
	const struct elf_file *f = &m->file;
	const struct elf_segment *s = elf_segment_of(f, row->start);
	unsigned char code[X86_INSN_MAX];
	struct x86_insn insn;
	size_t len;

	for (uint64_t at = row->start; s && at < row->end; at += insn.len) {
		len = elf_file_read(f, at - s->vaddr + s->offset, code, sizeof(code));
		if (!x86_insn_decode(code, len, &insn))
			return;
		if (++*turn % 101 == 0)
			compare(m, row, at, counts);
	}
}

static void compare_module(struct unwind_module *m, struct counts *counts)
{
	struct cfi_row row;
	unsigned int turn = 0;
	uint64_t next;

	vec_for_each(const struct elf_segment, s, &m->file.segments)
		for (uint64_t at = s->vaddr; s->flags & PF_X && at < s->vaddr + s->filesz;
		     at = next) {
			uint32_t fuel = 100000;

			next = at + 1;
			if (!unwind_module_row(m, at, &fuel, &row))
				continue;
			next = row.end;
			if (!row.signal)
				compare_row(m, &row, counts, &turn);
		}
}

static void test_library(void)
{
	struct counts counts = { 0 };
	struct self_space space;

	self_space_init(&space);
	vec_for_each(const struct self_map, map, &space.maps)
		if (map->map.module && strstr(map->name, "/libc"))
			compare_module(map->map.module, &counts);
	printf("# %lu places of the C library: %lu without a return, %lu wrong\n",
	       counts.tried, counts.unfound, counts.wrong);
	ok(counts.wrong * 25 <= counts.tried, "at most one in 25 is wrong");
	ok(counts.unfound * 10 <= counts.tried, "at most one in ten has no return");
	printf("# %lu of them from the entry: %lu not reached, %lu wrong\n",
	       counts.entered, counts.unreached, counts.misled);
	ok(counts.misled * 100 <= counts.entered, "at most one in 100 is wrong");
	ok(counts.unreached * 2 <= counts.entered, "at least half are reached");
	self_space_release(&space);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	test_before();
	test_go_switch();
	test_fp();
	test_thread_end();
	if (unwind_arch_host() == &unwind_x86_64)
		test_library();
	return done_testing();
}
