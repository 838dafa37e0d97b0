/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code as bytes, and what they prove: where the caller's frame is, which of its registers
 * are restored, and which are lost.  Then code that a small generator draws, whose frame
 * it knows.
 */
#include "unwind/prove.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "unwind/regs.h"

#define CODE 0x1000

enum { SIZE = 160, RBX = 3, RBP = 6, RSP = 7, R12 = 12, R13, R14, R15 };
enum { KEPT = 1 << RBX | 1 << R12 | 1 << R13 | 1 << R14 | 1 << R15 };

struct bytes {
	unsigned char code[SIZE];
	size_t len;
	uint8_t used[SIZE];
};

static size_t read_bytes(void *context, uint64_t address, void *to, size_t len)
{
	const struct bytes *b = context;

	if (address < CODE || address - CODE >= b->len)
		return 0;
	if (len > b->len - (address - CODE))
		len = b->len - (size_t)(address - CODE);
	memcpy(to, b->code + (address - CODE), len);
	return len;
}

static void use_bytes(void *context, uint64_t address, size_t len)
{
	struct bytes *b = context;

	for (size_t i = 0; i < len; i++)
		if (address + i >= CODE && address + i - CODE < SIZE)
			b->used[address + i - CODE] = 1;
}

static bool prove(struct bytes *b, unsigned from, bool is_return,
		  struct unwind_made_rule *out)
{
	const struct prove_code code = { read_bytes, use_bytes, b };

	return unwind_prove(&code, CODE + from, is_return, out);
}

struct test_case {
	const char *what;
	unsigned char code[40];
	uint8_t from;
	bool is_leaf, refused, doubtful;
	uint8_t reg;
	int32_t cfa;
	int16_t ra, fp;
	int8_t rbx;
	uint64_t lost;
};

