/* SPDX-License-Identifier: Apache-2.0 */
/* open_exp, add_exp, drop_exp: change the experiments. */
#include <string.h>

#include "session/experiments.h"
#include "views/views.h"

/* Opens WORD as a group behind the others.  On failure nothing changes. */
static int add_group(struct session *s, const char *word, struct strbuf *err)
{
	struct strbuf ignored = { 0 };
	size_t before = s->model.sources.len;
	uint32_t group = before ? s->model.sources.data[before - 1].group + 1 : 0;
	int status = experiments_check(s, word, err);

	if (!status)
		status = experiments_open(s, word, group, err);
	if (status && s->model.sources.len > before &&
	    session_close(s, before, s->model.sources.len - before, &ignored))
		strbuf_addf(err, "; %s", strbuf_str(&ignored));
	strbuf_release(&ignored);
	return status;
}

static int run_add_exp(struct session *s, int argc, char **argv, struct strbuf *err)
{
	size_t before = s->model.sources.len;
	int status = add_group(s, argv[0], err);

	(void)argc;
	if (!status)
		experiments_warn(s, before);
	return status;
}

const struct cmd cmd_add_exp = {
	.name = "add_exp",
	.args = "EXP",
	.help = "open an experiment beside the others",
	.group = GROUP_SET,
	.example = "add_exp test.2.er",
	.run = run_add_exp,
	.alone = true,
};

static int run_open_exp(struct session *s, int argc, char **argv, struct strbuf *err)
{
	size_t before = s->model.sources.len;
	int status = add_group(s, argv[0], err);

	(void)argc;
	if (!status && before && session_close(s, 0, before, err))
		return CMD_FAILED;
	if (!status) {
		s->incomplete = false;
		experiments_warn(s, 0);
	}
	return status;
}

const struct cmd cmd_open_exp = {
	.name = "open_exp",
	.args = "EXP",
	.help = "replace all open experiments by this one",
	.group = GROUP_SET,
	.example = "open_exp test.2.er",
	.run = run_open_exp,
	.alone = true,
};

/* By its number or its path, as experiment_list shows them. */
static bool find_source(const struct session *s, const char *word, size_t *out)
{
	size_t len = strlen(word), number;

	while (len > 1 && word[len - 1] == '/')
		len--;
	for (*out = 0; *out < s->model.sources.len; ++*out) {
		const char *path = s->model.sources.data[*out].exp->path;
		size_t end = strlen(path);

		while (end > 1 && path[end - 1] == '/')
			end--;
		if (end == len && !strncmp(path, word, len))
			return true;
	}
	if (!command_number(word, &number) || !number || number > s->model.sources.len)
		return false;
	*out = number - 1;
	return true;
}

static int run_drop_exp(struct session *s, int argc, char **argv, struct strbuf *err)
{
	size_t source;

	(void)argc;
	if (!find_source(s, argv[0], &source)) {
		strbuf_addf(err, "%s is not open; see experiment_list", argv[0]);
		return CMD_FAILED;
	}
	return session_close(s, source, 1, err) ? CMD_FAILED : 0;
}

const struct cmd cmd_drop_exp = {
	.name = "drop_exp",
	.args = "EXP",
	.help = "close an experiment, by its path or its number",
	.group = GROUP_SET,
	.example = "drop_exp 1",
	.run = run_drop_exp,
};
