/* SPDX-License-Identifier: Apache-2.0 */
/* metrics, sort, limit, name: the look of later views. */
#include <stdlib.h>
#include <string.h>

#include "tables/metric_spec.h"
#include "views/views.h"
#include "base/xalloc.h"

/* Stores the user's text. */
static void keep(char **spec, const char *text)
{
	free(*spec);
	*spec = xstrdup(text);
}

static int run_metrics(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	if (session_parse_metrics(s, argv[0], &s->set.metrics, err))
		return CMD_USAGE;
	keep(&s->set.metrics_spec, argv[0]);
	return 0;
}

const struct cmd cmd_metrics = {
	.name = "metrics",
	.args = "SPEC",
	.help = "metrics to show, as in ie.%cycles:name",
	.group = GROUP_SET,
	.example = "metrics e.%totalcpu:i.totalcpu",
	.run = run_metrics,
	.setting = true,
};

static int run_sort(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	if (session_parse_sort(s, argv[0], &s->set.sort, err))
		return CMD_USAGE;
	keep(&s->set.sort_spec, argv[0]);
	s->set.sort_known = true;
	return 0;
}

const struct cmd cmd_sort = {
	.name = "sort",
	.args = "METRIC",
	.help = "sort by i.cycles, name…; with - from low to high",
	.group = GROUP_SET,
	.example = "sort i.totalcpu",
	.run = run_sort,
	.setting = true,
};

static int run_limit(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	if (command_number(argv[0], &s->set.limit))
		return 0;
	strbuf_addf(err, "limit takes a number of rows, 0 for all of them, not '%s'",
		    argv[0]);
	return CMD_USAGE;
}

const struct cmd cmd_limit = {
	.name = "limit",
	.args = "N",
	.help = "show at most N rows; 0: all",
	.group = GROUP_SET,
	.example = "limit 20",
	.run = run_limit,
	.alone = true,
	.setting = true,
};

static int run_ci(struct session *s, int argc, char **argv, struct strbuf *err)
{
	bool on = !argc || !strcmp(argv[0], "on");

	if (!on && strcmp(argv[0], "off") != 0) {
		strbuf_addf(err, "ci takes on or off, not '%s'", argv[0]);
		return CMD_USAGE;
	}
	s->set.interval = on;
	return 0;
}

const struct cmd cmd_ci = {
	.name = "ci",
	.args = "[ON]",
	.help = "show metrics with their 95 % interval; off: do not",
	.values = "on off",
	.group = GROUP_SET,
	.example = "ci on",
	.run = run_ci,
	.alone = true,
	.setting = true,
};

static int run_recursion(struct session *s, int argc, char **argv, struct strbuf *err)
{
	const bool full = !strcmp(argv[0], "full");

	(void)argc;
	if (!full && strcmp(argv[0], "folded") != 0) {
		strbuf_addf(err, "recursion takes folded or full, not '%s'", argv[0]);
		return CMD_USAGE;
	}
	s->set.full_recursion = full;
	return 0;
}

const struct cmd cmd_recursion = {
	.name = "recursion",
	.args = "MODE",
	.help = "repeated calls in calltree: folded or full",
	.values = "folded full",
	.group = GROUP_SET,
	.example = "recursion full",
	.run = run_recursion,
	.alone = true,
	.setting = true,
};

static const struct {
	const char *word;
	enum name_style style;
	bool inlines;
} view_modes[] = {
	{ "user", NAME_AUTO, true },
	{ "expert", NAME_AUTO, true },
	{ "machine", NAME_MANGLED, false },
};

static int run_viewmode(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	for (size_t i = 0; i < sizeof(view_modes) / sizeof(view_modes[0]); i++) {
		if (strcmp(view_modes[i].word, argv[0]))
			continue;
		names_clear(&s->names);
		s->names.style = view_modes[i].style;
		session_set_inlines(s, view_modes[i].inlines);
		return 0;
	}
	strbuf_addf(err, "viewmode takes user, expert or machine, not '%s'", argv[0]);
	return CMD_USAGE;
}

const struct cmd cmd_viewmode = {
	.name = "viewmode",
	.args = "MODE",
	.help = "user, expert: as in the source; machine: as linked",
	.values = "user expert machine",
	.group = GROUP_SET,
	.example = "viewmode machine",
	.run = run_viewmode,
	.alone = true,
	.setting = true,
};

static const struct {
	const char *word;
	bool soname;
} object_words[] = { { "soname", true }, { "nosoname", false } };

/* The word before the colon, and the one behind it, which may be absent. */
static bool parse_name(const char *text, enum name_style *style, bool *soname)
{
	size_t len = strcspn(text, ":");
	bool known = false;

	for (int i = 0; i < NAME_STYLES; i++)
		if (strlen(name_style_words[i]) == len &&
		    !strncmp(name_style_words[i], text, len)) {
			*style = (enum name_style)i;
			known = true;
		}
	if (!known || !text[len])
		return known;
	for (size_t i = 0; i < sizeof(object_words) / sizeof(object_words[0]); i++)
		if (!strcmp(object_words[i].word, text + len + 1)) {
			*soname = object_words[i].soname;
			return true;
		}
	return false;
}

static int run_name(struct session *s, int argc, char **argv, struct strbuf *err)
{
	enum name_style style;
	bool soname = s->names.soname;

	(void)argc;
	if (!parse_name(argv[0], &style, &soname)) {
		strbuf_addf(err,
			    "name takes auto, long, short or mangled, and :soname or "
			    ":nosoname after it, not '%s'",
			    argv[0]);
		return CMD_USAGE;
	}
	names_clear(&s->names);
	s->names.style = style;
	s->names.soname = soname;
	session_changed(s, INPUT_NAMES);
	return 0;
}

const struct cmd cmd_name = {
	.name = "name",
	.args = "STYLE",
	.help = "function names: auto, long, short or mangled[:soname]",
	.values = "auto long short mangled",
	.group = GROUP_SET,
	.example = "name long",
	.run = run_name,
	.alone = true,
	.setting = true,
};
