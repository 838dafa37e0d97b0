/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accuracy: how well samples measure regions, whose durations are exact: the shares of
 * those in one region by the clock, and by the profiler.  Where waits were recorded, the
 * clock's time leaves them out, which is exact, too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/regions.h"
#include "rows/view.h"
#include "views/views.h"

struct accuracy {
	struct session *session;
	struct region_sums sums;
	uint32_t metric, top; /* the row that is 100 % */
	uint32_t depth;       /* of the others */
	struct table table;
};

/* Of one row, in percent of the top one. */
struct shares {
	double timer, profiler, low, high; /* the last two: of their difference */
	uint64_t samples;
};

/* ---- shares ---- */

static struct value value_of(const struct accuracy *a, uint32_t row)
{
	return a->sums.whole[row * a->sums.metrics + a->metric];
}

/* By the clock; a thread waits only within a region, so each wait is of one. */
static uint64_t time_of(const struct accuracy *a, uint32_t row)
{
	const struct model *model = &a->session->model;
	uint64_t ns = a->sums.rows.data[row].durations.sum_ns, waited = 0;

	for (uint32_t m = 0; m < model->metrics.len - model->splits; m++)
		if (model->metrics.data[m].state)
			waited += a->sums.whole[row * a->sums.metrics + m].weight;
	return waited < ns ? ns - waited : 0;
}

