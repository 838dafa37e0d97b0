/* SPDX-License-Identifier: Apache-2.0 */
#include "model/regions.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "experiment/region_fault.h"
#include "model/aggregate.h"
#include "model/unsampled.h"
#include "model/open_regions.h"
#include "model/sample_walk.h"

bool model_has_regions(const struct model *model)
{
	vec_for_each(const struct source, source, &model->sources)
		if (source->exp->region_paths.len > 1)
			return true;
	return false;
}

/* ---- rows ---- */

/* Of a name in its domain; regions apart have others. */
static uint32_t label_of(struct region_sums *sums, uint32_t name, uint32_t domain,
			 bool apart)
{
	const uint64_t key = (uint64_t)domain << 1 | apart;

	return idmap_intern(&sums->labels, key, name, (uint32_t)sums->labels.len);
}

static uint32_t row_of(struct region_sums *sums, uint32_t parent,
		       const struct region_row *row)
{
	const uint32_t next = (uint32_t)sums->rows.len;
	const uint32_t label = label_of(sums, row->name, row->domain, row->apart);
	const uint32_t id = idmap_intern(&sums->ids, parent, label, next);

	if (id != next)
		return id;
	*vec_push(&sums->rows) = *row;
	sums->rows.data[id].parent = parent;
	sums->rows.data[id].depth = sums->rows.data[parent].depth + 1;
	return id;
}

uint32_t *region_rows_of_paths(struct region_sums *sums, struct model *model,
			       const struct experiment *exp)
{
	uint32_t *rows = xcalloc(exp->region_paths.len + 1, sizeof(*rows));

	for (size_t p = 1; p < exp->region_paths.len; p++) {
		const struct exp_region_path *path = &exp->region_paths.data[p];
		const struct region_row row = {
			.name = strtab_intern(&model->strings,
					      experiment_string(exp, path->name)),
			.domain = strtab_intern(&model->strings,
						experiment_string(exp, path->domain)),
			.apart = path->apart,
		};

		rows[p] = row_of(sums, rows[path->parent], &row);
	}
	return rows;
}

bool region_is_recorded(const struct experiment *exp, const struct exp_region *region,
			uint64_t *ns)
{
	*ns = region->end_ns - region->begin_ns;
	if (!exp->paused || !*ns)
		return true;
	*ns = spans_length(&exp->spans, region->begin_ns, region->end_ns);
	return *ns;
}

static void add_instances(struct region_sums *sums, const struct experiment *exp,
			  const uint32_t *rows)
{
	vec_for_each(const struct exp_region, region, &exp->regions) {
		struct region_row *row = &sums->rows.data[rows[region->path]];
		uint64_t ns;

		if (!region_is_recorded(exp, region, &ns))
			continue;
		if (region->flags & EXP_REGION_UNENDED) {
			row->unended++;
			continue;
		}
		if (!row->durations.count || ns < row->shortest_ns)
			row->shortest_ns = ns;
		durations_add(&row->durations, ns);
	}
}

/* ---- samples ---- */

struct reader {
	struct region_sums *out;
	const struct model *model;
	size_t source;
	const struct frame_map *frames;
	uint32_t *rows; /* by path */
	struct open_regions open;
};

/* Counts that no sample represents have no time of their own. */
static void add_samples(const struct reader *r)
{
	const struct source *source = &r->model->sources.data[r->source];
	const struct experiment *exp = source->exp;
	bool *unsampled = unsampled_nodes(exp);
	struct sample_walk walk;

	sample_walk_init(&walk, r->model, r->source, r->frames);
	while (sample_walk_next(&walk)) {
		const struct exp_samples *s = &walk.block;
		const size_t i = walk.at;
		struct value v = aggregate_value(source, unsampled, s, i);
		uint32_t row = REGION_OUTSIDE;

		if (v.samples)
			row = r->rows[open_regions_path(
				&r->open, exp->threads.data[s->thread[i]].number,
				s->time_ns[i])];
		aggregate_sample(&r->out->own[row * r->out->metrics], source, unsampled,
				 s, i);
	}
	sample_walk_release(&walk);
	free(unsampled);
}

/* A row's own, and those of the rows in it, which come after it. */
static void add_up(struct region_sums *sums)
{
	const size_t metrics = sums->metrics;

	for (size_t i = 0; i < sums->rows.len * metrics; i++)
		sums->whole[i] = sums->own[i];
	for (size_t r = sums->rows.len; r-- > 1;) {
		const size_t parent = sums->rows.data[r].parent;

		for (size_t m = 0; m < metrics && parent != REGION_OUTSIDE; m++)
			value_add(&sums->whole[parent * metrics + m],
				  sums->whole[r * metrics + m]);
	}
}

