/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sorted.h"

#include "tap.h"
#include "base/vec.h"

struct range {
	uint32_t other;
	uint64_t start, end;
};

static const struct range ranges[] = {
	{ 9, 10, 20 },
	{ 7, 20, 21 },
	{ 8, 30, 40 },
	{ 6, 50, UINT64_MAX },
};

static const struct row {
	uint64_t value;
	size_t starts, ends;
} rows[] = {
	{ 0, 0, 0 },
	{ 9, 0, 0 },
	{ 10, 1, 0 },
	{ 19, 1, 0 },
	{ 20, 2, 1 },
	{ 21, 2, 2 },
	{ 29, 2, 2 },
	{ 30, 3, 2 },
	{ 40, 3, 3 },
	{ 50, 4, 3 },
	{ UINT64_MAX - 1, 4, 3 },
	{ UINT64_MAX, 4, 4 },
};

static const uint64_t numbers[] = { 0, 7, 7 };

static const struct {
	uint64_t value;
	size_t want;
} below[] = { { 0, 0 }, { 1, 1 }, { 7, 1 }, { 8, 3 }, { UINT64_MAX, 3 } };

int main(void)
{
	const size_t count = sizeof(ranges) / sizeof(ranges[0]);
	VEC(struct range) none = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t value = rows[i].value;

		is_u64(sorted_up_to(ranges, count, start, value), rows[i].starts,
		       "start at most at %llu", (unsigned long long)value);
		is_u64(sorted_up_to(ranges, count, end, value), rows[i].ends,
		       "end at most at %llu", (unsigned long long)value);
	}
	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++)
		is_u64(sorted_below(numbers, 3, below[i].value), below[i].want,
		       "below %llu", (unsigned long long)below[i].value);
	is_u64(sorted_below(NULL, 0, 5), 0, "below 5 in nothing");
	is_u64(sorted_up_to(none.data, none.len, end, 5), 0, "no element");
	is_u64(sorted_up_to(ranges, 1, start, 10), 1, "one element");
	return done_testing();
}
