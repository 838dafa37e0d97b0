/* SPDX-License-Identifier: Apache-2.0 */
/* processes: one row for each name, command line or process. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/strtab.h"
#include "base/xalloc.h"
#include "model/process_line.h"
#include "views/place.h"
#include "views/views.h"

enum grouping { BY_NAME, BY_COMMAND, BY_PROCESS };

/* The processes of a row.  FIRST represents it. */
struct group {
	struct place first;
	uint64_t processes;
	uint64_t lines; /* different command lines */
};

/* What a process means to the view. */
struct listed {
	uint32_t group; /* + 1; 0: it has no sample */
	bool left_out;  /* LIKE does not admit it */
};

struct processes {
	enum grouping by;
	const char *like; /* a name, or a part of a command line; NULL: all */
	bool exact;       /* LIKE is a name */
	struct strtab texts;
	struct idmap ids, lines; /* of groups; (group, command line) that were met */
	VEC(struct group) groups;
	VEC(struct listed *) of; /* by source and process */
};

static const char *name_of(const struct experiment *exp, uint32_t process)
{
	return experiment_string(exp, exp->processes.data[process].name);
}

/* Whether LIKE admits it. */
static bool is_like(const struct processes *p, const struct experiment *exp,
		    uint32_t process)
{
	struct strbuf line = { 0 };
	bool is;

	if (!p->like)
		return true;
	if (p->exact)
		return !strcmp(name_of(exp, process), p->like);
	process_line_get(exp, process, &line);
	is = strcasestr(strbuf_str(&line), p->like) ||
	     strcasestr(name_of(exp, process), p->like);
	strbuf_release(&line);
	return is;
}

/* ---- groups ---- */

/* A number for its command line: `a b` may be two arguments or one. */
static uint32_t line_id(struct processes *p, const struct experiment *exp,
			uint32_t process)
{
	struct strbuf line = { 0 };
	uint32_t id;

	process_line_get(exp, process, &line);
	strbuf_addf(&line, "/%zu", process_line_count(exp, process));
	id = strtab_intern(&p->texts, strbuf_str(&line));
	strbuf_release(&line);
	return id;
}

static uint32_t group_id(struct processes *p, const struct experiment *exp,
			 struct place at, uint32_t line)
{
	uint32_t next = (uint32_t)p->groups.len;
	uint32_t name = strtab_intern(&p->texts, name_of(exp, at.row));
	uint32_t id = next;

	if (p->by == BY_NAME)
		id = idmap_intern(&p->ids, name, 0, next);
	else if (p->by == BY_COMMAND)
		id = idmap_intern(&p->ids, name, line, next);
	if (id == next)
		*vec_push(&p->groups) = (struct group){ .first = at };
	return id;
}

/* Counts the process AT, at its first sample. */
static void meet(struct processes *p, const struct experiment *exp, struct place at,
		 struct listed *listed)
{
	uint32_t line, id;
	struct group *group;

	listed->left_out = !is_like(p, exp, at.row);
	if (listed->left_out)
		return;
	line = line_id(p, exp, at.row);
	id = group_id(p, exp, at, line);
	group = &p->groups.data[id];
	group->processes++;
	if (idmap_get(&p->lines, id, line) == IDMAP_NONE) {
		idmap_set(&p->lines, id, line, 0);
		group->lines++;
	}
	listed->group = id + 1;
}

static struct place process_of(const struct place_kind *kind, const struct model *model,
			       struct place row)
{
	const struct experiment *exp = model->sources.data[row.source].exp;
	struct processes *p = kind->ctx;
	struct listed *listed;

	row.row = exp->threads.data[row.row].process;
	listed = &p->of.data[row.source][row.row];
	if (!listed->group && !listed->left_out)
		meet(p, exp, row, listed);
	if (listed->left_out)
		return (struct place){ row.source, MODEL_NONE };
	return p->groups.data[listed->group - 1].first;
}

static void processes_init(struct processes *p, const struct model *model)
{
	strtab_init(&p->texts);
	vec_for_each(const struct source, source, &model->sources)
		*vec_push(&p->of) = xcalloc(source->exp->processes.len + 1,
					    sizeof(struct listed));
}

static void processes_release(struct processes *p)
{
	vec_for_each(struct listed *, listed, &p->of)
		free(*listed);
	vec_release(&p->of);
	vec_release(&p->groups);
	idmap_release(&p->ids);
	idmap_release(&p->lines);
	strtab_release(&p->texts);
}

/* ---- tables ---- */