static const struct test_case cases[] = {
	{ "CPython's trampoline: sub; call | add $8,%rsp; ret",
	  { 0x48, 0x83, 0xec, 8, 0xff, 0xd1, 0x48, 0x83, 0xc4, 8, 0xc3 },
	  6,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1 },
	{ "from its first instruction, behind a call that keeps what C keeps at most",
	  { 0x48, 0x83, 0xec, 8, 0xff, 0xd1, 0x48, 0x83, 0xc4, 8, 0xc3 },
	  0,
	  .is_leaf = true,
	  .doubtful = true,
	  .reg = RSP,
	  .cfa = 8,
	  .ra = -1,
	  .lost = KEPT },
	{ "at its ret",
	  { 0x48, 0x83, 0xec, 8, 0xff, 0xd1, 0x48, 0x83, 0xc4, 8, 0xc3 },
	  10,
	  .is_leaf = true,
	  .reg = RSP,
	  .cfa = 8,
	  .ra = -1 },
	{ "a return to a ret: the next function may begin there",
	  { 0xff, 0xd1, 0xc3 },
	  2,
	  .doubtful = true,
	  .reg = RSP,
	  .cfa = 8,
	  .ra = -1 },
	{ "a frame pointer: leave; ret",
	  { 0xff, 0xd1, 0xc9, 0xc3 },
	  2,
	  .reg = RBP,
	  .cfa = 16,
	  .ra = -1,
	  .fp = -2 },
	{ "leave; ret $16 drops arguments",
	  { 0xff, 0xd1, 0xc9, 0xc2, 16, 0 },
	  2,
	  .reg = RBP,
	  .cfa = 32,
	  .ra = -3,
	  .fp = -4 },
	{ "mov 8(%rsp),%rbx restores as pop does",
	  { 0xff, 0xd1, 0x48, 0x8b, 0x5c, 0x24, 8, 0x48, 0x83, 0xc4, 16, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 24,
	  .ra = -1,
	  .rbx = -2 },
	{ "not from the return address's place: mov 16(%rsp),%rbx; add $16,%rsp; ret",
	  { 0xff, 0xd1, 0x48, 0x8b, 0x5c, 0x24, 16, 0x48, 0x83, 0xc4, 16, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 24,
	  .ra = -1,
	  .lost = 1 << RBX },
	{ "nor from the caller's frame above it: pop %rax; mov 16(%rsp),%rbx; ret",
	  { 0xff, 0xd1, 0x58, 0x48, 0x8b, 0x5c, 0x24, 16, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1,
	  .lost = 1 << RBX },
	{ "a register that is only overwritten is lost: xor %ebx,%ebx",
	  { 0xff, 0xd1, 0x31, 0xdb, 0x58, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1,
	  .lost = 1 << RBX },
	{ "fp too: movzx %al,%ebp; pop %rax; ret",
	  { 0xff, 0xd1, 0x0f, 0xb6, 0xe8, 0x58, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1,
	  .lost = 1 << RBP },
	{ "fp that was overwritten leads nowhere: movzx %al,%ebp; leave; ret",
	  { 0xff, 0xd1, 0x0f, 0xb6, 0xe8, 0xc9, 0xc3 },
	  2,
	  .refused = true },
	{ "two returns that agree: je; pop; ret; pop; ret",
	  { 0xff, 0xd1, 0x74, 2, 0x58, 0xc3, 0x59, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1 },
	{ "two that do not: je; pop; ret; ret",
	  { 0xff, 0xd1, 0x74, 2, 0x58, 0xc3, 0xc3 },
	  2,
	  .refused = true },
	{ "one that is behind another call does not count beside a direct one",
	  { 0xff, 0xd1, 0x74, 4, 0x58, 0x59, 0x5a, 0xc3, 0xff, 0xd1, 0xc3 },
	  2,
	  .refused = false,
	  .reg = RSP,
	  .cfa = 32,
	  .ra = -1 },
	{ "only one behind another call: doubtful, and it may have changed registers",
	  { 0xff, 0xd1, 0xff, 0xd1, 0x58, 0xc3 },
	  2,
	  .doubtful = true,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1,
	  .lost = KEPT },
	{ "… and refused if it looks like the next function",
	  { 0xff, 0xd1, 0xff, 0xd1, 0x53, 0x5b, 0xc3 },
	  2,
	  .refused = true },
	{ "jumps are followed: jmp; (ud2) pop; ret",
	  { 0xff, 0xd1, 0xeb, 2, 0x0f, 0x0b, 0x58, 0xc3 },
	  2,
	  .reg = RSP,
	  .cfa = 16,
	  .ra = -1 },
	{ "not through a register: jmp *%rax",
	  { 0xff, 0xd1, 0xff, 0xe0 },
	  2,
	  .refused = true },
	{ "nor out of what can be read", { 0xff, 0xd1, 0xeb, 0x70 }, 2, .refused = true },
	{ "nor to itself", { 0xff, 0xd1, 0xeb, 0xfe }, 2, .refused = true },
	{ "nor behind a stop", { 0xff, 0xd1, 0x0f, 0x0b, 0xc3 }, 2, .refused = true },
	{ "the stack pointer from a register: mov %rax,%rsp; ret",
	  { 0xff, 0xd1, 0x48, 0x89, 0xc4, 0xc3 },
	  2,
	  .refused = true },
	{ "and %rsp,$-16",
	  { 0xff, 0xd1, 0x48, 0x83, 0xe4, 0xf0, 0xc3 },
	  2,
	  .refused = true },
	{ "cmove %rax,%rsp",
	  { 0xff, 0xd1, 0x48, 0x0f, 0x44, 0xe0, 0xc3 },
	  2,
	  .refused = true },
	{ "inc %rsp", { 0xff, 0xd1, 0x48, 0xff, 0xc4, 0xc3 }, 2, .refused = true },
	{ "a return address below the stack: push; ret",
	  { 0xff, 0xd1, 0x50, 0xc3 },
	  2,
	  .refused = true },
	{ "no whole words: add $9,%rsp; ret",
	  { 0xff, 0xd1, 0x48, 0x83, 0xc4, 9, 0xc3 },
	  2,
	  .refused = true },
};

static void check(const struct test_case *t)
{
	struct bytes b = { .len = sizeof(t->code) };
	struct unwind_made_rule made;
	bool found;

	memset(b.code, 0xf4, sizeof(b.code));
	memcpy(b.code, t->code, sizeof(t->code));
	for (size_t i = sizeof(t->code); i && !t->code[i - 1]; i--)
		b.code[i - 1] = 0xf4;
	/* a displacement or operand of 0 is no end of code */
	if (t->code[4] == 16 && t->code[3] == 0xc2)
		b.code[5] = 0;
	found = prove(&b, t->from, !t->is_leaf, &made);
	ok(found == !t->refused, "%s", t->what);
	if (!found || t->refused)
		return;
	is_u64(made.doubtful, t->doubtful, "%s: doubt", t->what);
	is_u64(made.rule.cfa_reg, t->reg, "%s: register", t->what);
	is_i64(made.rule.cfa_offset, t->cfa, "%s: CFA", t->what);
	is_i64(made.rule.ra, t->ra, "%s: return address", t->what);
	is_i64(made.rule.fp, t->fp, "%s: frame pointer", t->what);
	is_i64(made.rule.saved[0], t->rbx, "%s: rbx", t->what);
	is_u64(made.lost, t->lost, "%s: lost", t->what);
}

/* ---- drawn code ---- */

/*
 * A function that pushes some registers, overwrites them, takes a frame, calls, and undoes
 * it all: in its epilogue's two forms, around no-ops and branches.
 */
struct drawn {
	struct bytes b;
	unsigned call;    /* behind it */
	unsigned pushed;  /* registers */
	unsigned frame;   /* bytes */
	bool restores[6]; /* rbp, rbx, r12 … r15 */
	uint64_t seed;
};

static unsigned draw(struct drawn *d, unsigned below)
{
	d->seed = d->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(d->seed >> 33) % below;
}

static void emit(struct drawn *d, const char *bytes, size_t len)
{
	memcpy(d->b.code + d->b.len, bytes, len);
	d->b.len += len;
}

#define EMIT(d, text) emit(d, text, sizeof(text) - 1)

/* Instructions that change neither the stack nor a register that calls keep. */
static void emit_filler(struct drawn *d)
{
	static const struct {
		char bytes[9];
		uint8_t len;
	} fillers[] = {
		{ "\x90", 1 },
		{ "\x0f\x1f\x40\x00", 4 },
		{ "\x48\x89\xc1", 3 },         /* mov %rax,%rcx */
		{ "\x85\xdb", 2 },             /* test %ebx,%ebx */
		{ "\x48\x39\xeb", 3 },         /* cmp %rbp,%rbx */
		{ "\x74\x00", 2 },             /* je to the next */
		{ "\x75\x01\x90", 3 },         /* jne over a nop */
		{ "\xeb\x01\xc3", 3 },         /* jmp over a ret */
		{ "\x48\x89\x5c\x24\xf8", 5 }, /* mov %rbx,-8(%rsp) */
		{ "\xf2\x0f\x10\xc1", 4 },     /* movsd */
		{ "\x50\x59", 2 },             /* push %rax; pop %rcx */
	};
	const size_t n = sizeof(fillers) / sizeof(*fillers);
	size_t i = draw(d, (unsigned)n);

	emit(d, fillers[i].bytes, fillers[i].len);
}

static const struct {
	char push[3], pop[3], clear[4];
	uint8_t len, clear_len;
	int dwarf;
} regs[] = {
	{ "\x55", "\x5d", "\x31\xed", 1, 2, RBP },
	{ "\x53", "\x5b", "\x31\xdb", 1, 2, RBX },
	{ "\x41\x54", "\x41\x5c", "\x45\x31\xe4", 2, 3, R12 },
	{ "\x41\x55", "\x41\x5d", "\x45\x31\xed", 2, 3, R13 },
	{ "\x41\x56", "\x41\x5e", "\x45\x31\xf6", 2, 3, R14 },
	{ "\x41\x57", "\x41\x5f", "\x45\x31\xff", 2, 3, R15 },
};

enum { REGS = sizeof(regs) / sizeof(*regs) };

static void generate(struct drawn *d)
{
	for (unsigned r = 0; r < REGS; r++) {
		d->restores[r] = draw(d, 2);
		if (!d->restores[r])
			continue;
		emit(d, regs[r].push, regs[r].len);
		d->pushed++;
	}
	d->frame = 8 * (1 + draw(d, 15));
	EMIT(d, "\x48\x83\xec");
	emit(d, (char[]){ (char)d->frame }, 1);
	EMIT(d, "\xff\xd0"); /* call *%rax */
	d->call = (unsigned)d->b.len;
	for (unsigned n = draw(d, 6); n; n--)
		emit_filler(d);
	for (unsigned r = 0; r < REGS; r++)
		if (draw(d, 2))
			emit(d, regs[r].clear, regs[r].clear_len);
		else
			d->b.used[r] = 1; /* marks one that is left alone */
	EMIT(d, "\x48\x83\xc4");
	emit(d, (char[]){ (char)d->frame }, 1);
	for (unsigned r = REGS; r-- > 0;)
		if (d->restores[r])
			emit(d, regs[r].pop, regs[r].len);
	EMIT(d, "\xc3");
}

/* Where the rule says that register R of the caller is, in words from the CFA; 0: nowhere. */
static int slot_of(const struct unwind_made_rule *made, unsigned r)
{
	if (!r)
		return made->rule.fp;
	return made->rule.saved[r - 1] ? made->rule.fp + made->rule.saved[r - 1] : 0;
}

static bool is_right(struct drawn *d)
{
	struct unwind_made_rule made;
	bool untouched[REGS], right;
	int word = -1;

	for (unsigned r = 0; r < REGS; r++)
		untouched[r] = d->b.used[r];
	right = prove(&d->b, d->call, true, &made) && !made.doubtful &&
		made.rule.cfa_reg == RSP && made.rule.ra == -1 &&
		made.rule.cfa_offset == (int32_t)(d->frame + 8 * d->pushed + 8);
	for (unsigned r = 0; right && r < REGS; r++) {
		bool lost = made.lost >> regs[r].dwarf & 1;

		if (d->restores[r])
			right = slot_of(&made, r) == --word && !lost;
		else
			right = !slot_of(&made, r) && lost == !untouched[r];
	}
	return right;
}

static void test_drawn(uint64_t seed)
{
	enum { ROUNDS = 3000 };
	unsigned wrong = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct drawn d = { .seed = seed + i };

		generate(&d);
		wrong += !is_right(&d);
	}
	is_u64(wrong, 0, "%u functions drawn from seed %" PRIu64, ROUNDS, seed);
}

static void test_call(void)
{
	struct bytes b = { .code = { 0, 0, 0, 0, 0, 0, 0xff, 0xd1, 0x90 }, .len = 16 };
	const struct prove_code code = { read_bytes, use_bytes, &b };

	ok(unwind_prove_call(&code, CODE + 8), "behind a call");
	ok(!unwind_prove_call(&code, CODE + 9), "not behind a nop");
	ok(!unwind_prove_call(&code, CODE + 4), "not without the bytes before it");
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
	test_call();
	test_drawn(argc > 1 ? strtoull(argv[1], NULL, 0) : 1);
	return done_testing();
}
