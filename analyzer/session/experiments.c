/* SPDX-License-Identifier: Apache-2.0 */
#include "session/experiments.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/cmd.h"
#include "base/diag.h"
#include "base/idmap.h"
#include "model/imported.h"
#include "model/run.h"
#include "base/xalloc.h"

/* Reports trouble with a recording before its numbers. */
static void warn_of(const struct session *s, size_t source)
{
	const struct experiment *exp = s->model.sources.data[source].exp;
	struct run run;

	run_read(&run, &s->model, source);
	for (size_t i = 0; i < run.damages; i++)
		diag_warn("%s: %s", exp->path, run.warnings.data[i]);
	run_release(&run);
}

static int open_one(struct session *s, const char *path, uint32_t group,
		    struct strbuf *err)
{
	char *imported;
	int error = imported_find(path, &imported, err);

	if (!error)
		error = session_open(s, imported ? imported : path, group, err);
	free(imported);
	progress_end(&s->progress);
	if (error)
		return CMD_FAILED;
	warn_of(s, s->model.sources.len - 1);
	return 0;
}

static void warn_of_repeated(const struct session *s, size_t first)
{
	struct idmap ids = { 0 };

	for (size_t i = 0; i < s->model.sources.len; i++) {
		const char *path = s->model.sources.data[i].exp->path;
		struct stat st;

		if (!stat(path, &st) &&
		    idmap_intern(&ids, st.st_ino, st.st_dev, (uint32_t)i) != i &&
		    i >= first)
			diag_warn("%s is open already: its samples count twice", path);
	}
	idmap_release(&ids);
}

void experiments_warn(const struct session *s, size_t first)
{
	warn_of_repeated(s, first);
}

/* Whether WORD is several paths with commas between them. */
static bool is_list(const char *word)
{
	return strchr(word, ',') && access(word, F_OK) < 0;
}

int experiments_open(struct session *s, const char *word, uint32_t group,
		     struct strbuf *err)
{
	char *words, *save = NULL;
	int status = 0;

	if (!is_list(word))
		return open_one(s, word, group, err);
	words = xstrdup(word);
	for (char *path = strtok_r(words, ",", &save); path && !status;
	     path = strtok_r(NULL, ",", &save))
		status = open_one(s, path, group, err);
	free(words);
	return status;
}

int experiments_check(const struct session *s, const char *word, struct strbuf *err)
{
	char *words, *save = NULL;
	int status = 0;

	if (!is_list(word))
		return 0;
	words = xstrdup(word);
	for (char *path = strtok_r(words, ",", &save); path && !status;
	     path = strtok_r(NULL, ",", &save)) {
		char *imported;

		status = imported_find(path, &imported, err);
		if (!status)
			status = session_can_open(s, imported ? imported : path, err);
		free(imported);
	}
	free(words);
	return status ? CMD_FAILED : 0;
}

int experiments_chosen(const struct session *s, int argc, char **argv, size_t *first,
		       size_t *end, struct strbuf *err)
{
	size_t sources = s->model.sources.len, number;

	*first = 0;
	*end = sources;
	if (!argc)
		return 0;
	if (!command_number(argv[0], &number) || !number || number > sources) {
		strbuf_addf(err,
			    "'%s' is no experiment's number; experiment_list has them",
			    argv[0]);
		return CMD_USAGE;
	}
	*first = number - 1;
	*end = number;
	return 0;
}
