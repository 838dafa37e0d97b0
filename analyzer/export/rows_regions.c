/* SPDX-License-Identifier: Apache-2.0 */
/* What the program said: branches of regions, their instances, and marks. */
#include <stdlib.h>

#include "export/rows.h"
#include "model/marks.h"
#include "model/unsampled.h"

void rows_regions_init(struct row_regions *out, struct session *session)
{
	struct model *model = &session->model;
	struct experiment *exp = model->sources.data[0].exp;
	struct frame_map frames;

	*out = (struct row_regions){ .any = model_has_regions(model) };
	if (!out->any)
		return;
	session_frames(session, &frames);
	region_sums_read(&out->sums, model, &frames);
	frame_map_release(&frames);
	out->of_path = region_rows_of_paths(&out->sums, model, exp);
	open_regions_init(&out->open, exp);
	out->unsampled = unsampled_nodes(exp);
}

void rows_regions_release(struct row_regions *regions)
{
	if (!regions->any)
		return;
	region_sums_release(&regions->sums);
	open_regions_release(&regions->open);
	free(regions->of_path);
	free(regions->unsampled);
}

/* ---- rows ---- */

static struct row_cell branch_id(const struct row_export *e, uint32_t row)
{
	return row_signed(e->regions.first + row);
}

static void put_branch(struct row_export *e, uint32_t row)
{
	const struct model *model = rows_model(e);
	const struct region_row *r = &e->regions.sums.rows.data[row];
	struct strbuf branch = { 0 };

	region_put_branch(&e->regions.sums, model, row, &branch);
	row_add(e->sink, ROWS_BRANCHES, branch_id(e, row), row_signed(e->id),
		r->parent != REGION_OUTSIDE ? branch_id(e, r->parent) : row_null(),
		row_text(strbuf_str(&branch)), row_text(model_string(model, r->name)),
		row_text_if(model_string(model, r->domain)), row_number(r->depth),
		row_number(r->apart));
	strbuf_release(&branch);
}

static void put_instances(struct row_export *e)
{
	vec_for_each(const struct exp_region, region, &e->exp->regions) {
		bool unended = region->flags & EXP_REGION_UNENDED;
		uint64_t ns;

		if (row_failed(e->sink))
			return;
		if (region_is_recorded(e->exp, region, &ns))
			row_add(e->sink, ROWS_REGIONS, row_null(), row_signed(e->id),
				branch_id(e, e->regions.of_path[region->path]),
				row_signed(e->first_thread + region->thread),
				row_number(region->begin_ns),
				row_number_if(!unended, region->end_ns),
				row_number_if(!unended, ns));
	}
}

static void put_marks(struct row_export *e)
{
	struct strbuf value = { 0 };

	vec_for_each(const struct exp_mark, mark, &e->exp->marks) {
		if (row_failed(e->sink))
			break;
		strbuf_clear(&value);
		mark_put_value(e->exp, mark, &value);
		row_add(e->sink, ROWS_MARKS, row_null(), row_signed(e->id),
			row_signed(e->first_thread + mark->thread),
			row_number(mark->time_ns), row_text(mark_kind(mark)),
			row_text_if(experiment_string(e->exp, mark->domain)),
			row_text(experiment_string(e->exp, mark->name)),
			mark->type != EXP_VALUE_NONE ? row_text(strbuf_str(&value))
						     : row_null());
	}
	strbuf_release(&value);
}

void rows_put_regions(struct row_export *e)
{
	e->regions.first = row_next(e->sink, ROWS_BRANCHES);
	put_marks(e);
	if (!e->regions.any)
		return;
	for (uint32_t r = 0; r < e->regions.sums.rows.len; r++)
		put_branch(e, r);
	put_instances(e);
}

void rows_put_region_totals(struct row_export *e)
{
	const struct region_sums *sums = &e->regions.sums;

	for (size_t m = 0; e->regions.any && m < sums->metrics; m++)
		for (uint32_t r = 0; r < sums->rows.len; r++) {
			const struct value own = sums->own[r * sums->metrics + m];
			const struct value whole = sums->whole[r * sums->metrics + m];

			if (value_is_any(own) || value_is_any(whole))
				row_add(e->sink, ROWS_BRANCH_TOTALS,
					row_signed(e->first_metric + (int64_t)m),
					branch_id(e, r), row_number(own.weight),
					row_number(own.samples), row_number(whole.weight),
					row_number(whole.samples));
		}
}

uint32_t rows_branch(const struct row_export *e, const struct exp_samples *s, size_t i)
{
	const struct row_regions *r = &e->regions;

	if (!r->any)
		return ROWS_NO_BRANCH;
	if (!is_sample(e->exp, r->unsampled, s, i))
		return REGION_OUTSIDE;
	return r->of_path[open_regions_path(
		&r->open, e->exp->threads.data[s->thread[i]].number, s->time_ns[i])];
}
