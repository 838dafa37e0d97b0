/* SPDX-License-Identifier: Apache-2.0 */
/* Where an access to memory was served, in words. */
#include "model/data_source.h"

#include <linux/perf_event.h>

#include "tap.h"

#define IS(field, name) PERF_MEM_S(field, name)
#define NOTHING                                                                          \
	(IS(OP, NA) | IS(LVL, NA) | IS(SNOOP, NA) | IS(LOCK, NA) | IS(TLB, NA) |         \
	 IS(LVLNUM, NA))

static const struct {
	uint64_t value;
	const char *want;
} rows[] = {
	{ 0, "" },
	{ NOTHING, "" },
	{ IS(OP, LOAD) | IS(LVL, HIT) | IS(LVL, L1) | IS(LVLNUM, L1) | IS(SNOOP, NONE) |
		  IS(TLB, HIT) | IS(TLB, L1) | IS(LOCK, NA),
	  "load L1 hit, snoop none, tlb L1 hit" },
	{ IS(OP, LOAD) | IS(LVL, HIT) | IS(LVL, L3) | IS(SNOOP, HITM) | IS(LOCK, LOCKED),
	  "load L3 hit, snoop hitm, locked" },
	{ IS(OP, STORE) | IS(LVL, MISS) | IS(LVL, L1), "store L1 miss" },
	{ IS(OP, LOAD) | IS(LVL, HIT) | IS(LVLNUM, RAM) | IS(REMOTE, REMOTE) |
		  IS(TLB, MISS) | IS(TLB, WK),
	  "load remote RAM hit, tlb walker miss" },
	{ IS(LVL, REM_RAM2) | IS(LVL, HIT), "remote RAM hit" },
	{ IS(OP, PFETCH) | IS(SNOOPX, FWD), "prefetch, snoop forward" },
};

int main(void)
{
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strbuf_clear(&out);
		data_source_words(rows[i].value, &out);
		is_str(strbuf_str(&out), rows[i].want, "row %zu", i);
	}
	/* whatever stands in a file */
	strbuf_clear(&out);
	data_source_words(UINT64_MAX, &out);
	ok(out.len > 0, "%s", strbuf_str(&out));
	strbuf_release(&out);
	return done_testing();
}
