/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/nearest.h"
#include "tap.h"

static const char *const names[] = {
	"cycles", "ref-cycles",         "insts",           "cs", "branches",
	"x",      "INST_RETIRED:ANY_P", "INST_RETIRED:ALL"
};

static const struct {
	const char *wanted, *nearest;
} rows[] = {
	{ "cycles", "cycles or ref-cycles" },
	{ "cyclse", "cycles" },               /* neighbours swapped */
	{ "cycle", "cycles or ref-cycles" },  /* dropped; and a piece of one */
	{ "ccycles", "cycles" },              /* inserted */
	{ "CYCLES", "cycles or ref-cycles" }, /* case */
	{ "refcycles", "ref-cycles or cycles" },
	{ "inst", "insts, INST_RETIRED:ANY_P or INST_RETIRED:ALL" },
	{ "inst_retired.any-p", "INST_RETIRED:ANY_P or INST_RETIRED:ALL" },
	{ "zzz", "" },
	{ "c", "cs" }, /* but no other letter */
	{ "d", "" },
	{ "", "" },
};

int main(void)
{
	char hostile[100000];
	struct nearest near;
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strbuf_clear(&out);
		nearest_init(&near, rows[i].wanted);
		for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
			nearest_offer(&near, names[n]);
		nearest_join(&near, &out);
		nearest_release(&near);
		is_str(strbuf_str(&out), rows[i].nearest, "near `%s'", rows[i].wanted);
	}
	memset(hostile, 'x', sizeof(hostile) - 1);
	hostile[sizeof(hostile) - 1] = '\0';
	nearest_init(&near, hostile);
	nearest_offer(&near, "cycles");
	is_u64(near.count, 0, "an endless name is near none");
	nearest_release(&near);
	strbuf_release(&out);
	return done_testing();
}
