/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setpath, addpath, pathmap, symfs, sthresh, dthresh: places of files, and marked lines.
 */
#include "views/views.h"

static int run_setpath(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)err;
	source_paths_set(&s->set.paths, argv[0]);
	return 0;
}

const struct cmd cmd_setpath = {
	.name = "setpath",
	.args = "DIRS",
	.help = "directories of sources, with : between them",
	.group = GROUP_SET,
	.example = "setpath /usr/src:src",
	.run = run_setpath,
	.alone = true,
	.setting = true,
};

static int run_addpath(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)err;
	source_paths_add(&s->set.paths, argv[0]);
	return 0;
}

const struct cmd cmd_addpath = {
	.name = "addpath",
	.args = "DIRS",
	.help = "more directories, after those of setpath",
	.group = GROUP_SET,
	.example = "addpath /usr/src",
	.run = run_addpath,
	.alone = true,
	.setting = true,
};

static int run_pathmap(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return session_map_path(s, argv[0], argv[1], err) ? CMD_FAILED : 0;
}

const struct cmd cmd_pathmap = {
	.name = "pathmap",
	.args = "OLD NEW",
	.help = "look below NEW for sources and objects of OLD",
	.group = GROUP_SET,
	.example = "pathmap /build/src /usr/src",
	.run = run_pathmap,
	.alone = true,
	.setting = true,
};

static int run_symfs(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return session_set_symfs(s, argv[0], err) ? CMD_FAILED : 0;
}

const struct cmd cmd_symfs = {
	.name = "symfs",
	.args = "DIRS",
	.help = "look below these for the recorded machine's files",
	.group = GROUP_SET,
	.example = "symfs /mnt/server",
	.run = run_symfs,
	.alone = true,
	.setting = true,
};

static int set_threshold(const char *word, const char *name, unsigned *out,
			 struct strbuf *err)
{
	size_t percent;

	if (command_number(word, &percent) && percent <= 100) {
		*out = (unsigned)percent;
		return 0;
	}
	strbuf_addf(err, "%s takes a percentage from 0 to 100, not '%s'", name, word);
	return CMD_USAGE;
}

static int run_sthresh(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return set_threshold(argv[0], "sthresh", &s->set.source_threshold, err);
}

const struct cmd cmd_sthresh = {
	.name = "sthresh",
	.args = "PERCENT",
	.help = "mark source lines with this share of the largest",
	.group = GROUP_SET,
	.example = "sthresh 50",
	.run = run_sthresh,
	.alone = true,
	.setting = true,
};

static int run_dthresh(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return set_threshold(argv[0], "dthresh", &s->set.disasm_threshold, err);
}

const struct cmd cmd_dthresh = {
	.name = "dthresh",
	.args = "PERCENT",
	.help = "mark instructions with this share of the largest",
	.group = GROUP_SET,
	.example = "dthresh 50",
	.run = run_dthresh,
	.alone = true,
	.setting = true,
};
