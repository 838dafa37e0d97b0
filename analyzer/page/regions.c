/* SPDX-License-Identifier: Apache-2.0 */
#include "page/regions.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { UNIT_NS = 1000 };

struct instance {
	uint64_t begin, end;  /* in units */
	uint32_t thread, row; /* of the page; of the sums */
	uint32_t depth;
};

struct instances {
	VEC(struct instance) rows;
};

/* Of regions that nest: the others are of no thread alone. */
static void add_instances(struct instances *to, struct page_regions *regions,
			  const struct page_times *times, struct model *model,
			  uint32_t source)
{
	const struct experiment *exp = model->sources.data[source].exp;
	uint32_t *rows = region_rows_of_paths(&regions->sums, model, exp);
	uint32_t *threads = page_thread_numbers(times, source);

	vec_for_each(const struct exp_region, region, &exp->regions) {
		uint32_t thread = threads[exp->threads.data[region->thread].last];
		const struct region_row *row =
			&regions->sums.rows.data[rows[region->path]];

		if (thread && !row->apart)
			*vec_push(&to->rows) = (struct instance){
				region->begin_ns / UNIT_NS, region->end_ns / UNIT_NS,
				thread - 1, rows[region->path], row->depth
			};
	}
	free(rows);
	free(threads);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* An instance comes before those in it. */
static int by_time(const void *va, const void *vb)
{
	const struct instance *a = va, *b = vb;

	if (a->thread != b->thread)
		return compare(a->thread, b->thread);
	if (a->begin != b->begin)
		return compare(a->begin, b->begin);
	if (a->depth != b->depth)
		return compare(a->depth, b->depth);
	return compare(a->end, b->end);
}

/* The longest first. */
static int by_length(const void *va, const void *vb)
{
	const struct instance *a = va, *b = vb;
	int order = compare(b->end - b->begin, a->end - a->begin);

	return order ? order : by_time(va, vb);
}

static void keep_longest(struct page_regions *out, struct instances *in, size_t most)
{
	if (in->rows.len <= most)
		return;
	qsort(in->rows.data, in->rows.len, sizeof(*in->rows.data), by_length);
	out->left_out = in->rows.len - most;
	in->rows.len = most;
}

static void write_columns(struct page_regions *out, const struct instances *in,
			  size_t threads)
{
	size_t at = 0;

	for (size_t t = 0; t < threads; t++) {
		size_t first = at;
		uint64_t before = 0;

		for (; at < in->rows.len && in->rows.data[at].thread == t; at++) {
			const struct instance *i = &in->rows.data[at];

			strbuf_add_varint(&out->row, i->row);
			strbuf_add_varint(&out->begin, i->begin - before);
			strbuf_add_varint(&out->length, i->end - i->begin);
			before = i->begin;
		}
		strbuf_add_varint(&out->counts, at - first);
	}
}

void page_regions_read(struct page_regions *out, struct session *s,
		       const struct page_times *times, size_t most)
{
	struct instances in = { 0 };
	struct frame_map frames;

	*out = (struct page_regions){ 0 };
	if (s->set.compare == COMPARE_OFF && model_has_regions(&s->model)) {
		session_frames(s, &frames);
		region_sums_read(&out->sums, &s->model, &frames);
		frame_map_release(&frames);
		for (uint32_t i = 0; i < s->model.sources.len; i++)
			add_instances(&in, out, times, &s->model, i);
		keep_longest(out, &in, most);
		if (in.rows.len)
			qsort(in.rows.data, in.rows.len, sizeof(*in.rows.data), by_time);
	}
	write_columns(out, &in, times->threads.len);
	vec_release(&in.rows);
}

void page_regions_release(struct page_regions *regions)
{
	region_sums_release(&regions->sums);
	strbuf_release(&regions->counts);
	strbuf_release(&regions->row);
	strbuf_release(&regions->begin);
	strbuf_release(&regions->length);
}
