/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/code.h"

#include <string.h>

#include "elf/x86_insn.h"

/* The bytes of a trampoline: a system call's number into a register, and the call. */
struct trampoline {
	const struct unwind_arch *arch;
	unsigned char code[9];
	uint8_t len;
	uint8_t call_at; /* the second instruction */
};

static const struct trampoline trampolines[] = {
	/* mov $15,%rax; syscall */
	{ &unwind_x86_64, { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 }, 9, 7 },
	/* mov x8,#139; svc #0 */
	{ &unwind_aarch64, { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 }, 8, 4 },
};

static bool starts_at(const struct elf_file *f, const struct trampoline *t,
		      uint64_t vaddr)
{
	unsigned char code[sizeof(t->code)];

	return elf_read_code(f, vaddr, code, t->len) &&
	       memcmp(code, t->code, t->len) == 0;
}

bool unwind_code_is_sigreturn(const struct elf_file *f, uint64_t vaddr)
{
	for (size_t i = 0; i < sizeof(trampolines) / sizeof(*trampolines); i++) {
		const struct trampoline *t = &trampolines[i];

		/* A handler's return address is the start, and looked up as start - 1; in
		   the call itself the address is the end. */
		if (t->arch == f->arch &&
		    (starts_at(f, t, vaddr + 1) || starts_at(f, t, vaddr) ||
		     starts_at(f, t, vaddr - t->call_at) ||
		     starts_at(f, t, vaddr - t->len)))
			return true;
	}
	return false;
}

/*
 * The stubs of x86-64 linkers.  The first part of a stub jumps to the function; before the
 * function is bound, it leads to the second part, which pushes the function's number and
 * continues at PLT0, which pushes one more word.  MASK has each byte's significant bits.
 */
struct x86_stub {
	uint8_t len;
	unsigned char code[12], mask[12];
	struct {
		uint8_t at, cfa_offset; /* of an instruction; no offset: the end */
	} places[2];
};

#define ANY4 0, 0, 0, 0
#define ALL4 0xff, 0xff, 0xff, 0xff

static const struct x86_stub x86_stubs[] = {
	/* PLT0: push GOT+8(%rip); [bnd] jmp *GOT+16(%rip) */
	{ 8,
	  { 0xff, 0x35, ANY4, 0xff, 0x25 },
	  { 0xff, 0xff, ANY4, 0xff, 0xff },
	  { { 0, 16 }, { 6, 24 } } },
	{ 9,
	  { 0xff, 0x35, ANY4, 0xf2, 0xff, 0x25 },
	  { 0xff, 0xff, ANY4, 0xff, 0xff, 0xff },
	  { { 0, 16 }, { 6, 24 } } },
	/* jmp *offset(%rip); push $number; jmp PLT0 */
	{ 12,
	  { 0xff, 0x25, ANY4, 0x68, ANY4, 0xe9 },
	  { 0xff, 0xff, ANY4, 0xff, ANY4, 0xff },
	  { { 6, 8 }, { 11, 16 } } },
	/* endbr64; push $number; [bnd] jmp PLT0 */
	{ 10,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, ANY4, 0xe9 },
	  { ALL4, 0xff, ANY4, 0xff },
	  { { 4, 8 }, { 9, 16 } } },
	{ 11,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0x68, ANY4, 0xf2, 0xe9 },
	  { ALL4, 0xff, ANY4, 0xff, 0xff },
	  { { 4, 8 }, { 9, 16 } } },
	/* the same at endbr64 */
	{ 5, { 0xf3, 0x0f, 0x1e, 0xfa, 0x68 }, { ALL4, 0xff }, { { 0, 8 } } },
	/* [endbr64] [bnd] jmp *offset(%rip) */
	{ 2, { 0xff, 0x25 }, { 0xff, 0xff }, { { 0, 8 } } },
	{ 3, { 0xf2, 0xff, 0x25 }, { 0xff, 0xff, 0xff }, { { 0, 8 } } },
	{ 6, { 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25 }, { ALL4, 0xff, 0xff }, { { 0, 8 } } },
	{ 7,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25 },
	  { ALL4, 0xff, 0xff, 0xff },
	  { { 0, 8 } } },
};

