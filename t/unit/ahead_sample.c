/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a stream. */
#include "ahead_maker.h"

#include "records.h"

enum {
	MORE = 512, /* bytes that a copy could have had */
	WORD = 8,
	KERNEL_PLACES = 20,
	CHAIN_MAX = 8,
};

/* A number whose bits are all used. */
static uint64_t spread(uint64_t number)
{
	number = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return number ^ number >> 29;
}

static void take_stack(struct maker *m)
{
	const struct stream_setup *setup = m->setup;
	uint64_t path = maker_happens(m, setup->samples.fresh)
				? setup->paths + m->paths++
				: maker_below(m, setup->paths);

	path = spread(path);
	own_stacks_take(&m->stacks, 1 + (unsigned)(path >> 32) % setup->depth, path);
}

static bool is_ours(const struct maker *m, uint64_t word)
{
	for (size_t i = 0; i < m->maps.len; i++)
		if (word - m->maps.data[i]->map.start <
		    m->maps.data[i]->map.end - m->maps.data[i]->map.start)
			return true;
	return false;
}

static uint64_t moved(const struct maker *m, uint64_t word, uint64_t shift)
{
	return is_ours(m, word) ? word + shift : word;
}

static void add_regs(struct maker *m, struct strbuf *sb, uint64_t shift, bool unsaved)
{
	const struct unwind_regs *regs = &m->sample->regs;
	const struct unwind_arch *arch = unwind_arch_host();
	const uint64_t mask = m->stream->format.regs_user;

	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t value = bit == arch->perf_pc ? regs->pc : 0;

		if (!(mask >> bit & 1))
			continue;
		for (unsigned n = 0; n < arch->nregs && bit != arch->perf_pc; n++) {
			if (arch->perf_reg[n] != bit)
				continue;
			value = regs->reg[n];
			if (unsaved && arch->nmi_minus_one >> n & 1)
				value = UINT64_MAX;
		}
		rec_u64(sb, moved(m, value, shift));
	}
}

/* A word of the copy becomes another one, or 0. */
static void damage(struct maker *m)
{
	const uint32_t words = (uint32_t)(m->sample->stack_len / WORD);
	unsigned char *stack = m->sample->stack;
	unsigned char *to = stack + WORD * maker_below(m, words / 2);

	if (maker_below(m, 2))
		memset(to, 0, WORD);
	else
		memcpy(to, stack + WORD * maker_below(m, words), WORD);
}

static void add_stack(struct maker *m, struct strbuf *sb, uint64_t shift, bool cut)
{
	size_t len = m->sample->stack_len & ~(size_t)7, room = len + MORE;

	if (cut) {
		len = WORD * maker_below(m, (uint32_t)(len / 2 / WORD));
		room = len + (maker_below(m, 4) ? 0 : MORE);
	}
	rec_u64(sb, room);
	if (!room)
		return;
	for (size_t at = 0; at < len; at += WORD) {
		uint64_t word;

		memcpy(&word, m->sample->stack + at, WORD);
		rec_u64(sb, moved(m, word, shift));
	}
	for (size_t at = len; at < room; at += WORD)
		rec_u64(sb, 0);
	rec_u64(sb, len);
}

/* The chain of place NUMBER in the kernel. */
static size_t kernel_chain(uint64_t number, uint64_t *ips)
{
	const uint64_t bits = spread(number);
	size_t len = 2 + bits % (CHAIN_MAX - 2);

	for (size_t i = 0; i < len; i++)
		ips[i] = MAKER_KERNEL + ((bits >> 8) * (i ? i % 3 : 7) >> i) % 0x1000000;
	return len;
}

/* What a sample has. */
struct form {
	uint16_t misc;
	bool regs, regs32, no_stack, unsaved, cut, damaged, user_chain;
	uint64_t kernel[CHAIN_MAX], ip, shift;
	size_t kernel_len;
};

