/* SPDX-License-Identifier: Apache-2.0 */
#include "events/rate.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "events/event.h"

/* The kernel stores a period in a signed 64-bit number. */
#define PERIOD_MAX (UINT64_C(1) << 62)
#define FREQ_MAX   1000000

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)

/* The kernel's clock does not tick faster. */
#define CLOCK_MIN_NS (10 * NS_PER_US)
#define CLOCK_MAX_NS (1000000 * NS_PER_MS)

struct rate_word {
	const char *word;
	unsigned times, over; /* the normal period × times ÷ over */
	uint64_t clock_ns;
};

static const struct rate_word words[] = {
	{ "on", 1, 1, 10007 * NS_PER_US },  { "hi", 1, 10, 997 * NS_PER_US },
	{ "high", 1, 10, 997 * NS_PER_US }, { "lo", 10, 1, 100 * NS_PER_MS },
	{ "low", 10, 1, 100 * NS_PER_MS },
};

static const struct rate_word *word_find(const char *text)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(words[i].word, text))
			return &words[i];
	return NULL;
}

static bool is_prime(uint64_t n)
{
	if (n < 4)
		return n >= 2;
	if (n % 2 == 0)
		return false;
	for (uint64_t d = 3; d <= n / d; d += 2)
		if (n % d == 0)
			return false;
	return true;
}

uint64_t rate_prime(uint64_t n)
{
	while (n > 2 && !is_prime(n))
		n--;
	return n;
}

/* A + may also precede a counter: "+cycles". */
bool rate_looks_like(const char *text)
{
	return !*text || strchr("-.", *text) || isdigit((unsigned char)*text) ||
	       (*text == '+' && (!text[1] || isdigit((unsigned char)text[1]))) ||
	       word_find(text) || !strcasecmp(text, "auto");
}

/*
 * Digits at the start of TEXT, at most MAX; *REST is what follows them.
 * -EINVAL without a digit, -ERANGE above MAX.
 */
static int digits_parse(const char *text, uint64_t max, uint64_t *value,
			const char **rest)
{
	uint64_t sum = 0;
	bool over = false;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++) {
		unsigned digit = (unsigned)(*text - '0');

		over = over || sum > (max - digit) / 10;
		sum = over ? 0 : sum * 10 + digit;
	}
	*rest = text;
	*value = sum;
	return over ? -ERANGE : 0;
}

static int rate_fail(struct strbuf *err, const char *counter, const char *text,
		     const char *what)
{
	strbuf_addf(err,
		    "the rate `%s' of %s %s; give the number of events from one sample "
		    "to the next, such as 1000003, or hi, on, lo, auto, or 997Hz",
		    text, counter, what);
	return -EINVAL;
}

static int number_parse(const char *text, const char *counter, uint64_t *period,
			bool *freq, struct strbuf *err)
{
	const char *rest = NULL;
	uint64_t value = 0;
	int error;

	if (*text == '-' && isdigit((unsigned char)text[1]))
		return rate_fail(err, counter, text, "is negative");
	error = digits_parse(text, PERIOD_MAX, &value, &rest);
	if (error != -EINVAL)
		rest += strspn(rest, " "); /* "997 Hz" */
	if (error == -EINVAL || (*rest && strcasecmp(rest, "hz") != 0))
		return rate_fail(err, counter, text, "is not a number");
	if (error == -ERANGE || (*rest && value > FREQ_MAX))
		return rate_fail(err, counter, text, "is too large");
	if (!value)
		return rate_fail(err, counter, text, "is zero");
	*period = value;
	*freq = *rest;
	return 0;
}

int rate_parse(const char *text, const char *counter, uint64_t normal, uint64_t *period,
	       bool *freq, struct strbuf *err)
{
	const struct rate_word *word = word_find(*text ? text : "on");

	if (!strcasecmp(text, "auto")) {
		*period = RATE_AUTO_HZ;
		*freq = true;
		return 0;
	}
	if (!word)
		return number_parse(text, counter, period, freq, err);
	*period = normal;
	*freq = false;
	if (word->times !=
	    word->over) /* a counter may want each event: then hi does too */
		*period = normal < word->over
				  ? 1
				  : rate_prime(normal / word->over * word->times);
	return 0;
}

/* If it were faster than its tick, a sample would weigh too little. */
int rate_check_clock(const char *counter, const struct event *event, struct strbuf *err)
{
	if (event->unit != EVENT_UNIT_NS || event->freq || event->period >= CLOCK_MIN_NS)
		return 0;
	strbuf_addf(err,
		    "a clock's rate is in nanoseconds, and %llu are too few for %s: it "
		    "ticks every %llu at most",
		    (unsigned long long)event->period, counter,
		    (unsigned long long)CLOCK_MIN_NS);
	return -EINVAL;
}

static int clock_fail(struct strbuf *err, const char *text, const char *what)
{
	strbuf_addf(err,
		    "the clock's rate `%s' %s; give milliseconds from 0.01 to 1000000, "
		    "or on, hi, lo, off",
		    text, what);
	return -EINVAL;
}

/* "10", "10.007", "10m", "997u": *NS of it. */
static int millis_parse(const char *text, uint64_t *ns)
{
	uint64_t whole = 0, unit = NS_PER_MS;
	const char *rest = NULL;
	int error = digits_parse(text, CLOCK_MAX_NS, &whole, &rest);
	const char *fraction = rest;

	if (error)
		return error;
	if (*rest == '.')
		for (rest++; isdigit((unsigned char)*rest); rest++)
			;
	if (!strcmp(rest, "u") || !strcmp(rest, "us"))
		unit = NS_PER_US;
	else if (*rest && strcmp(rest, "m") != 0 && strcmp(rest, "ms") != 0)
		return -EINVAL;
	if (whole > CLOCK_MAX_NS / unit)
		return -ERANGE;
	*ns = whole * unit;
	for (fraction++; fraction < rest && unit; fraction++)
		if (isdigit((unsigned char)*fraction))
			*ns += (unit /= 10) * (unsigned)(*fraction - '0');
	return 0;
}

int clock_rate_parse(const char *text, uint64_t *period_ns, struct strbuf *err)
{
	const struct rate_word *word = word_find(text);
	uint64_t ns = 0;
	int error;

	if (word) {
		*period_ns = word->clock_ns;
		return 0;
	}
	if (*text == '-' && isdigit((unsigned char)text[1]))
		return clock_fail(err, text, "is negative");
	error = millis_parse(text, &ns);
	if (error == -EINVAL)
		return clock_fail(err, text, "is not a number");
	if (error == -ERANGE || ns > CLOCK_MAX_NS)
		return clock_fail(err, text, "is too large");
	if (ns < CLOCK_MIN_NS)
		return clock_fail(err, text, ns ? "is too small" : "is zero");
	*period_ns = ns;
	return 0;
}