static bool is_masked(const unsigned char *code, const unsigned char *want,
		      const unsigned char *mask, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((code[i] & mask[i]) != want[i])
			return false;
	return true;
}

static bool is_stub_at(const struct elf_file *f, const struct x86_stub *s, uint64_t start)
{
	unsigned char code[sizeof(s->code)];

	return elf_read_code(f, start, code, s->len) &&
	       is_masked(code, s->code, s->mask, s->len);
}

/* How far the CFA lies above the stack pointer in the stub at VADDR, or 0. */
static uint8_t x86_stub_cfa(const struct elf_file *f, uint64_t vaddr)
{
	for (size_t i = 0; i < sizeof(x86_stubs) / sizeof(*x86_stubs); i++) {
		const struct x86_stub *s = &x86_stubs[i];

		for (size_t p = 0; p < 2 && s->places[p].cfa_offset; p++)
			if (is_stub_at(f, s, vaddr - s->places[p].at))
				return s->places[p].cfa_offset;
	}
	return 0;
}

static bool x86_plt_rule(const struct elf_file *f, uint64_t vaddr,
			 struct unwind_rule *rule)
{
	*rule = (struct unwind_rule){
		.kind = RULE_REG,
		.cfa_reg = f->arch->sp,
		.cfa_offset = x86_stub_cfa(f, vaddr),
		.ra = -1,
	};
	return rule->cfa_offset;
}

/* bti c; stp x16,x30,[sp,#-16]!, the beginning of PLT0; autia1716 */
static const uint32_t bti_c = 0xd503245f, push_x16_x30 = 0xa9bf7bf0,
		      autia1716 = 0xd503219f;

/* The length of adrp x16; ldr x17,[x16,…]; add x16,x16,…; [autia1716;] br x17, or 0. */
static uint64_t aarch64_jump(const struct elf_file *f, uint64_t vaddr)
{
	const uint32_t br_x17 = 0xd61f0220, adrp_x16 = 0x90000010, adrp_mask = 0x9f00001f,
		       ldr_x17 = 0xf9400211, ldr_mask = 0xffc003ff;
	uint32_t code[5];

	if (!elf_read_code(f, vaddr, code, 4 * sizeof(*code)) ||
	    (code[0] & adrp_mask) != adrp_x16 || (code[1] & ldr_mask) != ldr_x17)
		return 0;
	if (code[3] == br_x17)
		return 4 * sizeof(*code);
	return code[3] == autia1716 && elf_read_code(f, vaddr, code, sizeof(code)) &&
			       code[4] == br_x17
		       ? sizeof(code)
		       : 0;
}

static bool is_word(const struct elf_file *f, uint64_t vaddr, uint32_t word)
{
	uint32_t code;

	return elf_read_code(f, vaddr, &code, sizeof(code)) && code == word;
}

/*
 * A stub leaves the stack as it is, and the return address in x30; PLT0 pushes both that
 * and x16.
 */
static bool aarch64_plt_rule(const struct elf_file *f, uint64_t vaddr,
			     struct unwind_rule *rule)
{
	enum { WORD = 4, LONGEST = 5 * WORD };
	uint64_t jump = vaddr, len;

	if (is_word(f, jump, bti_c))
		jump += WORD;
	if (is_word(f, jump, push_x16_x30))
		jump += WORD;
	while (!(len = aarch64_jump(f, jump)) && jump <= vaddr &&
	       vaddr - jump < LONGEST - WORD)
		jump -= WORD;
	if (!len || (jump <= vaddr && vaddr - jump >= len))
		return false;
	*rule = (struct unwind_rule){ .kind = RULE_REG, .cfa_reg = f->arch->sp };
	if (jump <= vaddr && is_word(f, jump - WORD, push_x16_x30)) {
		rule->cfa_offset = 16;
		rule->ra = -1;
	}
	return true;
}

bool unwind_code_plt_rule(const struct elf_file *f, uint64_t vaddr,
			  struct unwind_rule *rule)
{
	return f->arch == &unwind_x86_64 ? x86_plt_rule(f, vaddr, rule)
					 : aarch64_plt_rule(f, vaddr, rule);
}

