/* SPDX-License-Identifier: Apache-2.0 */
/* -p, and the primes behind hi and lo. */
#include <errno.h>
#include <string.h>

#include "events/event.h"
#include "events/rate.h"
#include "tap.h"

static const struct {
	const char *text;
	uint64_t ns;
} good[] = {
	{ "on", 10007000 },       { "hi", 997000 },     { "high", 997000 },
	{ "lo", 100000000 },      { "low", 100000000 }, { "10", 10000000 },
	{ "10.007", 10007000 },   { "0.01", 10000 },    { "1.000001", 1000001 },
	{ "1.0000019", 1000001 }, { "997u", 997000 },   { "997us", 997000 },
	{ "5m", 5000000 },        { "5ms", 5000000 },   { "1000000", 1000000000000 },
	{ "10.5us", 10500 },
};

static const struct {
	const char *text, *what;
} bad[] = {
	{ "0", "is zero" },
	{ "0.0", "is zero" },
	{ "0.009", "is too small" },
	{ "2.5u", "is too small" },
	{ "-1", "is negative" },
	{ "", "is not a number" },
	{ "often", "is not a number" },
	{ "1x", "is not a number" },
	{ "1.x", "is not a number" },
	{ ".5", "is not a number" },
	{ "1000000.1", "is too large" },
	{ "99999999999999999999999", "is too large" },
	{ "18446744073710", "is too large" },
};

int main(void)
{
	struct strbuf err = { 0 };
	uint64_t ns;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		ns = 1;
		ok(!clock_rate_parse(good[i].text, &ns, &err), "-p %s: %s", good[i].text,
		   strbuf_str(&err));
		is_u64(ns, good[i].ns, "-p %s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ns = 77;
		strbuf_clear(&err);
		is_i64(clock_rate_parse(bad[i].text, &ns, &err), -EINVAL, "-p `%s' fails",
		       bad[i].text);
		ok(strstr(strbuf_str(&err), bad[i].what), "-p `%s': %s", bad[i].text,
		   strbuf_str(&err));
		is_u64(ns, 77, "-p `%s' leaves the period", bad[i].text);
	}
	is_u64(rate_prime(2), 2, "2 is prime");
	is_u64(rate_prime(10), 7, "below 10");
	is_u64(rate_prime(25), 23, "25 is a square");
	is_u64(rate_prime(1000003), 1000003, "a million and three");
	is_u64(rate_prime(30000000), 29999999, "twin of thirty million");
	strbuf_release(&err);
	return done_testing();
}