static void choose_kernel(struct maker *m, struct form *f)
{
	const bool fresh = maker_happens(m, m->setup->samples.new_kernel);
	const uint64_t place = fresh ? KERNEL_PLACES + m->random
				     : maker_below(m, KERNEL_PLACES);

	if (!maker_happens(m, m->setup->samples.kernel))
		return;
	f->kernel_len = kernel_chain(place, f->kernel);
	f->ip = f->kernel[0];
	f->misc = PERF_RECORD_MISC_KERNEL;
	f->unsaved = !maker_below(m, 4);
}

static void choose_odd(struct maker *m, struct form *f)
{
	static const uint16_t modes[] = { PERF_RECORD_MISC_GUEST_USER,
					  PERF_RECORD_MISC_HYPERVISOR,
					  PERF_RECORD_MISC_CPUMODE_UNKNOWN,
					  PERF_RECORD_MISC_USER };

	switch (maker_below(m, 8)) {
	case 0:
		f->regs = false;
		break;
	case 1:
		f->regs32 = true;
		break;
	case 2:
		f->no_stack = true;
		break;
	case 3:
		f->misc = modes[maker_below(m, 4)];
		break;
	case 4:
		f->unsaved = true;
		break;
	case 5:
		f->kernel_len = 0;
		break;
	default:
		f->damaged = true;
	}
	f->user_chain = maker_below(m, 2);
}

static void choose_form(struct maker *m, const struct record_id *at, struct form *f)
{
	*f = (struct form){ .misc = PERF_RECORD_MISC_USER, .regs = true };
	f->shift = *maker_shift_of(m, at->pid);
	f->ip = moved(m, m->sample->regs.pc, f->shift);
	f->cut = maker_happens(m, m->setup->samples.cut);
	f->regs = !maker_happens(m, m->setup->samples.bare);
	f->user_chain = maker_happens(m, m->setup->samples.chains);
	choose_kernel(m, f);
	if (maker_happens(m, m->setup->samples.skid)) /* at times, to nowhere */
		f->ip = 4 * (1 + maker_below(m, 16)) +
			(maker_below(m, 8) ? f->ip : 0x1000);
	if (maker_happens(m, m->setup->samples.odd))
		choose_odd(m, f);
}

static void add_chain(struct maker *m, struct strbuf *sb, const struct form *f)
{
	const uint64_t place = moved(m, m->sample->regs.pc, f->shift);
	const size_t kernel = f->kernel_len ? f->kernel_len + 1 : 0, len = 1 + place % 5;

	rec_u64(sb, kernel + (f->user_chain ? 1 + len : 0));
	if (kernel)
		rec_u64(sb, PERF_CONTEXT_KERNEL);
	strbuf_add(sb, f->kernel, f->kernel_len * sizeof(*f->kernel));
	if (!f->user_chain)
		return;
	rec_u64(sb, PERF_CONTEXT_USER);
	for (size_t i = 0; i < len; i++)
		rec_u64(sb, place + 8 * i);
}

void maker_add_sample(struct maker *m)
{
	struct rec_sample sample = { .at = maker_id_of(m), .period = 1000 };
	struct strbuf *sb = &m->stream->bytes;
	struct form f;
	size_t start;

	take_stack(m);
	choose_form(m, &sample.at, &f);
	if (maker_happens(m, m->setup->rates.strange))
		maker_be_strange(m, &sample.at);
	sample.ip = f.ip;
	if (f.damaged)
		damage(m);
	start = maker_begin(m, PERF_RECORD_SAMPLE, f.misc);
	rec_sample_ids(sb, m->stream->format.sample_type, &sample);
	add_chain(m, sb, &f);
	rec_u64(sb, !f.regs    ? PERF_SAMPLE_REGS_ABI_NONE
		    : f.regs32 ? PERF_SAMPLE_REGS_ABI_32
			       : PERF_SAMPLE_REGS_ABI_64);
	if (f.regs)
		add_regs(m, sb, f.shift, f.unsaved);
	if (f.no_stack)
		rec_u64(sb, 0);
	else
		add_stack(m, sb, f.shift, f.cut);
	rec_end(sb, start);
}
