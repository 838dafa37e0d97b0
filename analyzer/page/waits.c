/* SPDX-License-Identifier: Apache-2.0 */
#include "page/waits.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/xalloc.h"

/* One wait, or several of one thread in one row and one tick. */
struct entry {
	uint32_t thread, tick, row; /* while they are read, ROW is the place */
	enum exp_state state;
	uint64_t count, sum_ns, longest_ns;
};

struct entries {
	VEC(struct entry) rows;
	const struct page_times *times;
	uint32_t **threads; /* by source, see page_thread_numbers */
};

/* ---- each wait ---- */

/* A wait_taker. */
static void take(void *ctx, const struct wait *wait)
{
	struct entries *to = ctx;
	uint32_t thread = to->threads[wait->source][wait->thread];

	if (thread)
		*vec_push(&to->rows) = (struct entry){
			.thread = thread - 1,
			.tick = (uint32_t)(wait->end_ns / to->times->tick_ns),
			.row = wait->place,
			.state = wait->state,
			.count = 1,
			.sum_ns = wait->ns,
			.longest_ns = wait->ns,
		};
}

static void read_all(struct page_waits *out, struct entries *to, struct session *s)
{
	size_t sources = s->model.sources.len;
	struct frame_map frames;

	to->threads = xcalloc(sources + 1, sizeof(*to->threads));
	for (uint32_t i = 0; i < sources; i++)
		to->threads[i] = page_thread_numbers(to->times, i);
	session_frames(s, &frames);
	wait_sums_read_each(&out->sums, &s->model, &frames, WAIT_STATES, false, take, to);
	frame_map_release(&frames);
	wait_sums_sort(&out->sums);
	for (size_t i = 0; i < sources; i++)
		free(to->threads[i]);
	free(to->threads);
}

/* From places to rows; entries of rows that are not in the page go. */
static void number_rows(const struct page_waits *waits, struct entries *in)
{
	struct idmap ids = { 0 };
	size_t kept = 0;

	for (uint32_t i = 0; i < waits->rows; i++)
		idmap_set(&ids, waits->sums.rows.data[i].place,
			  waits->sums.rows.data[i].state, i);
	vec_for_each(struct entry, entry, &in->rows) {
		entry->row = idmap_get(&ids, entry->row, entry->state);
		if (entry->row != IDMAP_NONE)
			in->rows.data[kept++] = *entry;
	}
	in->rows.len = kept;
	idmap_release(&ids);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_thread(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;
	int order = compare(a->thread, b->thread);

	if (!order)
		order = compare(a->tick, b->tick);
	if (!order)
		order = compare(a->row, b->row);
	return order ? order : compare(a->sum_ns, b->sum_ns);
}

static void merge(struct entries *in)
{
	struct entry *last = NULL;
	size_t kept = 0;

	vec_for_each(struct entry, entry, &in->rows) {
		if (!last || last->thread != entry->thread || last->tick != entry->tick ||
		    last->row != entry->row) {
			last = &in->rows.data[kept++];
			*last = *entry;
			continue;
		}
		last->count++;
		weight_add(&last->sum_ns, entry->sum_ns);
		if (entry->longest_ns > last->longest_ns)
			last->longest_ns = entry->longest_ns;
	}
	in->rows.len = kept;
}

/* ---- the columns ---- */

static void put(struct page_waits *out, enum page_wait_column column, uint64_t value)
{
	strbuf_add_varint(&out->columns[column], value);
}

static void write_columns(struct page_waits *out, const struct entries *in)
{
	size_t at = 0;

	for (uint32_t t = 0; t < in->times->threads.len; t++) {
		size_t first = at;
		uint32_t tick = 0;

		for (; at < in->rows.len && in->rows.data[at].thread == t; at++) {
			const struct entry *entry = &in->rows.data[at];

			put(out, PAGE_WAIT_TICK, entry->tick - tick);
			put(out, PAGE_WAIT_ROW, entry->row);
			put(out, PAGE_WAIT_COUNT, entry->count - 1);
			put(out, PAGE_WAIT_SUM, entry->sum_ns);
			if (entry->count > 1)
				put(out, PAGE_WAIT_LONGEST, entry->longest_ns);
			tick = entry->tick;
		}
		put(out, PAGE_WAITS_OF_THREAD, at - first);
	}
}

void page_waits_read(struct page_waits *out, struct session *s,
		     const struct page_times *times, size_t rows, size_t entries)
{
	struct entries in = { .times = times };
	struct strbuf why = { 0 };

	*out = (struct page_waits){ .known = model_has_lives(&s->model, &why) };
	strbuf_release(&why);
	if (!out->known)
		return;
	read_all(out, &in, s);
	out->rows = out->sums.rows.len < rows ? out->sums.rows.len : rows;
	number_rows(out, &in);
	if (in.rows.len)
		qsort(in.rows.data, in.rows.len, sizeof(*in.rows.data), by_thread);
	if (in.rows.len > entries)
		merge(&in);
	if (in.rows.len <= entries)
		write_columns(out, &in);
	vec_release(&in.rows);
}

void page_waits_release(struct page_waits *waits)
{
	if (waits->known)
		wait_sums_release(&waits->sums);
	for (int c = 0; c < PAGE_WAIT_COLUMNS; c++)
		strbuf_release(&waits->columns[c]);
}
