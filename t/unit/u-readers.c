/* SPDX-License-Identifier: Apache-2.0 */
/* When further threads look up stacks, and how many. */
#include "adapt/readers.h"

#include "tap.h"

#define MS 1000000u

/* So much of its time the one thread worked. */
static const struct row {
	const char *what;
	uint64_t now_ms, used_ms; /* at all */
	bool needed;
} rows[] = {
	{ "nothing is known at first", 5000, 400, false },
	{ "nor soon after that", 5060, 450, false },
	{ "a tenth of a second, half of it worked: not yet", 5100, 450, false },
	{ "once more", 5200, 500, false },
	{ "most of it", 5300, 560, true },
	{ "a second of rest", 6300, 570, false },
	{ "a long round of work", 7000, 1270, true },
};

static void check_need(void)
{
	struct readers r = { 0 };

	for (const struct row *row = rows; row < rows + sizeof(rows) / sizeof(*rows);
	     row++)
		ok(readers_are_needed(&r, row->now_ms * MS, row->used_ms * MS) ==
			   row->needed,
		   "%s", row->what);
}

int main(void)
{
	static struct recording rec;
	struct merge merge = { 0 };
	struct readers r;

	check_need();
	readers_init(&r, &rec, &merge, 1, 256);
	ok(r.most == 1 && !r.ahead, "one: it stays alone");
	readers_init(&r, &rec, &merge, 0, 3);
	is_u64(r.most, 0, "as needed, with three CPUs: the same");
	readers_init(&r, &rec, &merge, 0, 256);
	ok(r.most <= READERS_MAX, "as needed: at most %d", READERS_MAX);
	rec.stack.mode = STACK_OFF;
	readers_init(&r, &rec, &merge, 4, 256);
	ok(r.most == 1 && !r.ahead, "none has anything to do without stacks");
	return done_testing();
}
