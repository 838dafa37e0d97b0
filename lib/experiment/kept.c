/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/kept.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "experiment/decode.h"
#include "base/file.h"
#include "base/folder.h"

enum { ROWS_PER_BLOCK = 32768, FILE_MAX = 1 << 30 };

/* ---- reading ---- */

struct reader {
	const struct experiment *exp;
	kept_taker *const *takers;
	void *ctx;
	uint64_t strings; /* so far */
	uint64_t
		started; /* 1 + number of the string that tells when the recording began */
	bool is_for_this; /* the data is the one that it is for */
	struct exp_budget budget;
};

/* Which of the strings, if any, is the recording's beginning. */
static void look_for_start(struct reader *r, const struct exp_rows *rows)
{
	const char *text = strbuf_str(&rows->text), *started = r->exp->log.started;
	size_t at = 0;

	for (size_t i = 0; i < rows->count; i++) {
		size_t len = rows->column[EXP_STRING_TEXT][i];

		r->strings++;
		if (len == strlen(started) && !memcmp(text + at, started, len))
			r->started = r->strings;
		at += len;
	}
}

static bool take_key(struct reader *r, const struct exp_rows *rows)
{
	r->is_for_this = rows->count == 1 && r->started &&
			 rows->column[EXP_LINE_KEY_STARTED][0] == r->started &&
			 rows->column[EXP_LINE_KEY_BYTES][0] == r->exp->bytes;
	return r->is_for_this;
}

static bool take_rows(struct reader *r, const struct exp_rows *rows)
{
	if (rows->table == EXP_LINE_KEY)
		return take_key(r, rows);
	if (rows->table == EXP_STRINGS)
		look_for_start(r, rows);
	else if (!r->is_for_this)
		return false;
	return !r->takers[rows->table] || r->takers[rows->table](r->ctx, rows);
}

static bool is_known(const struct reader *r, unsigned table)
{
	return table == EXP_STRINGS || table == EXP_LINE_KEY ||
	       (table < EXP_TABLES && r->takers[table]);
}

static bool take_block(struct reader *r, struct cursor *c, struct strbuf *raw,
		       struct exp_rows *rows)
{
	const void *head = cursor_bytes(c, EXP_BLOCK_HEADER_SIZE);
	struct exp_block_header header;
	const void *payload;

	if (!head || exp_block_header_decode(head, &header))
		return false;
	payload = cursor_bytes(c, header.stored_size);
	if (!cursor_ok(c) || !is_known(r, header.table) ||
	    !exp_budget_take(&r->budget, exp_block_size(&header)) ||
	    exp_block_decode(&header, head, payload, raw, rows) || !rows->count)
		return false;
	return take_rows(r, rows);
}

static int take_all(struct reader *r, const struct strbuf *bytes)
{
	struct strbuf header = { 0 }, raw = { 0 };
	struct exp_rows rows = { 0 };
	struct cursor c;
	const void *head;
	bool good;

	exp_header_encode(&header);
	cursor_init(&c, strbuf_str(bytes), bytes->len);
	head = cursor_bytes(&c, header.len);
	good = head && !memcmp(head, header.data, header.len);
	while (good && cursor_left(&c))
		good = take_block(r, &c, &raw, &rows);
	exp_rows_release(&rows);
	strbuf_release(&raw);
	strbuf_release(&header);
	return good && r->is_for_this ? 0 : -EBADMSG;
}

int kept_read(const struct experiment *exp, const char *name,
	      kept_taker *const takers[EXP_TABLES], void *ctx)
{
	struct reader r = { .exp = exp, .takers = takers, .ctx = ctx };
	struct strbuf bytes = { 0 };
	int fd = folder_open_file(exp->dir, name);
	int error = fd < 0 ? fd : file_read_fd(fd, FILE_MAX, &bytes);

	if (fd >= 0)
		close(fd);
	exp_budget_init(&r.budget, bytes.len, false);
	if (!error)
		error = take_all(&r, &bytes);
	strbuf_release(&bytes);
	return error;
}

/* ---- writing ---- */

static void end_block(struct kept_writer *w)
{
	if (w->rows.count && !w->status)
		w->status = exp_block_encode(&w->encoder, &w->rows, &w->out);
	exp_rows_clear(&w->rows);
}

void kept_begin(struct kept_writer *w, enum exp_table table)
{
	end_block(w);
	if (!w->out.len)
		exp_header_encode(&w->out);
	w->rows.table = table;
}

void kept_row(struct kept_writer *w, const uint64_t *values)
{
	exp_rows_add(&w->rows, values);
	if (w->rows.count >= ROWS_PER_BLOCK)
		end_block(w);
}

void kept_string(struct kept_writer *w, const char *text)
{
	enum { TEXT_MAX = 64 << 10, BLOCK_TEXT = 4 << 20 };
	size_t len = strnlen(text, TEXT_MAX);

	strbuf_add(&w->rows.text, text, len);
	kept_row(w, (uint64_t[]){ len });
	if (w->rows.text.len >= BLOCK_TEXT)
		end_block(w);
}

void kept_key(struct kept_writer *w, const struct experiment *exp, uint32_t strings)
{
	if (w->rows.table != EXP_STRINGS)
		kept_begin(w, EXP_STRINGS);
	kept_string(w, exp->log.started);
	kept_begin(w, EXP_LINE_KEY);
	kept_row(w, (uint64_t[EXP_LINE_KEY_COLUMNS]){ exp->bytes, strings + 1 });
}

int kept_write(struct kept_writer *w, const struct experiment *exp, const char *name)
{
	int status = folder_is_ours(exp->dir) ? 0 : -EACCES;

	end_block(w);
	if (!status)
		status = w->status;
	if (!status)
		status = folder_replace_file(exp->dir, name, w->out.data, w->out.len);
	exp_rows_release(&w->rows);
	exp_encoder_release(&w->encoder);
	strbuf_release(&w->out);
	*w = (struct kept_writer){ 0 };
	return status;
}