/*
 * syscall; test %rax,%rax; jl; je; ret: glibc ends its call frame information before it,
 * since the child continues here with a stack of its own.
 */
static bool is_clone_call(const struct elf_file *f, uint64_t start)
{
	static const unsigned char call[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0, 0x7c };
	unsigned char code[10];

	return elf_read_code(f, start, code, sizeof(code)) &&
	       memcmp(code, call, sizeof(call)) == 0 && code[7] == 0x74 &&
	       code[9] == 0xc3;
}

bool unwind_code_clone_rule(const struct elf_file *f, uint64_t vaddr,
			    struct unwind_rule *rule)
{
	if (f->arch != &unwind_x86_64)
		return false;
	for (uint64_t at = 0; at < 10; at++) {
		if (!is_clone_call(f, vaddr - at))
			continue;
		*rule = (struct unwind_rule){
			.kind = RULE_REG,
			.cfa_reg = f->arch->sp,
			.cfa_offset = 8,
			.ra = -1,
			.flags = RULE_CLONE,
		};
		return true;
	}
	return false;
}

/*
 * What the first function of a coroutine returns to, FROM bytes further on.  MASK has the
 * bits that count of each byte.
 */
struct coroutine_end {
	const struct unwind_arch *arch;
	int from;
	size_t len;
	unsigned char code[16], mask[16];
};

static const struct coroutine_end coroutine_ends[] = {
	/* glibc: mov %rbx,%rsp; mov (%rsp),%rdi; test %rdi,%rdi */
	{ &unwind_x86_64,
	  0,
	  10,
	  { 0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff },
	  { ALL4, ALL4, 0xff, 0xff } },
	/* endbr64; the same, if glibc is built with CET */
	{ &unwind_x86_64,
	  0,
	  14,
	  { 0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85,
	    0xff },
	  { ALL4, ALL4, ALL4, 0xff, 0xff } },
	/* or pop %rdi */
	{ &unwind_x86_64,
	  0,
	  7,
	  { 0x48, 0x89, 0xdc, 0x5f, 0x48, 0x85, 0xff },
	  { ALL4, 0xff, 0xff, 0xff } },
	/* nop or bti c; mov x0,x19; cbnz x0,setcontext; b exit */
	{ &unwind_aarch64,
	  0,
	  16,
	  { 0x1f, 0x20, 0x03, 0xd5, 0xe0, 0x03, 0x13, 0xaa, 0, 0, 0, 0xb5, 0, 0, 0,
	    0x14 },
	  { 0xbf, 0xfb, 0xff, 0xff, ALL4, 0x1f, 0, 0, 0xff, 0, 0, 0, 0xfc } },
	/* Boost: xor %rdi,%rdi; call _exit; hlt */
	{ &unwind_x86_64,
	  0,
	  9,
	  { 0x48, 0x31, 0xff, 0xe8, ANY4, 0xf4 },
	  { ALL4, ANY4, 0xff } },
	/* mov x0,#0; bl _exit; behind a ret, so no call returned there */
	{ &unwind_aarch64,
	  -4,
	  12,
	  { 0xc0, 0x03, 0x5f, 0xd6, 0, 0, 0x80, 0xd2, 0, 0, 0, 0x94 },
	  { ALL4, ALL4, 0, 0, 0, 0xfc } },
};

bool unwind_code_is_coroutine_end(const struct elf_file *f, uint64_t vaddr)
{
	for (size_t i = 0; i < sizeof(coroutine_ends) / sizeof(*coroutine_ends); i++) {
		const struct coroutine_end *e = &coroutine_ends[i];
		unsigned char code[sizeof(e->code)];

		if (e->arch == f->arch &&
		    elf_read_code(f, vaddr + 1 + (uint64_t)e->from, code, e->len) &&
		    is_masked(code, e->code, e->mask, e->len))
			return true;
	}
	return false;
}

/* nop; call goexit1; nop: a goroutine returns to its second byte. */
static bool is_x86_go_end(const struct elf_file *f, uint64_t vaddr)
{
	unsigned char code[7];

	return elf_read_code(f, vaddr, code, sizeof(code)) && code[0] == 0x90 &&
	       code[1] == 0xe8 && code[6] == 0x90;
}

