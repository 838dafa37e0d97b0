/* SPDX-License-Identifier: Apache-2.0 */
/* Options that say when to record: times, signals, regions of the program. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "options/values.h"

#define SECOND_NS       1000000000u
#define POINTS_LEAST_NS 10000000u

/* "10", "10s", "2m" in nanoseconds. */
static int parse_time(const char *text, const char **end, uint64_t *ns)
{
	char *stop;
	double value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	value = strtod(text, &stop);
	if (stop !=
	    text + strspn(text, "0123456789.")) /* strtod knows 0x10 and 1e3 too */
		return -EINVAL;
	if (*stop == 'm')
		value *= 60;
	if (*stop == 'm' || *stop == 's')
		stop++;
	*end = stop;
	if (!(value < 1e9))
		return -EINVAL;
	*ns = (uint64_t)(value * 1e9);
	return 0;
}

int take_duration(struct options *opt, const char *text, struct strbuf *err)
{
	const char *at;

	opt->from_ns = 0;
	if (parse_time(text, &at, &opt->to_ns))
		goto bad;
	if (*at == '-') {
		opt->from_ns = opt->to_ns;
		if (parse_time(at + 1, &at, &opt->to_ns))
			goto bad;
	}
	if (*at || opt->to_ns <= opt->from_ns)
		goto bad;
	return 0;
bad:
	strbuf_addf(err, "-t %s is not a time: say 10, 10s, 2m, or 5-10", text);
	return -EINVAL;
}

int take_every(struct options *opt, const char *text, struct strbuf *err)
{
	const char *at;

	if (!parse_time(text, &at, &opt->every_ns) && !*at && opt->every_ns >= SECOND_NS)
		return 0;
	strbuf_addf(err,
		    "--every %s is not a time of at least a second: say 60, 60s or 10m",
		    text);
	return -EINVAL;
}

/* ---- signals ---- */

static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },     { "HUP", SIGHUP },
	{ "ALRM", SIGALRM }, { "VTALRM", SIGVTALRM }, { "PROF", SIGPROF },
	{ "IO", SIGIO },     { "WINCH", SIGWINCH },
};

/* A name with or without SIG, or a number, up to LEN; 0: none that may be used. */
static int find_signal(const char *text, size_t len)
{
	const char *name = strncmp(text, "SIG", 3) ? text : text + 3;
	const size_t rest = len - (size_t)(name - text);
	char *end;
	long number = strtol(text, &end, 10);

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (end == text ? strlen(signals[i].name) == rest &&
					  !strncmp(signals[i].name, name, rest)
				: signals[i].number == number)
			return signals[i].number;
	if (end == text + len && number >= SIGRTMIN && number <= SIGRTMAX)
		return (int)number;
	return 0;
}

static int take_signal(const char *option, const char *text, size_t len, int *signal,
		       struct strbuf *err)
{
	*signal = find_signal(text, len);
	if (*signal)
		return 0;
	strbuf_addf(
		err,
		"%s %s: say USR1, USR2, HUP, ALRM, VTALRM, PROF, IO, WINCH or the number "
		"of a real-time signal",
		option, text);
	return -EINVAL;
}

int take_pause_signal(struct options *opt, const char *text, struct strbuf *err)
{
	const char *comma = strchrnul(text, ',');

	opt->paused = strcmp(comma, ",r") != 0;
	if (*comma && opt->paused) {
		strbuf_addf(err,
			    "-y %s: say -y SIGNAL, or -y SIGNAL,r to begin recording",
			    text);
		return -EINVAL;
	}
	return take_signal("-y", text, (size_t)(comma - text), &opt->pause_signal, err);
}

int take_point_signal(struct options *opt, const char *text, struct strbuf *err)
{
	opt->points = true;
	return take_signal("-l", text, strlen(text), &opt->point_signal, err);
}

int take_points(struct options *opt, const char *text, struct strbuf *err)
{
	const char *at = text;

	opt->points_ns = 0;
	if (!strcmp(text, "on"))
		opt->points_ns = SECOND_NS;
	else if (!strcmp(text, "off"))
		return 0;
	else if (parse_time(text, &at, &opt->points_ns) || *at ||
		 opt->points_ns < POINTS_LEAST_NS)
		goto bad;
	opt->points = true;
	return 0;
bad:
	strbuf_addf(err, "-S %s: say on (each second), off, or a time of at least 0.01 s",
		    text);
	return -EINVAL;
}

/* ---- regions ---- */

/* NAME, or NAME:NUMBER, as NUMBER:NAME. */
static int take_region(const char *option, const char *text, char **out,
		       struct strbuf *err)
{
	const char *colon = strrchr(text, ':');
	unsigned long long number = 1;

	free(*out);
	*out = NULL;
	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		colon = text + strlen(text); /* a name with a colon */
	else
		number = strtoull(colon + 1, NULL, 10);
	if (colon == text || !number) {
		strbuf_addf(err,
			    "%s %s: say the name of a region, and which of them, from 1: "
			    "%s event:10",
			    option, text, option);
		return -EINVAL;
	}
	*out = xasprintf("%llu:%.*s", number, (int)(colon - text), text);
	return 0;
}

int take_from(struct options *opt, const char *text, struct strbuf *err)
{
	return take_region("--from", text, &opt->from, err);
}

int take_to(struct options *opt, const char *text, struct strbuf *err)
{
	return take_region("--to", text, &opt->to, err);
}
