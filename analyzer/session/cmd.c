/* SPDX-License-Identifier: Apache-2.0 */
#include "session/cmd.h"

#include "base/diag.h"
#include "base/exit_status.h"
#include "base/xalloc.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool command_number(const char *word, size_t *out)
{
	char *end;
	unsigned long number;

	if (!isdigit((unsigned char)*word))
		return false;
	number = strtoul(word, &end, 10);
	if (*end || number > INT_MAX)
		return false;
	*out = number;
	return true;
}

int command_status(int error, const char *what, struct strbuf *err)
{
	if (!error)
		return 0;
	strbuf_addf(err, "%s: %s", what, strerror(-error));
	return CMD_FAILED;
}

int command_shown(struct session *s, int error, struct strbuf *err)
{
	return command_status(error, output_name(&s->out), err) ? CMD_LOST : 0;
}

static void tell_all(struct session *s)
{
	vec_for_each(char *, text, &s->untold) {
		diag_error("%s", *text);
		free(*text);
	}
	vec_clear(&s->untold);
}

void command_mistaken(struct session *s, const struct cmd *cmd, int status,
		      const char *text)
{
	int code = status == CMD_USAGE ? EXIT_USAGE : EXIT_FAILED;

	s->exit_status = s->exit_status ? s->exit_status : code;
	mistakes_add(&s->out.mistakes, cmd ? cmd->name : NULL, code, text);
	*vec_push(&s->untold) = xstrdup(text);
	progress_end(&s->progress);
	if (!s->out.pager.file)
		tell_all(s);
}

int command_end_page(struct session *s)
{
	int error = output_end_page(&s->out);

	tell_all(s);
	return error;
}

int command_show(struct session *s, struct table *table, struct strbuf *err)
{
	return command_shown(s, session_show(s, table), err);
}