/* The fewest samples out of ALL whose interval reaches SHARE. */
static uint64_t fewest(double share, uint64_t all)
{
	uint64_t low = 0, high = all;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (share_interval(middle, all).high >= share * (double)all)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The most whose interval does not lie above it. */
static uint64_t most(double share, uint64_t all)
{
	uint64_t low = 0, high = all;

	while (low < high) {
		const uint64_t middle = low + (high - low + 1) / 2;

		if (share_interval(middle, all).low <= share * (double)all)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static void find_shares(const struct accuracy *a, uint64_t ns, struct value value,
			struct shares *out)
{
	const struct value whole = value_of(a, a->top);
	const double share = (double)ns / (double)time_of(a, a->top);

	*out = (struct shares){
		.timer = 100 * share,
		.profiler = 100 * (double)value.weight / (double)whole.weight,
		.samples = value.samples,
	};
	out->low = 100 *
		   ((double)fewest(share, whole.samples) / (double)whole.samples - share);
	out->high = 100 *
		    ((double)most(share, whole.samples) / (double)whole.samples - share);
}

/* ---- the table ---- */

static void real_column(struct table *table, const char *key, const char *title,
			bool sign)
{
	struct column *column;

	table_column(table, key, title, COLUMN_REAL);
	column = &table->columns.data[table->columns.len - 1];
	column->digits = 2;
	column->sign = sign;
}

static void add_columns(struct table *table)
{
	real_column(table, "timer", "Timer %", false);
	real_column(table, "profiler", "Profiler %", false);
	real_column(table, "difference", "Difference", true);
	real_column(table, "low", "must lie from", true);
	real_column(table, "high", "to", true);
	table_machine_column(table, "inside", COLUMN_NUMBER);
	table_column(table, "count", "Instances", COLUMN_NUMBER);
	table_column(table, "samples", "Samples", COLUMN_NUMBER);
	table_column(table, "branch", "Region", COLUMN_TEXT);
}

static void add_row(struct accuracy *a, uint64_t ns, struct value value, uint64_t count,
		    const char *branch)
{
	struct table *table = &a->table;
	struct shares s;
	double difference;

	find_shares(a, ns, value, &s);
	difference = s.profiler - s.timer;
	table_add_real(table, s.timer);
	table_add_real(table, s.profiler);
	table_add_real(table, difference);
	table_add_real(table, s.low);
	table_add_real(table, s.high);
	table_add_number(table, difference >= s.low && difference <= s.high);
	table_add_number(table, count);
	table_add_number(table, s.samples);
	table_add_text(table, branch);
}

static void add_region(struct accuracy *a, uint32_t id)
{
	const struct durations *d = &a->sums.rows.data[id].durations;
	struct strbuf branch = { 0 };

	region_put_branch(&a->sums, &a->session->model, id, &branch);
	add_row(a, time_of(a, id), value_of(a, id), d->count, strbuf_str(&branch));
	strbuf_release(&branch);
}

static bool is_in(const struct accuracy *a, uint32_t row, uint32_t top)
{
	while (row != REGION_OUTSIDE && row != top)
		row = a->sums.rows.data[row].parent;
	return row == top;
}

static bool is_shown(const struct accuracy *a, uint32_t id)
{
	const struct region_row *row = &a->sums.rows.data[id];

	return id != a->top && row->depth == a->depth && row->durations.count &&
	       is_in(a, id, a->top);
}

/* What of the top one is in none of the others. */
static void add_rest(struct accuracy *a)
{
	uint64_t ns = time_of(a, a->top);
	struct value value = value_of(a, a->top);

	for (uint32_t id = 0; id < a->sums.rows.len; id++) {
		const struct value of = value_of(a, id);
		const uint64_t took = time_of(a, id);

		if (!is_shown(a, id))
			continue;
		ns -= took < ns ? took : ns;
		value.weight -= of.weight < value.weight ? of.weight : value.weight;
		value.samples -= of.samples < value.samples ? of.samples : value.samples;
	}
	add_row(a, ns, value, a->sums.rows.data[a->top].durations.count, "<The rest>");
}

static void fill(struct accuracy *a)
{
	const struct model *model = &a->session->model;
	struct ranks ranks = { 0 };

	add_columns(&a->table);
	add_region(a, a->top);
	for (uint32_t id = 0; id < a->sums.rows.len; id++)
		if (is_shown(a, id))
			*vec_push(&ranks) = (struct rank){
				.id = id,
				.weight = time_of(a, id),
				.name = model_string(model, a->sums.rows.data[id].name),
			};
	ranks_sort(&ranks, false);
	vec_for_each(const struct rank, rank, &ranks)
		add_region(a, rank->id);
	vec_release(&ranks);
	add_rest(a);
	strbuf_addf(&a->table.note, "Timer: %s; Profiler: %s by %llu samples",
		    time_of(a, a->top) < a->sums.rows.data[a->top].durations.sum_ns
			    ? "wall time without waits"
			    : "wall time",
		    model_string(model, model->metrics.data[a->metric].label),
		    (unsigned long long)value_of(a, a->top).samples);
}

/* ---- the command ---- */

/* The row of NAME, or of the longest time; REGION_OUTSIDE: there is none. */
static uint32_t find_top(const struct accuracy *a, const char *name)
{
	const struct model *model = &a->session->model;
	uint32_t best = REGION_OUTSIDE;
	uint64_t longest = 0;

	for (uint32_t id = 1; id < a->sums.rows.len; id++) {
		const struct region_row *row = &a->sums.rows.data[id];

		if (row->apart || row->durations.sum_ns <= longest ||
		    (name ? strcmp(model_string(model, row->name), name) != 0
			  : row->depth > 1))
			continue;
		longest = row->durations.sum_ns;
		best = id;
	}
	return best;
}

/* Time with a CPU, if that was sampled. */
static uint32_t find_metric(const struct model *model)
{
	for (uint32_t m = 0; m < model->metrics.len - model->splits; m++)
		if (model->metrics.data[m].clock && !model->metrics.data[m].state)
			return m;
	return 0;
}

/* What the arguments choose, or a sentence in ERR. */
static int choose(struct accuracy *a, int argc, char **argv, struct strbuf *err)
{
	size_t level = 1;

	if (argc > 1 && (!command_number(argv[1], &level) || !level)) {
		strbuf_addf(err, "accuracy takes a number of levels from 1, not '%s'",
			    argv[1]);
		return CMD_USAGE;
	}
	a->top = find_top(a, argc ? argv[0] : NULL);
	if (a->top == REGION_OUTSIDE) {
		strbuf_addf(err, "no region %s%shas ended", argc ? "of the name " : "",
			    argc ? argv[0] : "");
		if (argc)
			strbuf_addstr(err, "; regions shows all");
		return CMD_FAILED;
	}
	a->metric = find_metric(&a->session->model);
	a->depth = a->sums.rows.data[a->top].depth + (uint32_t)level;
	if (value_of(a, a->top).samples && time_of(a, a->top))
		return 0;
	strbuf_addf(err, "region '%s' has no samples",
		    model_string(&a->session->model, a->sums.rows.data[a->top].name));
	return CMD_FAILED;
}

static int run_accuracy(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct accuracy a = { .session = s, .table = { .key = "accuracy" } };
	struct frame_map frames;
	int status;

	if (!model_has_regions(&s->model)) {
		strbuf_addstr(err, REGIONS_MISSING);
		return CMD_FAILED;
	}
	session_frames(s, &frames);
	region_sums_read(&a.sums, &s->model, &frames);
	frame_map_release(&frames);
	status = choose(&a, argc, argv, err);
	if (!status) {
		table_set_title(&a.table,
				xstrdup("Shares of time by the clock, and by samples"));
		fill(&a);
		status = command_show(s, &a.table, err);
	}
	region_sums_release(&a.sums);
	return status;
}

const struct cmd cmd_accuracy = {
	.name = "accuracy",
	.args = "[NAME] [N]",
	.help = "how well samples measure the regions in one",
	.run = run_accuracy,
	.names = true,
};
