/* SPDX-License-Identifier: Apache-2.0 */
#include "model/split.h"
#include "shell/complete.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/foreign.h"
#include "shell/command.h"

void completions_release(struct completions *completions)
{
	vec_for_each(char *, text, &completions->list)
		free(*text);
	vec_release(&completions->list);
}

/* The first argument as typed so far. */
struct typed {
	const char *argument; /* with its quote */
	const char *text;     /* without */
	char quote;           /* or 0 */
	size_t done;          /* bytes of ARGUMENT that stay as they are */
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Whether NAME is shown as it is: what a recording says may control the terminal. */
static bool is_clean(const char *name)
{
	struct strbuf clean = { 0 };
	bool same;

	foreign_put(&clean, foreign(name));
	same = !strcmp(strbuf_str(&clean), name);
	strbuf_release(&clean);
	return same;
}

/* Adds NAME in quotes if it needs them, without what stays. */
static void add_name(struct completions *out, const struct typed *typed, const char *name)
{
	char quote = typed->quote;
	struct strbuf text = { 0 };

	if (!is_clean(name))
		return;
	if (!quote && strpbrk(name, " \t"))
		quote = strchr(name, '"') ? '\'' : '"';
	if (quote)
		strbuf_addch(&text, quote);
	strbuf_addstr(&text, name);
	if (quote)
		strbuf_addch(&text, quote);
	if (text.len > typed->done)
		*vec_push(&out->list) = xstrdup(text.data + typed->done);
	strbuf_release(&text);
}

/* Whether TEXT begins at a word of NAME. */
static bool has_word(const char *name, const char *text)
{
	for (const char *at = name; (at = strstr(at, text)); at++)
		if (at > name && !isalnum((unsigned char)at[-1]) && at[-1] != '_')
			return true;
	return false;
}

/* Those that begin so; if there are none, those with a word that does. */
static void add_functions(struct completions *out, struct session *s,
			  const struct typed *typed)
{
	size_t count = s->model.functions.len;

	for (uint32_t f = 0; f < count; f++)
		if (begins(session_function(s, f), typed->text))
			add_name(out, typed, session_function(s, f));
	for (uint32_t f = 0; f < count && !out->list.len && !typed->done; f++)
		if (has_word(session_function(s, f), typed->text)) {
			add_name(out, typed, session_function(s, f));
			break;
		}
}

/* NAME behind what is typed before it, up to LAST. */
static void add_behind(struct completions *out, const struct typed *typed,
		       const char *last, const char *name)
{
	char *text = xasprintf("%.*s%s", (int)(last - typed->text), typed->text, name);

	if (begins(name, last))
		add_name(out, typed, text);
	free(text);
}

static const char *behind_any(const char *text, const char *separators)
{
	const char *last = text;

	for (const char *at = text; (at = strpbrk(at, separators)); at++)
		last = at + 1;
	return last;
}

static void add_objects(struct completions *out, struct session *s,
			const struct typed *typed)
{
	const char *last = behind_any(typed->text, ",");

	for (uint32_t o = 0; o < s->model.objects.len; o++)
		add_behind(out, typed, last, object_name(&s->model, o));
}

struct offered_behind {
	struct completions *out;
	const struct typed *typed;
	const char *last;
};

static void add_offer(void *ctx, const struct split_offer *split)
{
	const struct offered_behind *o = ctx;

	add_behind(o->out, o->typed, o->last, split->name);
}

/* Behind the flavors and the visibility: ie.%cycles:e.insts */
static void add_metrics(struct completions *out, struct session *s,
			const struct typed *typed)
{
	const char *last = behind_any(typed->text, ":.+%!-");

	vec_for_each(const struct metric, metric, &s->model.metrics)
		add_behind(out, typed, last, model_string(&s->model, metric->id));
	splits_possible(&s->model, add_offer,
			&(struct offered_behind){ out, typed, last });
	vec_for_each(const struct ratio, ratio, &s->model.ratios)
		add_behind(out, typed, last, model_string(&s->model, ratio->id));
	for (int f = FIELD_NAME; f < METRIC_FIELDS; f++)
		add_behind(out, typed, last, metric_field_names[f]);
}

typedef void add_fn(struct completions *, struct session *, const struct typed *);

/* By the name of a command, or by its first argument. */
static const struct {
	const char *command, *argument;
	add_fn *add;
} kinds[] = {
	{ "", "F ", add_functions },
	{ "object_", "LIST", add_objects },
	{ "", "SPEC", add_metrics },
	{ "", "METRIC", add_metrics },
};

static void add_values(struct completions *out, const struct cmd *cmd,
		       const struct typed *typed)
{
	const char *value;
	size_t len;

	for (size_t i = 0; (value = command_value(cmd, i, &len)); i++) {
		char *text = xstrndup(value, len);

		if (begins(text, typed->text))
			add_name(out, typed, text);
		free(text);
	}
}

static void add_argument(struct completions *out, struct session *s,
			 const struct cmd *cmd, const struct typed *typed)
{
	add_values(out, cmd, typed);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (begins(cmd->name, kinds[i].command) &&
		    begins(cmd->args, kinds[i].argument))
			kinds[i].add(out, s, typed);
}

/* The command whose first argument begins at *ARGUMENT; NULL: none. */
static const struct cmd *command_of(const char *line, const char **argument)
{
	const char *word = line + strspn(line, " \t");
	size_t len = strcspn(word, " \t");
	char *name = xstrndup(word, len);
	const struct cmd *cmd = NULL;
	struct strbuf err = { 0 };

	if (command_find(name, &cmd, &err))
		cmd = NULL;
	*argument = word + len + strspn(word + len, " \t");
	strbuf_release(&err);
	free(name);
	return cmd;
}

void completions_find(struct completions *out, struct session *s, const char *line,
		      size_t start)
{
	struct typed typed = { 0 };
	const struct cmd *cmd;
	const char *alias;

	if (strspn(line, " \t") >= start) {
		for (const struct cmd *const *c = commands; *c; c++)
			if (begins((*c)->name, line + start))
				*vec_push(&out->list) = xstrdup((*c)->name);
		for (size_t i = 0; (alias = command_alias(i)); i++)
			if (line[start] && begins(alias, line + start))
				*vec_push(&out->list) = xstrdup(alias);
		return;
	}
	cmd = command_of(line, &typed.argument);
	if (!cmd || start < (size_t)(typed.argument - line))
		return;
	if (*typed.argument == '"' || *typed.argument == '\'')
		typed.quote = *typed.argument;
	typed.text = typed.argument + (typed.quote != 0);
	typed.done = start - (size_t)(typed.argument - line);
	/* a quote that is closed, and a blank without one, end the argument */
	if (typed.quote ? strchr(typed.text, typed.quote) != NULL : typed.done > 0)
		return;
	add_argument(out, s, cmd, &typed);
}
