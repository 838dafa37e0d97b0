/* SPDX-License-Identifier: Apache-2.0 */
#include "selection.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

static const enum filter_word words[SELECTS] = {
	[SELECT_THREAD] = WORD_LWPID,
	[SELECT_PROCESS] = WORD_PID,
	[SELECT_CPU] = WORD_CPUID,
	[SELECT_SAMPLE] = WORD_SAMPLE,
};

void selection_release(struct selection *selection)
{
	free(selection->expression);
	for (int i = 0; i < SELECTS; i++)
		free(selection->lists[i]);
	*selection = (struct selection){ 0 };
}

void selection_set_expression(struct selection *selection, const char *text)
{
	free(selection->expression);
	selection->expression = text ? xstrdup(text) : NULL;
}

static const char *skip_digits(const char *text)
{
	while (isdigit((unsigned char)*text))
		text++;
	return text;
}

/* "3-5" as "(PID>=3 && PID<=5)", "3" as "PID==3"; what follows, or NULL. */
static const char *take_range(const char *at, const char *name, struct strbuf *out)
{
	const char *first = at, *second;

	at = skip_digits(first);
	if (at == first)
		return NULL;
	if (*at != '-') {
		strbuf_addf(out, "%s==%.*s", name, (int)(at - first), first);
		return at;
	}
	second = at + 1;
	strbuf_addf(out, "(%s>=%.*s && ", name, (int)(at - first), first);
	at = skip_digits(second);
	if (at == second)
		return NULL;
	strbuf_addf(out, "%s<=%.*s)", name, (int)(at - second), second);
	return at;
}

static bool take_list(const char *list, const char *name, struct strbuf *out)
{
	const char *at = take_range(list, name, out);

	while (at && *at == ',') {
		strbuf_addstr(out, " || ");
		at = take_range(at + 1, name, out);
	}
	return at && !*at;
}

int selection_set_list(struct selection *selection, enum select_kind kind,
		       const char *list, struct strbuf *err)
{
	struct strbuf out = { 0 };

	if (strcmp(list, "all") &&
	    !take_list(list, filter_names[words[kind]].name, &out)) {
		strbuf_addf(err,
			    "a list is of numbers and ranges, as in 1,3-5, or all; not "
			    "'%s'",
			    list);
		strbuf_release(&out);
		return -1;
	}
	free(selection->lists[kind]);
	selection->lists[kind] = out.len ? strbuf_detach(&out) : NULL;
	return 0;
}

static void add_part(const char *part, struct strbuf *out)
{
	if (part)
		strbuf_addf(out, "%s(%s)", out->len ? " && " : "", part);
}

void selection_compose(const struct selection *selection, struct strbuf *out)
{
	bool alone = true;

	for (int i = 0; i < SELECTS; i++)
		alone &= !selection->lists[i];
	if (alone && selection->expression) {
		strbuf_addstr(out, selection->expression);
		return;
	}
	add_part(selection->expression, out);
	for (int i = 0; i < SELECTS; i++)
		add_part(selection->lists[i], out);
}
