/* SPDX-License-Identifier: Apache-2.0 */
#include "page/waits_json.h"

#include "model/wait_sums.h"
#include "rows/state_columns.h"

static void put(struct json_writer *json, const char *key, uint64_t number)
{
	json_key(json, key);
	json_unsigned(json, number);
}

static void put_text(struct json_writer *json, const char *key, const char *text)
{
	struct strbuf clean = { 0 };

	foreign_put(&clean, foreign(text));
	json_key(json, key);
	json_text(json, strbuf_str(&clean));
	strbuf_release(&clean);
}

static void put_place(const struct page_data *data, uint32_t place,
		      struct json_writer *json)
{
	if (place == WAIT_ALL_PLACES) {
		put_text(json, "name", WAIT_ALL_PLACES_NAME);
		return;
	}
	put_text(json, "name",
		 page_function_name(data->session, data->stacks.strip, place));
	put(json, "object", data->session->model.functions.data[place].object);
}

static void put_row(const struct page_data *data, const struct wait_row *row,
		    struct json_writer *json)
{
	const struct durations *d = &row->durations;

	json_begin_object(json);
	put(json, "sum_ns", d->sum_ns);
	put(json, "count", d->count);
	put(json, "p50_ns", durations_quantile(d, 50));
	put(json, "p95_ns", durations_quantile(d, 95));
	put(json, "p99_ns", durations_quantile(d, 99));
	put(json, "longest_ns", d->longest_ns);
	put_text(json, "state", state_title(row->state));
	json_key(json, "may_idle");
	json_bool(json, wait_may_idle(row->state));
	put_place(data, row->place, json);
	json_end(json);
}

void page_waits_json(const struct page_data *data, struct json_writer *json)
{
	const struct page_waits *waits = &data->waits;

	json_begin_object(json);
	if (waits->known) {
		put(json, "life_ns", waits->sums.life_ns);
		put(json, "sum_ns", waits->sums.sum_ns);
		put(json, "count", waits->sums.waits);
		put(json, "idle_ns", waits->sums.idle_ns);
		put(json, "idle_count", waits->sums.idle_waits);
		put(json, "idle_threads", waits->sums.idle_threads);
		put(json, "idle_percent", IDLE_PERCENT);
		put(json, "left_out", waits->sums.rows.len - waits->rows);
		json_key(json, "rows");
		json_begin_array(json);
		for (size_t i = 0; i < waits->rows; i++)
			put_row(data, &waits->sums.rows.data[i], json);
		json_end(json);
	}
	json_end(json);
}
