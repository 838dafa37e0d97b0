/* SPDX-License-Identifier: Apache-2.0 */
#include "model/data_source.h"

#include <linux/perf_event.h>
#include <stddef.h>

/*
 * The fields from the lowest bit: op 5, level 14, snoop 5, lock 2, tlb 7, level number 4,
 * remote 1, snoop (more) 2.  In the first five each bit is a word; one of them is NA,
 * "not available".
 */
struct word {
	uint64_t bit;
	const char *text;
};

#define BIT(field, name) PERF_MEM_S(field, name)

static const struct word ops[] = {
	{ BIT(OP, LOAD), "load" },
	{ BIT(OP, STORE), "store" },
	{ BIT(OP, PFETCH), "prefetch" },
	{ BIT(OP, EXEC), "fetch" },
	{ 0, NULL },
};

static const struct word levels[] = {
	{ BIT(LVL, L1), "L1" },
	{ BIT(LVL, LFB), "LFB" },
	{ BIT(LVL, L2), "L2" },
	{ BIT(LVL, L3), "L3" },
	{ BIT(LVL, LOC_RAM), "RAM" },
	{ BIT(LVL, REM_RAM1) | BIT(LVL, REM_RAM2), "remote RAM" },
	{ BIT(LVL, REM_CCE1) | BIT(LVL, REM_CCE2), "remote cache" },
	{ BIT(LVL, IO), "I/O" },
	{ BIT(LVL, UNC), "uncached" },
	{ 0, NULL },
};

static const struct word outcomes[] = {
	{ BIT(LVL, HIT), "hit" },
	{ BIT(LVL, MISS), "miss" },
	{ 0, NULL },
};

static const struct word snoops[] = {
	{ BIT(SNOOP, NONE), "none" },    { BIT(SNOOP, HIT), "hit" },
	{ BIT(SNOOP, MISS), "miss" },    { BIT(SNOOP, HITM), "hitm" },
	{ BIT(SNOOPX, FWD), "forward" }, { 0, NULL },
};

static const struct word tlbs[] = {
	{ BIT(TLB, L1), "L1" },
	{ BIT(TLB, L2), "L2" },
	{ BIT(TLB, WK), "walker" },
	{ BIT(TLB, OS), "fault" },
	{ BIT(TLB, HIT), "hit" },
	{ BIT(TLB, MISS), "miss" },
	{ 0, NULL },
};

/* By number, for levels without a bit. */
static const char *const numbers[16] = {
	[PERF_MEM_LVLNUM_L1] = "L1",           [PERF_MEM_LVLNUM_L2] = "L2",
	[PERF_MEM_LVLNUM_L3] = "L3",           [PERF_MEM_LVLNUM_L4] = "L4",
	[PERF_MEM_LVLNUM_ANY_CACHE] = "cache", [PERF_MEM_LVLNUM_LFB] = "LFB",
	[PERF_MEM_LVLNUM_RAM] = "RAM",         [PERF_MEM_LVLNUM_PMEM] = "PMEM",
};

static void add_word(const char *text, const char *before, struct strbuf *out)
{
	if (out->len)
		strbuf_addstr(out, before);
	strbuf_addstr(out, text);
}

/* Adds the words of VALUE; LABEL, behind a comma, precedes the first. */
static void add_words(uint64_t value, const struct word *words, const char *label,
		      struct strbuf *out)
{
	for (; words->text; words++) {
		if (!(value & words->bit))
			continue;
		if (*label)
			add_word(label, ", ", out);
		label = "";
		add_word(words->text, " ", out);
	}
}

void data_source_words(uint64_t value, struct strbuf *out)
{
	const union perf_mem_data_src source = { .val = value };
	const char *number = numbers[source.mem_lvl_num & 15];
	struct strbuf words = { 0 };

	add_words(value, ops, "", &words);
	if (source.mem_remote && number)
		add_word("remote", " ", &words);
	if (number)
		add_word(number, " ", &words);
	else
		add_words(value, levels, "", &words);
	add_words(value, outcomes, "", &words);
	add_words(value, snoops, "snoop", &words);
	add_words(value, tlbs, "tlb", &words);
	if (value & BIT(LOCK, LOCKED))
		add_word("locked", ", ", &words);
	strbuf_addstr(out, strbuf_str(&words));
	strbuf_release(&words);
}
