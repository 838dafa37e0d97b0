/* SPDX-License-Identifier: Apache-2.0 */
/* The samples, and what they have in common. */
#include "base/idmap.h"
#include "export/rows.h"
#include "model/data_source.h"

struct contexts {
	struct idmap places; /* event, CPU and thread → number */
	struct idmap ids;    /* branch and number → id, less the first */
	int64_t first;
};

static int64_t context_of(struct row_export *e, struct contexts *c,
			  const struct exp_samples *block, size_t i)
{
	uint32_t cpu = (uint32_t)block->cpu[i];
	uint32_t branch = rows_branch(e, block, i);
	uint32_t place = idmap_intern(&c->places,
				      block->event[i] << 32 | block->thread[i], cpu,
				      (uint32_t)c->places.len);
	uint32_t next = (uint32_t)c->ids.len;
	uint32_t id = idmap_intern(&c->ids, branch, place, next);

	if (id == next)
		row_add(e->sink, ROWS_CONTEXTS, row_signed(c->first + id),
			row_signed(e->first_event + (int64_t)block->event[i]),
			row_signed(e->first_thread + (int64_t)block->thread[i]),
			row_number_if(cpu != UINT32_MAX, cpu),
			branch != ROWS_NO_BRANCH ? row_signed(e->regions.first + branch)
						 : row_null());
	return c->first + id;
}

static void put_data(struct row_export *e, int64_t sample,
		     const struct exp_samples *block, size_t i)
{
	struct strbuf words = { 0 };

	if (!block->address[i] && !block->latency[i] && !block->data_source[i])
		return;
	data_source_words(block->data_source[i], &words);
	row_add(e->sink, ROWS_SAMPLE_DATA, row_signed(sample),
		block->address[i] ? row_signed((int64_t)block->address[i]) : row_null(),
		row_number_if(block->latency[i], block->latency[i]),
		row_text_if(strbuf_str(&words)));
	strbuf_release(&words);
}

enum { COLUMNS = 5 };

static void put_block(struct row_export *e, struct contexts *c,
		      const struct exp_samples *block)
{
	struct row_cell cells[ROWS_AT_ONCE * COLUMNS];
	int rows = 0;

	for (size_t i = 0; i < block->count && !row_failed(e->sink); i++) {
		int64_t id = e->first_sample + (int64_t)(block->first + i);
		struct row_cell *row = &cells[rows++ * COLUMNS];

		row[0] = row_signed(id);
		row[1] = row_signed(context_of(e, c, block, i));
		row[2] = row_number(block->time_ns[i]);
		row[3] = row_number(block->weight[i]);
		row[4] = row_signed(e->leaf[block->node[i]]);
		if (rows == ROWS_AT_ONCE || i + 1 == block->count) {
			row_put_rows(e->sink, ROWS_SAMPLES, cells, COLUMNS, rows);
			rows = 0;
		}
		put_data(e, id, block, i);
	}
}

/* A block at a time: memory does not grow with them. */
void rows_put_samples(struct row_export *e)
{
	struct contexts contexts = { .first = row_next(e->sink, ROWS_CONTEXTS) };
	struct exp_walk walk = { 0 };
	struct exp_samples block;
	int more;

	while (!row_failed(e->sink) && (more = experiment_next(e->exp, &walk, &block)))
		if (more > 0)
			put_block(e, &contexts, &block);
	exp_walk_release(&walk);
	idmap_release(&contexts.places);
	idmap_release(&contexts.ids);
}
