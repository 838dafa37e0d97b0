/* SPDX-License-Identifier: Apache-2.0 */
#include "options/values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/log.h"
#include "base/xalloc.h"

enum { STACK_BYTES_MAX = 65528 }; /* a record's size has 16 bits */

/* A whole number from 1 to MAX. */
static int parse_number(const char *option, const char *text, uint64_t max,
			uint64_t *value, struct strbuf *err)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *value && *value <= max)
		return 0;
	strbuf_addf(err, "%s %s: say a whole number from 1 to %" PRIu64, option, text,
		    max);
	return -EINVAL;
}

int take_pid(struct options *opt, const char *text, struct strbuf *err)
{
	const char *end;
	int error = 0;

	do {
		char *word;
		uint64_t value;

		end = strchrnul(text, ',');
		word = xasprintf("%.*s", (int)(end - text), text);
		*vec_push(&opt->processes) = word;
		if (!*word) {
			strbuf_addstr(err, "-P: say a number or a name, or several with "
					   "commas between them");
			error = -EINVAL;
		} else if (!word[strspn(word, "0123456789")]) {
			error = parse_number("-P", word, INT32_MAX, &value, err);
		}
		text = end + 1;
	} while (*end && !error);
	return error;
}

int take_cgroup(struct options *opt, const char *text, struct strbuf *err)
{
	if (!*text || opt->cgroup) {
		strbuf_addstr(err, *text ? "--cgroup takes one group; say one that has "
					   "them all, or -a"
					 : "--cgroup: say a path, a name, an id or self");
		return -EINVAL;
	}
	opt->cgroup = text;
	return 0;
}

int take_limit(struct options *opt, const char *text, struct strbuf *err)
{
	uint64_t value;
	int error = 0;

	opt->bytes_max = UINT64_MAX;
	if (!strcmp(text, "unlimited"))
		return 0;
	error = parse_number("-L", text, UINT64_MAX / 1000000, &value, err);
	if (!error)
		opt->bytes_max = value * 1000000;
	return error;
}

/* A name has whole seconds. */
int take_keep(struct options *opt, const char *text, struct strbuf *err)
{
	return parse_number("--keep", text, 1000000, &opt->keep, err);
}

int take_keep_mb(struct options *opt, const char *text, struct strbuf *err)
{
	int error = parse_number("--keep-mb", text, UINT64_MAX / 2000000,
				 &opt->keep_bytes, err);

	opt->keep_bytes *= error ? 1 : 1000000;
	return error;
}

int take_readers(struct options *opt, const char *text, struct strbuf *err)
{
	return parse_number("--readers", text, READERS_ASKED_MAX, &opt->readers, err);
}

int take_follow(struct options *opt, const char *text, struct strbuf *err)
{
	opt->follow = !strcmp(text, "on") || !strcmp(text, "all");
	if (opt->follow || !strcmp(text, "off"))
		return 0;
	strbuf_addf(err, "-F %s: say on or off", text);
	return -EINVAL;
}

int take_waits(struct options *opt, const char *text, struct strbuf *err)
{
	opt->wakers = !strcmp(text, "wakers");
	opt->waits = opt->wakers || !strcmp(text, "on");
	if (opt->waits || !strcmp(text, "off"))
		return 0;
	strbuf_addf(err, "-w %s: say on, wakers or off", text);
	return -EINVAL;
}

int take_regions(struct options *opt, const char *text, struct strbuf *err)
{
	opt->regions = !strcmp(text, "on");
	if (opt->regions || !strcmp(text, "off"))
		return 0;
	strbuf_addf(err, "--regions %s: say on or off", text);
	return -EINVAL;
}

/* The index of TEXT in NAMES, or -EINVAL with the choices in ERR. */
static int parse_choice(const char *option, const char *text, const char *const *names,
			unsigned count, struct strbuf *err)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	strbuf_addf(err, "%s %s: say", option, text);
	for (unsigned i = 0; i < count; i++)
		strbuf_addf(err, "%s %s",
			    !i              ? ""
			    : i + 1 < count ? ","
					    : " or",
			    names[i]);
	return -EINVAL;
}

int take_archive(struct options *opt, const char *text, struct strbuf *err)
{
	int mode = parse_choice("-A", text, archive_mode_names, ARCHIVE_MODES, err);

	if (mode < 0)
		return mode;
	opt->archive = (enum archive_mode)mode;
	return 0;
}

int take_stack(struct options *opt, const char *text, struct strbuf *err)
{
	int mode = parse_choice("--stack", text, stack_mode_names, STACK_MODES, err);

	if (mode >= 0)
		opt->mode = (enum stack_mode)mode;
	return mode < 0 ? mode : 0;
}

int take_scope(struct options *opt, const char *text, struct strbuf *err)
{
	int scope = parse_choice("--scope", text, evlist_scope_names, SCOPES, err);

	if (scope >= 0)
		opt->scope = (enum evlist_scope)scope;
	return scope < 0 ? scope : 0;
}

int take_stack_size(struct options *opt, const char *text, struct strbuf *err)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < 512 ||
	    value > STACK_BYTES_MAX) {
		strbuf_addf(err, "--stack-size %s: say a number of bytes from 512 to %d",
			    text, STACK_BYTES_MAX);
		return -EINVAL;
	}
	opt->stack_bytes = (uint32_t)value & ~7u;
	return 0;
}

static int set_experiment(struct options *opt, const char *name, bool overwrite,
			  struct strbuf *err)
{
	size_t len = strlen(name);

	while (len && name[len - 1] == '/')
		len--;
	if (len < 4 || strncmp(name + len - 3, ".er", 3) || name[len - 4] == '/') {
		strbuf_addf(err, "an experiment's name ends in .er; say -%c %.*s.er",
			    overwrite ? 'O' : 'o', len ? (int)len : 4,
			    len ? name : "NAME");
		return -EINVAL;
	}
	opt->experiment = name;
	opt->overwrite = overwrite;
	return 0;
}

int take_name(struct options *opt, const char *text, struct strbuf *err)
{
	return set_experiment(opt, text, false, err);
}

int take_name_over(struct options *opt, const char *text, struct strbuf *err)
{
	return set_experiment(opt, text, true, err);
}

int take_label(struct options *opt, const char *text, struct strbuf *err)
{
	int error = exp_label_check(text);

	if (!error && opt->labels.len < EXP_LABELS_MAX) {
		*vec_push(&opt->labels) = text;
		return 0;
	}
	if (error == -EINVAL)
		strbuf_addf(
			err,
			"--label takes KEY=VALUE, with a KEY of letters, digits, '_', "
			"'.' and '-' that begins with a letter, not '%s'",
			text);
	else
		strbuf_addf(err,
			    "--label takes up to %d labels, with a key of up to %d bytes "
			    "and a value of up to %d",
			    EXP_LABELS_MAX, EXP_LABEL_KEY_MAX, EXP_LABEL_VALUE_MAX);
	return -EINVAL;
}

int take_report(struct options *opt, const char *text, struct strbuf *err)
{
	size_t len = strlen(text), end = strlen(".html");

	opt->report = text;
	if (len > end && !strcmp(text + len - end, ".html"))
		return 0;
	strbuf_addf(err, "--report writes a page, whose name ends in .html, not '%s'",
		    text);
	return -EINVAL;
}
