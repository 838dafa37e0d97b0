/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of durations, beside those of a sorted list of all. */
#include "model/durations.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "tap.h"

enum { MOST = 5000 };

static uint64_t seed = RANDOM_SEED;

/* By its upper eight bits, as the header promises; below 256 by all. */
static uint64_t shortened(uint64_t ns)
{
	unsigned shift = 0;

	while (ns >> shift > 255)
		shift++;
	return ns >> shift << shift;
}

static int by_number(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* SORTED has COUNT. */
static uint64_t want_quantile(const uint64_t *sorted, size_t count, unsigned percent)
{
	size_t rank = (count * percent + 99) / 100, equal = 0;
	uint64_t sum = 0, at;

	if (!count)
		return 0;
	at = shortened(sorted[rank ? rank - 1 : 0]);
	for (size_t i = 0; i < count; i++)
		if (shortened(sorted[i]) == at) {
			sum += sorted[i];
			equal++;
		}
	return sum / equal;
}

static bool is_as_sorted(const struct durations *d, const uint64_t *ns, size_t count)
{
	static const unsigned percents[] = { 0, 1, 50, 95, 99, 100 };
	uint64_t sorted[MOST], sum = 0;
	bool equal = d->count == count;

	memcpy(sorted, ns, count * sizeof(*ns));
	qsort(sorted, count, sizeof(*sorted), by_number);
	for (size_t i = 0; i < count; i++)
		sum += sorted[i];
	equal &= d->sum_ns == sum;
	equal &= d->longest_ns == (count ? sorted[count - 1] : 0);
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++)
		equal &= durations_quantile(d, percents[i]) ==
			 want_quantile(sorted, count, percents[i]);
	return equal;
}

/* Less than 1 << BITS; some are equal. */
static uint64_t any_duration(unsigned bits)
{
	uint64_t ns = random_next(&seed) >> (63 - random_below(&seed, bits));

	return random_below(&seed, 8) ? ns : 1000;
}

static void check(size_t count, unsigned bits)
{
	static uint64_t ns[MOST];
	struct durations all = { 0 }, merged = { 0 }, part = { 0 };
	const size_t cut = count ? random_below(&seed, (uint32_t)count) : 0;

	for (size_t i = 0; i < count; i++) {
		ns[i] = any_duration(bits);
		durations_add(&all, ns[i]);
		durations_add(i < cut ? &merged : &part, ns[i]);
	}
	ok(is_as_sorted(&all, ns, count), "%zu durations of up to %u bits", count, bits);
	durations_merge(&merged, &part);
	ok(is_as_sorted(&merged, ns, count), "merged from %zu and %zu", cut, count - cut);
	durations_release(&all);
	durations_release(&merged);
	durations_release(&part);
}

int main(void)
{
	struct durations d = { 0 };

	for (size_t count = 0; count <= 3 * DURATIONS_KEPT; count++)
		check(count, 48);
	for (unsigned bits = 1; bits <= 50; bits += 7)
		check(MOST, bits);
	for (int i = 0; i < 2 * DURATIONS_KEPT; i++)
		durations_add(&d, UINT64_MAX);
	is_u64(d.sum_ns, UINT64_MAX, "a sum that exceeds 64 bits is the largest number");
	ok(durations_quantile(&d, 50), "and it has a quantile");
	durations_release(&d);
	return done_testing();
}
