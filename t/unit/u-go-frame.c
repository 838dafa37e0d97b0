/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of Go's functions: where the caller's registers are at each instruction. */
#include "go_program.h"
#include "tap.h"
#include "unwind/lookup.h"

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

static struct go_program program;

int main(void)
{
	if (ok(make_program(&program), "a Go program"))
		test_rows(program.module);
	unwind_module_free(program.module);
	return done_testing();
}
