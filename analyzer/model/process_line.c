/* SPDX-License-Identifier: Apache-2.0 */
#include "model/process_line.h"

#include <ctype.h>
#include <string.h>

static bool needs_quotes(const char *word)
{
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("_-+=./,:@%^", *word))
			return true;
	return false;
}

void process_line_add(struct strbuf *out, const char *word)
{
	if (out->len)
		strbuf_addch(out, ' ');
	if (*word && !needs_quotes(word)) {
		strbuf_addstr(out, word);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_addstr(out, "'\\'");
		strbuf_addch(out, *word);
	}
	strbuf_addch(out, '\'');
}

/*
 * Whether it is what collect started: the log has that command even if it ended before its
 * own could be read.
 */
static bool is_target(const struct experiment *exp, const struct exp_process *process)
{
	enum { COMM_MAX = 15 };
	const char *program, *name = experiment_string(exp, process->name);

	if (!exp->log.command.len || process->pid != exp->log.pid)
		return false;
	program = exp->log.command.data[0];
	if (strrchr(program, '/'))
		program = strrchr(program, '/') + 1;
	return *name && !strncmp(program, name, COMM_MAX);
}

size_t process_line_count(const struct experiment *exp, uint32_t process)
{
	const struct exp_process *p = &exp->processes.data[process];

	if (p->arguments)
		return p->arguments;
	return is_target(exp, p) ? exp->log.command.len : 0;
}

static const char *argument_of(const struct experiment *exp, const struct exp_process *p,
			       size_t i)
{
	return p->arguments ? experiment_string(exp, exp->arguments.data[p->argument + i])
			    : exp->log.command.data[i];
}

void process_line_get(const struct experiment *exp, uint32_t process, struct strbuf *out)
{
	const struct exp_process *p = &exp->processes.data[process];
	size_t count = process_line_count(exp, process);

	strbuf_clear(out);
	if (count == 1)
		strbuf_addstr(out, argument_of(exp, p, 0));
	for (size_t i = 0; i < count && count > 1; i++)
		process_line_add(out, argument_of(exp, p, i));
	if (p->cut)
		strbuf_addstr(out, "...");
}