static void add_machine_columns(struct table *table)
{
	table_machine_column(table, "arguments", COLUMN_NUMBER);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

static void group_columns(struct table *table)
{
	table_column(table, "processes", "Number", COLUMN_NUMBER);
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_column(table, "command_line", "Command line", COLUMN_TEXT);
	add_machine_columns(table);
}

static void process_columns(struct table *table)
{
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "parent", "Parent", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_column(table, "command_line", "Command line", COLUMN_TEXT);
	add_machine_columns(table);
}

static void add_known_number(struct table *table, uint64_t number, bool known)
{
	if (known)
		table_add_number(table, number);
	else
		table_add_absent(table);
}

/* Its name, command line and experiment; how many LINES there are if more than one. */
static void add_command(const struct experiment *exp, struct place place, uint64_t lines,
			struct table *table)
{
	size_t count = lines > 1 ? 0 : process_line_count(exp, place.row);
	struct strbuf line = { 0 };

	table_add_text(table, name_of(exp, place.row));
	if (count)
		process_line_get(exp, place.row, &line);
	if (count)
		table_add_text(table, strbuf_str(&line));
	else
		table_add_absent(table);
	add_known_number(table, count, count > 0);
	strbuf_release(&line);
}

static void group_cells(const struct place_kind *kind, const struct model *model,
			struct place place, struct table *table)
{
	const struct processes *p = kind->ctx;
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct group *group =
		&p->groups.data[p->of.data[place.source][place.row].group - 1];
	bool one = group->processes == 1;

	table_add_number(table, group->processes);
	add_known_number(table, (uint64_t)exp->processes.data[place.row].pid, one);
	add_command(exp, place, group->lines, table);
	add_known_number(table, place.source + 1, one);
}

static void process_cells(const struct place_kind *kind, const struct model *model,
			  struct place place, struct table *table)
{
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct exp_process *process = &exp->processes.data[place.row];
	uint64_t parent = process->parent
				  ? (uint64_t)exp->processes.data[process->parent - 1].pid
				  : 0;

	(void)kind;
	table_add_number(table, (uint64_t)process->pid);
	add_known_number(table, parent, process->parent > 0);
	add_command(exp, place, 1, table);
	table_add_number(table, place.source + 1);
}

/* ---- compared ---- */

static void process_identity(const struct model *model, struct place place,
			     struct strbuf *out)
{
	place_put_task(model, name_of(model->sources.data[place.source].exp, place.row),
		       out);
}

/* Even arguments that differ in each run: the user asked for command lines. */
static void command_identity(const struct model *model, struct place place,
			     struct strbuf *out)
{
	struct strbuf line = { 0 };

	process_identity(model, place, out);
	process_line_get(model->sources.data[place.source].exp, place.row, &line);
	strbuf_addf(out, "/%s", strbuf_str(&line));
	strbuf_release(&line);
}

static void process_row_columns(struct table *table)
{
	table_column(table, "name", "Process", COLUMN_TEXT);
	place_count_columns(table);
}

static void process_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;

	table_add_text(table, row == COMPARED_TOTAL ? "<Total>"
						    : name_of(place_experiment(rows, row),
							      rows->first.data[row].row));
	place_add_counts(rows, row, table);
}

static void command_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;
	struct strbuf line = { 0 };

	if (row != COMPARED_TOTAL)
		process_line_get(place_experiment(rows, row), rows->first.data[row].row,
				 &line);
	if (line.len)
		table_add_text(table, line.data);
	else
		process_row_cells(ctx, row, table);
	if (line.len)
		place_add_counts(rows, row, table);
	strbuf_release(&line);
}

static const struct compare_view process_view = {
	.key = "compare_processes",
	.title = "Processes",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = process_row_columns,
	.cells = process_row_cells,
};

static const struct compare_view command_view = {
	.key = "compare_processes",
	.title = "Processes",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = process_row_columns,
	.cells = command_row_cells,
};

/* ---- the command ---- */

static void offer(const struct processes *p, const struct model *model,
		  struct nearest *near, bool *exact, bool *any)
{
	vec_for_each(const struct source, source, &model->sources)
		for (uint32_t i = 0; i < source->exp->processes.len; i++) {
			const char *name = name_of(source->exp, i);

			nearest_offer(near, name);
			*exact |= !strcmp(name, p->like);
			*any |= is_like(p, source->exp, i);
		}
}

/* Whether LIKE is a name; CMD_FAILED if nothing is like it. */
static int find_like(struct processes *p, const struct model *model, struct strbuf *err)
{
	bool exact = false, any = false;
	struct nearest near;

	nearest_init(&near, p->like);
	offer(p, model, &near, &exact, &any);
	p->exact = exact;
	if (!exact && !any) {
		strbuf_addf(err,
			    "no process is called '%s', nor has it in its command line; ",
			    p->like);
		if (near.count)
			strbuf_addstr(err, "did you mean ");
		else
			strbuf_addstr(err, "processes lists their names");
		nearest_join(&near, err);
		if (near.count)
			strbuf_addch(err, '?');
	}
	nearest_release(&near);
	return exact || any ? 0 : CMD_FAILED;
}

static int run_processes(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct processes p = { .by = BY_NAME };
	struct place_kind kind = {
		.key = "processes",
		.title = "Processes",
		.ctx = &p,
		.sums = place_thread_sums,
		.place_of = process_of,
		.add_columns = group_columns,
		.add_cells = group_cells,
		.put_identity = process_identity,
		.compared = &process_view,
	};
	int status = 0;

	if (argc && !strcmp(argv[0], "commands")) {
		p.by = BY_COMMAND;
		kind.put_identity = command_identity;
		kind.compared = &command_view;
	} else if (argc) {
		p.by = BY_PROCESS;
		kind.add_columns = process_columns;
		kind.add_cells = process_cells;
		p.like = strcmp(argv[0], "all") ? argv[0] : NULL;
	}
	if (p.like)
		status = find_like(&p, &s->model, err);
	if (status)
		return status;
	if (s->set.compare)
		p.by = BY_PROCESS;
	processes_init(&p, &s->model);
	status = place_view_run(s, &kind, err);
	processes_release(&p);
	return status;
}

const struct cmd cmd_processes = {
	.name = "processes",
	.args = "[NAME]",
	.help = "processes by name; those of NAME one by one",
	.values = "all commands",
	.example = "processes commands",
	.run = run_processes,
	.names = true,
};
