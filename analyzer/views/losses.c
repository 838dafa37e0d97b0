/* SPDX-License-Identifier: Apache-2.0 */
/* losses: lost records, by second and by the thread that then ran. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/idmap.h"
#include "rows/view.h"
#include "views/views.h"
#include "base/xalloc.h"

#define SECOND_NS 1000000000u

/* One line: records lost in a second while a thread ran. */
struct loss {
	uint32_t source, thread; /* thread: + 1; 0: unknown */
	uint64_t second, count;
};

struct loss_table {
	VEC(struct loss) rows;
	struct idmap ids; /* second and thread, of one source → row */
};

static void add_loss(struct loss_table *t, uint32_t source, const struct exp_loss *loss)
{
	uint64_t second = loss->time_ns / SECOND_NS + 1;
	uint32_t next = (uint32_t)t->rows.len;
	uint32_t id = idmap_intern(&t->ids, second, loss->thread, next);

	if (id == next)
		*vec_push(&t->rows) = (struct loss){ source, loss->thread, second, 0 };
	t->rows.data[id].count += loss->count;
}

static int by_time(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void add_row(const struct model *model, const struct loss *loss,
		    struct table *table)
{
	const struct experiment *exp = model->sources.data[loss->source].exp;
	const struct exp_thread *thread = loss->thread
						  ? &exp->threads.data[loss->thread - 1]
						  : NULL;

	table_add_number(table, loss->count);
	table_add_number(table, loss->second);
	if (thread) {
		table_add_number(table,
				 (uint64_t)exp->processes.data[thread->process].pid);
		table_add_number(table, (uint64_t)thread->tid);
		table_add_text(table, experiment_string(exp, thread->name));
	} else {
		table_add_absent(table);
		table_add_absent(table);
		table_add_absent(table);
	}
	table_add_number(table, loss->source + 1);
}

/* A ring reports a loss with the next record that fits; there may be none. */
static void note_untold(const struct model *model, uint64_t told, struct table *table)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < model->sources.len; i++) {
		const struct exp_log *log = &model->sources.data[i].exp->log;

		lost += log->lost + log->lost_other + log->lost_records;
	}
	if (!lost && !told)
		strbuf_addstr(&table->note, "no records were lost");
	else if (lost > told)
		strbuf_addf(&table->note, "%" PRIu64 " more, at unknown times",
			    lost - told);
}

static int run_losses(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "losses" };
	struct loss_table t = { 0 };
	uint64_t told = 0;

	(void)argc;
	(void)argv;
	for (uint32_t i = 0; i < s->model.sources.len; i++) {
		vec_for_each(const struct exp_loss, loss,
			     &s->model.sources.data[i].exp->losses)
			add_loss(&t, i, loss);
		idmap_release(&t.ids);
	}
	vec_for_each(const struct loss, loss, &t.rows)
		told += loss->count;
	note_untold(&s->model, told, &table);
	if (t.rows.len)
		qsort(t.rows.data, t.rows.len, sizeof(*t.rows.data), by_time);
	table_set_title(&table, xstrdup("Lost records, by second and running thread"));
	table_column(&table, "lost", "Lost", COLUMN_NUMBER);
	table_column(&table, "second", "Second", COLUMN_NUMBER);
	table_column(&table, "process", "Process", COLUMN_NUMBER);
	table_column(&table, "thread", "Thread", COLUMN_NUMBER);
	table_column(&table, "name", "Name", COLUMN_TEXT);
	table_machine_column(&table, "experiment", COLUMN_NUMBER);
	for (size_t i = 0; i < t.rows.len && (!s->set.limit || i < s->set.limit); i++)
		add_row(&s->model, &t.rows.data[i], &table);
	vec_release(&t.rows);
	return command_show(s, &table, err);
}

const struct cmd cmd_losses = {
	.name = "losses",
	.args = "",
	.help = "lost records, by second and thread",
	.run = run_losses,
};
