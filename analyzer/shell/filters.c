/* SPDX-License-Identifier: Apache-2.0 */
/* filters, describe, thread_select and its like: which samples count. */
#include <stdlib.h>
#include <string.h>

#include "tables/fields.h"
#include "views/views.h"
#include "base/xalloc.h"

static uint64_t admitted(const struct session *s, uint64_t *whole)
{
	uint64_t count = 0;

	*whole = 0;
	vec_for_each(const struct source, source, &s->model.sources) {
		const struct totals *totals = source_totals(&s->model, source);

		for (size_t e = 0; e < totals->events; e++) {
			count += totals->whole[e].samples;
			*whole += source->totals.whole[e].samples;
		}
	}
	return count;
}

static int show_filter(struct session *s, struct strbuf *err)
{
	struct table table;
	uint64_t whole, count = admitted(s, &whole);

	fields_init(&table, "filters", NULL);
	fields_add(&table, 1, "Filter", "%s",
		   filter_is_set(&s->model.filter) ? s->model.filter.text : "none");
	if (count || !whole)
		fields_add(&table, 1, "Samples", "%llu of %llu",
			   (unsigned long long)count, (unsigned long long)whole);
	else
		fields_add(&table, 1, "Samples",
			   "none of %llu: the filter matches nothing",
			   (unsigned long long)whole);
	return command_show(s, &table, err);
}

/*
 * Selects NEXT, which is emptied, instead of the selection; what is refused changes
 * nothing.  If no sample matches, reports that.
 */
static int apply_next(struct session *s, struct selection *next, struct strbuf *err)
{
	struct selection before = s->set.selection;
	uint64_t whole;
	int error;

	s->set.selection = *next;
	*next = before;
	error = session_select(s, err);
	if (error) {
		*next = s->set.selection;
		s->set.selection = before;
	}
	selection_release(next);
	if (error)
		return CMD_USAGE;
	return admitted(s, &whole) || !whole ? 0 : show_filter(s, err);
}

/* The tables that follow say that WORD with TEXT was refused, until WORD succeeds. */
static int note_refused(char **refused, const char *word, const char *text, int status)
{
	free(*refused);
	*refused = status == CMD_USAGE ? xasprintf("%s %s", word, text) : NULL;
	return status;
}

static int run_filters(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct selection next;

	if (!argc)
		return show_filter(s, err);
	selection_copy(&s->set.selection, &next);
	selection_set_expression(&next, strcmp(argv[0], "off") ? argv[0] : NULL);
	return note_refused(&s->set.refused[SELECTS], "filters", argv[0],
			    apply_next(s, &next, err));
}

const struct cmd cmd_filters = {
	.name = "filters",
	.args = "[EXPR]",
	.help = "count the samples that EXPR admits; see describe",
	.group = GROUP_FILTER,
	.example = "filters FNAME(\"main\") SOME IN STACK",
	.run = run_filters,
	.verbatim = true,
};

static const char *const kind_words[] = {
	[KIND_SAMPLE] = "number",       [KIND_STACK] = "number", [KIND_FRAMES] = "frames",
	[KIND_FUNCTIONS] = "functions", [KIND_LABEL] = "number", [KIND_SHARE] = "share",
};

static int run_describe(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "describe" };

	(void)argc;
	(void)argv;
	table_column(&table, "name", "Name", COLUMN_TEXT);
	table_column(&table, "type", "Type", COLUMN_TEXT);
	table_column(&table, "meaning", "Meaning", COLUMN_TEXT);
	for (int i = 0; i < FILTER_WORDS; i++) {
		table_add_text(&table, filter_names[i].name);
		table_add_text(&table, kind_words[filter_names[i].kind]);
		table_add_text(&table, filter_names[i].meaning);
	}
	return command_show(s, &table, err);
}

const struct cmd cmd_describe = {
	.name = "describe",
	.args = "",
	.help = "the names available in filters",
	.group = GROUP_FIND,
	.run = run_describe,
	.alone = true,
};

static int select_list(struct session *s, enum select_kind kind, const char *list,
		       struct strbuf *err)
{
	static const char *const names[SELECTS] = {
		[SELECT_THREAD] = "thread_select",
		[SELECT_PROCESS] = "process_select",
		[SELECT_CPU] = "cpu_select",
		[SELECT_SAMPLE] = "sample_select",
	};
	struct selection next;
	int status;

	selection_copy(&s->set.selection, &next);
	status = selection_set_list(&next, kind, list, err);
	if (status)
		selection_release(&next);
	return note_refused(&s->set.refused[kind], names[kind], list,
			    status ? CMD_USAGE : apply_next(s, &next, err));
}

static int run_thread_select(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return select_list(s, SELECT_THREAD, argv[0], err);
}

const struct cmd cmd_thread_select = {
	.name = "thread_select",
	.args = "LIST",
	.help = "count only these threads: 1,3-5, or all",
	.group = GROUP_FILTER,
	.example = "thread_select all",
	.run = run_thread_select,
};

static int run_process_select(struct session *s, int argc, char **argv,
			      struct strbuf *err)
{
	(void)argc;
	return select_list(s, SELECT_PROCESS, argv[0], err);
}

const struct cmd cmd_process_select = {
	.name = "process_select",
	.args = "LIST",
	.help = "count only these processes",
	.group = GROUP_FILTER,
	.example = "process_select all",
	.run = run_process_select,
};

static int run_cpu_select(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return select_list(s, SELECT_CPU, argv[0], err);
}

const struct cmd cmd_cpu_select = {
	.name = "cpu_select",
	.args = "LIST",
	.help = "count only these CPUs",
	.group = GROUP_FILTER,
	.example = "cpu_select 0-3",
	.run = run_cpu_select,
};

static int run_sample_select(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return select_list(s, SELECT_SAMPLE, argv[0], err);
}

const struct cmd cmd_sample_select = {
	.name = "sample_select",
	.args = "LIST",
	.help = "count only these seconds of the run, from 1",
	.group = GROUP_FILTER,
	.example = "sample_select 1-2",
	.run = run_sample_select,
};
