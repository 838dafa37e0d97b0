/* SPDX-License-Identifier: Apache-2.0 */
#include "page/tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/aggregate.h"
#include "model/open_regions.h"
#include "model/sample_walk.h"
#include "model/totals.h"
#include "model/unsampled.h"

/* What a slot has of one tag. */
struct tag_cell {
	uint32_t thread, tick, tag;
	struct value value;
};

struct cells {
	VEC(struct tag_cell) rows;
	struct idmap ids; /* thread and tick, tag → row */
};

struct reader {
	const struct page_times *times;
	struct page_regions *regions;
	struct session *session;
	struct cells *cells; /* [metric × PAGE_TAGS + tag] */
	size_t metrics;
	/* of one source */
	size_t source;
	uint32_t *threads;
	bool *unsampled;
	uint32_t *rows; /* of regions, by path */
	struct open_regions open;
};

/* ---- the tags of a sample ---- */

typedef uint32_t tag_fn(const struct reader *r, const struct exp_samples *s, size_t i);

static uint32_t cpu_of(const struct reader *r, const struct exp_samples *s, size_t i)
{
	(void)r;
	return s->cpu[i] < TOTALS_CPUS_MAX - 1 ? (uint32_t)s->cpu[i] + 1 : 0;
}

/* As region_sums_read has it. */
static uint32_t region_of(const struct reader *r, const struct exp_samples *s, size_t i)
{
	const struct source *source = &r->session->model.sources.data[r->source];

	if (!aggregate_value(source, r->unsampled, s, i).samples)
		return REGION_OUTSIDE;
	return r->rows[open_regions_path(
		&r->open, source->exp->threads.data[s->thread[i]].number, s->time_ns[i])];
}

static tag_fn *const tag_of[PAGE_TAGS] = {
	[PAGE_TAG_CPU] = cpu_of,
	[PAGE_TAG_REGION] = region_of,
};

/* Whether there is anything to tell apart. */
static bool has_tag(const struct reader *r, enum page_tag tag)
{
	return tag != PAGE_TAG_REGION || r->regions->sums.rows.len;
}

/* ---- cells ---- */

static struct tag_cell *cell_of(struct cells *cells, uint32_t thread, uint32_t tick,
				uint32_t tag)
{
	uint32_t next = (uint32_t)cells->rows.len;
	uint32_t id = idmap_intern(&cells->ids, (uint64_t)thread << 32 | tick, tag, next);

	if (id == next)
		*vec_push(&cells->rows) =
			(struct tag_cell){ .thread = thread, .tick = tick, .tag = tag };
	return &cells->rows.data[id];
}

/* SUMS: what the sample has, by metric. */
static void add_sample(struct reader *r, const struct exp_samples *s, size_t i,
		       const struct value *sums)
{
	const struct experiment *exp = r->session->model.sources.data[r->source].exp;
	uint32_t thread = r->threads[exp->threads.data[s->thread[i]].last];
	uint32_t tick = (uint32_t)(s->time_ns[i] / r->times->tick_ns);

	for (int t = 0; t < PAGE_TAGS && thread; t++) {
		uint32_t tag;

		if (!has_tag(r, t))
			continue;
		tag = tag_of[t](r, s, i);
		for (size_t m = 0; m < r->metrics; m++)
			if (value_is_any(sums[m]))
				value_add(&cell_of(&r->cells[m * PAGE_TAGS + (size_t)t],
						   thread - 1, tick, tag)
						   ->value,
					  sums[m]);
	}
}

static void read_samples(struct reader *r, const struct frame_map *frames)
{
	const struct model *model = &r->session->model;
	const struct source *source = &model->sources.data[r->source];
	struct value *sums = xcalloc(r->metrics + 1, sizeof(*sums));
	struct sample_walk walk;

	sample_walk_init(&walk, model, r->source, frames);
	while (sample_walk_next(&walk)) {
		memset(sums, 0, r->metrics * sizeof(*sums));
		aggregate_sample(sums, source, r->unsampled, &walk.block, walk.at);
		add_sample(r, &walk.block, walk.at, sums);
	}
	sample_walk_release(&walk);
	free(sums);
}

static void read_source(struct reader *r, size_t index, const struct frame_map *frames)
{
	struct experiment *exp = r->session->model.sources.data[index].exp;

	r->source = index;
	r->threads = page_thread_numbers(r->times, (uint32_t)index);
	r->unsampled = unsampled_nodes(exp);
	r->rows = NULL;
	if (has_tag(r, PAGE_TAG_REGION))
		r->rows = region_rows_of_paths(&r->regions->sums, &r->session->model,
					       exp);
	open_regions_init(&r->open, exp);
	read_samples(r, frames);
	open_regions_release(&r->open);
	free(r->rows);
	free(r->unsampled);
	free(r->threads);
}

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_slot(const void *va, const void *vb)
{
	const struct tag_cell *a = va, *b = vb;

	if (a->thread != b->thread)
		return compare(a->thread, b->thread);
	if (a->tick != b->tick)
		return compare(a->tick, b->tick);
	return compare(a->tag, b->tag);
}

