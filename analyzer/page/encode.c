/* SPDX-License-Identifier: Apache-2.0 */
#include "page/encode.h"

#include "model/foreign.h"
#include "page/code_json.h"
#include "page/meta.h"

static void put_column(struct stream *out, const struct strbuf *bytes)
{
	strbuf_add_varint(&out->text, bytes->len);
	strbuf_add(&out->text, bytes->data, bytes->len);
	stream_pass(out);
}

/* And empties it. */
static void put_section(struct stream *out, struct strbuf *bytes)
{
	put_column(out, bytes);
	strbuf_clear(bytes);
}

static size_t shared_length(const struct strbuf *a, const struct strbuf *b)
{
	size_t len = 0;

	while (len < a->len && len < b->len && a->data[len] == b->data[len])
		len++;
	return len;
}

/* Three columns: what a name shares with the one before, the length of the rest, the rest. */
static void put_names(const struct page_data *data, struct stream *out)
{
	struct strbuf shared = { 0 }, lengths = { 0 }, bytes = { 0 };
	struct strbuf name = { 0 }, before = { 0 };

	vec_for_each(const uint32_t, function, &data->stacks.functions) {
		struct strbuf swap = before;
		size_t same;

		foreign_put(&name,
			    foreign(page_function_name(data->session, data->stacks.strip,
						       *function)));
		same = shared_length(&name, &before);
		strbuf_add_varint(&shared, same);
		strbuf_add_varint(&lengths, name.len - same);
		strbuf_add(&bytes, name.data + same, name.len - same);
		before = name;
		name = swap;
		strbuf_clear(&name);
	}
	put_section(out, &shared);
	put_section(out, &lengths);
	put_section(out, &bytes);
	strbuf_release(&shared);
	strbuf_release(&lengths);
	strbuf_release(&bytes);
	strbuf_release(&name);
	strbuf_release(&before);
}

static void put_functions(const struct page_data *data, struct stream *out)
{
	const struct model *model = &data->session->model;
	struct strbuf objects = { 0 };

	vec_for_each(const uint32_t, function, &data->stacks.functions)
		strbuf_add_varint(&objects,
				  *function == MODEL_NONE
					  ? model->objects.len
					  : model->functions.data[*function].object);
	put_section(out, &objects);
	strbuf_release(&objects);
}

static void put_nodes(const struct page_data *data, struct stream *out)
{
	const struct page_node *nodes = data->stacks.nodes.data;
	struct strbuf up = { 0 }, functions = { 0 };

	for (size_t n = 1; n < data->stacks.nodes.len; n++) {
		uint64_t levels = 0;

		for (size_t at = n - 1; at != nodes[n].parent; at = nodes[at].parent)
			levels++;
		strbuf_add_varint(&up, levels);
		strbuf_add_varint(&functions,
				  (uint64_t)nodes[n].function << 1 | nodes[n].inlined);
	}
	put_section(out, &up);
	put_section(out, &functions);
	strbuf_release(&up);
	strbuf_release(&functions);
}

/* The exact weights of nodes: what entries, which may be rounded, lack. */
static void put_own(const struct page_data *data, uint32_t metric, struct stream *out)
{
	size_t count = data->stacks.nodes.len;
	const struct value *own = data->stacks.own + metric * count;
	const struct page_slots *slots = &data->slots[metric];
	struct strbuf weights = { 0 };

	for (size_t n = 0; n < count; n++)
		strbuf_add_varint(&weights,
				  page_zigzag(own[n].weight -
					      slots->node_units[n] * slots->weight_unit));
	put_section(out, &weights);
	strbuf_release(&weights);
}

static void put_meta(const struct page_data *data, struct stream *out)
{
	struct strbuf text = { 0 };

	page_meta(data, &text);
	put_section(out, &text);
	strbuf_release(&text);
}

static void put_code(const struct page_data *data, struct stream *out)
{
	struct strbuf text = { 0 };

	page_code_json(data, &text);
	put_section(out, &text);
	strbuf_release(&text);
}

/* What stacks that differ only in their places are apart by; empty without places. */
static void put_places(const struct page_data *data, struct stream *out)
{
	const struct page_places *places = &data->places;
	struct strbuf of = { 0 }, instruction = { 0 }, count = { 0 }, line = { 0 };

	for (size_t n = 1; page_places_any(places) && n < data->stacks.nodes.len; n++)
		strbuf_add_varint(&of, data->stacks.nodes.data[n].place);
	for (size_t p = 1; p < places->rows.len; p++) {
		strbuf_add_varint(&instruction, places->rows.data[p].instruction);
		strbuf_add_varint(&count,
				  places->rows.data[p].end - places->rows.data[p].first);
	}
	vec_for_each(const uint32_t, number, &places->lines)
		strbuf_add_varint(&line, *number);
	put_section(out, &of);
	put_section(out, &instruction);
	put_section(out, &count);
	put_section(out, &line);
	strbuf_release(&of);
	strbuf_release(&instruction);
	strbuf_release(&count);
	strbuf_release(&line);
}

static void put_states(const struct page_data *data, struct stream *out)
{
	const struct page_states *states = &data->states;
	const struct strbuf *columns[] = { &states->runs, &states->gap, &states->length,
					   &states->ns };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		put_column(out, columns[i]);
}

static void put_regions(const struct page_data *data, struct stream *out)
{
	const struct page_regions *regions = &data->regions;
	const struct strbuf *columns[] = { &regions->counts, &regions->row,
					   &regions->begin, &regions->length };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		put_column(out, columns[i]);
}

static void put_slots(const struct page_data *data, uint32_t metric, struct stream *out)
{
	for (int c = 0; c < PAGE_COLUMNS; c++)
		put_column(out, &data->slots[metric].columns[c]);
	put_own(data, metric, out);
}

static void put_before_slots(const struct page_data *data, struct stream *out)
{
	strbuf_addstr(&out->text, "RPPG");
	put_meta(data, out);
	put_names(data, out);
	put_functions(data, out);
	put_nodes(data, out);
}

static void put_behind_slots(const struct page_data *data, struct stream *out)
{
	put_code(data, out);
	put_states(data, out);
	put_regions(data, out);
	put_places(data, out);
	for (size_t i = 0; i < data->tags.count; i++)
		put_column(out, &data->tags.columns[i]);
	for (int c = 0; c < PAGE_WAIT_COLUMNS; c++)
		put_column(out, &data->waits.columns[c]);
}

void page_encode(const struct page_data *data, struct gzip *gzip)
{
	struct stream out = { .write = gzip_write, .ctx = gzip };

	/* an error stays with what GZIP writes to */
	put_before_slots(data, &out);
	(void)!stream_end(&out);
	gzip_set_numbers(gzip, true);
	for (uint32_t m = 0; m < data->session->model.metrics.len; m++)
		put_slots(data, m, &out);
	(void)!stream_end(&out);
	gzip_set_numbers(gzip, false);
	put_behind_slots(data, &out);
	(void)!stream_end(&out);
}
