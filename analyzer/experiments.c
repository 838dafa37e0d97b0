/* SPDX-License-Identifier: Apache-2.0 */
#include "experiments.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "diag.h"
#include "imported.h"
#include "run.h"
#include "xalloc.h"

/* What is wrong with a recording is told before its numbers are. */
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

int experiments_open(struct session *s, const char *word, uint32_t group,
		     struct strbuf *err)
{
	char *words, *save = NULL;
	int status = 0;

	if (!strchr(word, ',') || !access(word, F_OK))
		return open_one(s, word, group, err);
	words = xstrdup(word);
	for (char *path = strtok_r(words, ",", &save); path && !status;
	     path = strtok_r(NULL, ",", &save))
		status = open_one(s, path, group, err);
	free(words);
	return status;
}