/* ---- the columns ---- */

struct writer {
	const struct page_slots *slots;
	struct strbuf *out;
	const struct tag_cell *at, *end; /* those not written yet */
	int64_t *short_of;               /* by tag: what its units are short of so far */
	uint32_t last;                   /* the first tag of the slot before */
	size_t further;                  /* tags besides the first of their slots */
};

static bool is_heavier(const struct tag_cell *a, const struct tag_cell *b)
{
	return a->value.samples != b->value.samples ? a->value.samples > b->value.samples
						    : a->value.weight > b->value.weight;
}

static void put_further(struct writer *w, const struct tag_cell *cell)
{
	uint64_t units = page_units(w->slots, cell->value.weight,
				    &w->short_of[cell->tag]);

	strbuf_add_varint(w->out, cell->tag);
	strbuf_add_varint(w->out, cell->value.samples);
	strbuf_add_varint(w->out,
			  page_zigzag(units - cell->value.samples * w->slots->units));
	w->further++;
}

/* A slot has all that no further tag has; of one without a cell no one asks. */
static void put_slot(struct writer *w, uint32_t thread, uint32_t tick)
{
	const struct tag_cell *first = w->at, *most = w->at;
	uint32_t tag = w->last;

	while (w->at < w->end && w->at->thread == thread && w->at->tick == tick) {
		most = is_heavier(w->at, most) ? w->at : most;
		w->at++;
	}
	if (w->at > first)
		tag = most->tag;
	strbuf_add_varint(w->out, page_zigzag((uint64_t)tag - w->last) << 1 |
					  (w->at - first > 1));
	w->last = tag;
	if (w->at - first < 2)
		return;
	strbuf_add_varint(w->out, (uint64_t)(w->at - first - 2));
	for (const struct tag_cell *cell = first; cell < w->at; cell++)
		if (cell != most)
			put_further(w, cell);
}

static void put_thread(struct writer *w, const struct page_times *times, uint32_t thread,
		       size_t metric)
{
	uint64_t last = UINT64_MAX;

	vec_for_each(
		const struct moment, m,
		&page_timeline(times, &times->threads.data[thread], metric)->moments) {
		uint64_t tick = m->time_ns / times->tick_ns;

		if (tick != last)
			put_slot(w, thread, (uint32_t)tick);
		last = tick;
	}
}

/* Returns how many tags slots have besides their first. */
static size_t write_column(struct strbuf *out, struct cells *cells,
			   const struct page_times *times, const struct page_slots *slots,
			   size_t metric)
{
	struct writer w = { .slots = slots, .out = out };
	uint32_t highest = 0;

	idmap_release(&cells->ids);
	vec_for_each(const struct tag_cell, cell, &cells->rows)
		highest = cell->tag > highest ? cell->tag : highest;
	if (cells->rows.len)
		qsort(cells->rows.data, cells->rows.len, sizeof(*cells->rows.data),
		      by_slot);
	w.at = cells->rows.data;
	w.end = cells->rows.len ? cells->rows.data + cells->rows.len : w.at;
	w.short_of = xcalloc((size_t)highest + 1, sizeof(*w.short_of));
	for (uint32_t t = 0; t < times->threads.len; t++)
		put_thread(&w, times, t, metric);
	free(w.short_of);
	return w.further;
}

/* That of TAG of all metrics. */
static void write_columns(struct page_tags *out, struct reader *r, enum page_tag tag,
			  const struct page_slots *slots, size_t most)
{
	size_t further = 0;

	for (size_t m = 0; m < r->metrics; m++)
		further += write_column(&out->columns[m * PAGE_TAGS + tag],
					&r->cells[m * PAGE_TAGS + tag], r->times,
					&slots[m], m);
	for (size_t m = 0; m < r->metrics && further > most; m++)
		strbuf_clear(&out->columns[m * PAGE_TAGS + tag]);
}

void page_tags_read(struct page_tags *out, struct session *s,
		    const struct page_times *times, struct page_regions *regions,
		    const struct page_slots *slots, size_t most)
{
	struct reader r = { .times = times, .regions = regions, .session = s };
	struct frame_map frames;

	r.metrics = s->model.metrics.len;
	*out = (struct page_tags){ .count = r.metrics * PAGE_TAGS };
	out->columns = xcalloc(out->count + 1, sizeof(*out->columns));
	r.cells = xcalloc(out->count + 1, sizeof(*r.cells));
	session_frames(s, &frames);
	for (size_t i = 0; i < s->model.sources.len; i++)
		read_source(&r, i, &frames);
	frame_map_release(&frames);
	for (int t = 0; t < PAGE_TAGS; t++)
		if (has_tag(&r, t))
			write_columns(out, &r, t, slots, most);
	for (size_t i = 0; i < out->count; i++) {
		idmap_release(&r.cells[i].ids);
		vec_release(&r.cells[i].rows);
	}
	free(r.cells);
}

void page_tags_release(struct page_tags *tags)
{
	for (size_t i = 0; i < tags->count; i++)
		strbuf_release(&tags->columns[i]);
	free(tags->columns);
}