/* The same of 4 bytes each: mov x0,x0; bl; mov x0,x0. */
static bool is_aarch64_go_end(const struct elf_file *f, uint64_t vaddr)
{
	const uint32_t nop = 0xaa0003e0, bl = 0x94000000, bl_mask = 0xfc000000;
	uint32_t code[3];

	return elf_read_code(f, vaddr - (sizeof(nop) - 1), code, sizeof(code)) &&
	       code[0] == nop && (code[1] & bl_mask) == bl && code[2] == nop;
}

bool unwind_code_is_go_end(const struct elf_file *f, uint64_t vaddr)
{
	return f->arch == &unwind_x86_64 ? is_x86_go_end(f, vaddr)
					 : is_aarch64_go_end(f, vaddr);
}

/*
 * mov 0x38(%reg),%rsp, or the same through %rbx: a goroutine's saved stack pointer, at
 * this offset in all of Go's versions so far.  Compilers emit no such code.
 */
static bool takes_go_stack(const unsigned char *code)
{
	static const unsigned char by_rbx[] = { 0x38, 0x48, 0x89, 0xdc };
	unsigned char register_and_base = code[2] & 0xf8;

	if ((code[0] & 0xfe) != 0x48 || code[1] != 0x8b || (code[2] & 7) == 4)
		return false;
	return register_and_base == 0x60
		       ? code[3] == 0x38
		       : register_and_base == 0x58 &&
				 memcmp(code + 3, by_rbx, sizeof(by_rbx)) == 0;
}

bool unwind_code_is_go_switch(const struct elf_file *f, uint64_t vaddr)
{
	enum { TAKING = 7, BEFORE = 40 };
	unsigned char code[BEFORE];

	if (f->arch != &unwind_x86_64 || !elf_read_code(f, vaddr - BEFORE, code, BEFORE))
		return false;
	for (size_t i = 0; i + TAKING <= BEFORE; i++)
		if (takes_go_stack(code + i))
			return true;
	return false;
}

bool unwind_code_is_thread_end(const struct elf_file *f, uint64_t vaddr)
{
	/* mov $…,%edi; mov $60,%eax; syscall */
	static const unsigned char exits[] = { 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05 };
	enum { STATUS = 5 };
	unsigned char code[STATUS + sizeof(exits)];

	return f->arch == &unwind_x86_64 && elf_read_code(f, vaddr, code, sizeof(code)) &&
	       code[0] == 0xbf && memcmp(code + STATUS, exits, sizeof(exits)) == 0;
}

/* call rel32, or call through a register or memory, in all their lengths. */
static bool is_behind_x86_call(const struct elf_file *f, uint64_t vaddr)
{
	enum { SHORTEST = 2, LONGEST = 8 };
	unsigned char code[LONGEST];
	struct x86_insn insn;

	if (!elf_read_code(f, vaddr - LONGEST, code, LONGEST))
		return false;
	for (size_t len = SHORTEST; len <= LONGEST; len++)
		if (x86_insn_decode(code + LONGEST - len, len, &insn) &&
		    insn.len == len && !insn.vector &&
		    (insn.op == 0xe8 || (insn.op == 0xff && insn.reg % 8 == 2)))
			return true;
	return false;
}

/* bl, blr, and blraa and its like, which check a signature. */
static bool is_behind_aarch64_call(const struct elf_file *f, uint64_t vaddr)
{
	static const struct {
		uint32_t mask, code;
	} calls[] = {
		{ 0xfc000000, 0x94000000 },
		{ 0xfffffc1f, 0xd63f0000 },
		{ 0xfefff800, 0xd63f0800 },
	};
	uint32_t code;

	if (!elf_read_code(f, vaddr - sizeof(code), &code, sizeof(code)))
		return false;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if ((code & calls[i].mask) == calls[i].code)
			return true;
	return false;
}

bool unwind_code_is_behind_call(const struct elf_file *f, uint64_t vaddr)
{
	return f->arch == &unwind_x86_64 ? is_behind_x86_call(f, vaddr)
					 : is_behind_aarch64_call(f, vaddr);
}