void region_sums_read(struct region_sums *out, struct model *model,
		      const struct frame_map *frames)
{
	const size_t sources = model->sources.len;
	struct reader *readers = xcalloc(sources + 1, sizeof(*readers));

	*out = (struct region_sums){ .metrics = model->metrics.len };
	*vec_push(&out->rows) = (struct region_row){
		.name = strtab_intern(&model->strings, "<Outside>"),
	};
	for (size_t i = 0; i < sources; i++) {
		const struct experiment *exp = model->sources.data[i].exp;
		struct reader *r = &readers[i];

		*r = (struct reader){
			.out = out, .model = model, .source = i, .frames = frames
		};
		r->rows = region_rows_of_paths(out, model, exp);
		add_instances(out, exp, r->rows);
		open_regions_init(&r->open, exp);
		for (int f = 0; f < EXP_REGION_FAULTS_COUNT; f++)
			weight_add(&out->faults[f], exp->region_faults[f]);
	}
	out->own = xcalloc(out->rows.len * out->metrics + 1, sizeof(*out->own));
	out->whole = xcalloc(out->rows.len * out->metrics + 1, sizeof(*out->whole));
	for (size_t i = 0; i < sources; i++) {
		add_samples(&readers[i]);
		open_regions_release(&readers[i].open);
		free(readers[i].rows);
	}
	free(readers);
	add_up(out);
}

/* ---- by name, by domain ---- */

/* By row of SUMS, its row in OUT.  The caller frees it. */
static uint32_t *group_rows(const struct region_sums *sums, struct model *model,
			    bool by_domain, struct region_sums *out)
{
	uint32_t *to = xcalloc(sums->rows.len, sizeof(*to));

	*vec_push(&out->rows) = sums->rows.data[REGION_OUTSIDE];
	for (size_t r = 1; r < sums->rows.len; r++) {
		const struct region_row *row = &sums->rows.data[r];
		struct region_row group = { .name = row->name, .apart = row->apart };
		struct region_row *into;

		if (by_domain)
			group.name = row->domain ? row->domain
						 : strtab_intern(&model->strings,
								 "<Of no domain>");
		to[r] = row_of(out, REGION_OUTSIDE, &group);
		into = &out->rows.data[to[r]];
		if (row->durations.count &&
		    (!into->durations.count || row->shortest_ns < into->shortest_ns))
			into->shortest_ns = row->shortest_ns;
		into->unended += row->unended;
		durations_merge(&into->durations, &row->durations);
	}
	return to;
}

/* A branch's own sums belong to each group of those around it, once. */
static void add_to_groups(const struct region_sums *sums, const uint32_t *to,
			  struct region_sums *out)
{
	const size_t metrics = sums->metrics;
	size_t *last = xcalloc(out->rows.len, sizeof(*last)); /* row + 1 */

	for (size_t r = 0; r < sums->rows.len; r++) {
		const struct value *own = &sums->own[r * metrics];

		for (size_t m = 0; m < metrics; m++)
			value_add(&out->own[to[r] * metrics + m], own[m]);
		for (size_t around = r;; around = sums->rows.data[around].parent) {
			struct value *whole = &out->whole[to[around] * metrics];

			for (size_t m = 0; m < metrics && last[to[around]] != r + 1; m++)
				value_add(&whole[m], own[m]);
			last[to[around]] = r + 1;
			if (around == REGION_OUTSIDE ||
			    sums->rows.data[around].parent == REGION_OUTSIDE)
				break;
		}
	}
	free(last);
}

void region_sums_group(struct region_sums *sums, struct model *model, bool by_domain)
{
	struct region_sums out = { .metrics = sums->metrics };
	uint32_t *to = group_rows(sums, model, by_domain, &out);

	out.own = xcalloc(out.rows.len * out.metrics + 1, sizeof(*out.own));
	out.whole = xcalloc(out.rows.len * out.metrics + 1, sizeof(*out.whole));
	for (int f = 0; f < EXP_REGION_FAULTS_COUNT; f++)
		out.faults[f] = sums->faults[f];
	add_to_groups(sums, to, &out);
	free(to);
	region_sums_release(sums);
	*sums = out;
}

void region_sums_release(struct region_sums *sums)
{
	vec_for_each(struct region_row, row, &sums->rows)
		durations_release(&row->durations);
	vec_release(&sums->rows);
	idmap_release(&sums->ids);
	idmap_release(&sums->labels);
	free(sums->own);
	free(sums->whole);
}

void region_put_branch(const struct region_sums *sums, const struct model *model,
		       uint32_t row, struct strbuf *out)
{
	VEC(uint32_t) path = { 0 };

	do {
		*vec_push(&path) = row;
		row = sums->rows.data[row].parent;
	} while (row != REGION_OUTSIDE);
	for (size_t i = path.len; i--;) {
		strbuf_addf(out, "%s%s", i + 1 < path.len ? " " : "",
			    model_string(model, sums->rows.data[path.data[i]].name));
	}
	vec_release(&path);
}

void region_sums_put_faults(const struct region_sums *sums, struct strbuf *out)
{
	exp_region_faults_put(sums->faults, out);
}
