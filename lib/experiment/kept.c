/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/kept.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/decode.h"
#include "base/file.h"
#include "base/folder.h"

enum { ROWS_PER_BLOCK = 32768 };

/* ---- reading ---- */

struct reader {
	const struct experiment *exp;
	kept_taker *const *takers;
	void *ctx;
	uint64_t strings; /* so far */
	uint64_t
		started; /* 1 + number of the string with the time when the recording began */
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

/* Of the file, one block after the other. */
struct place {
	int fd;
	uint64_t at, size;
};

/* The next LEN bytes in OUT's room; NULL: they are not there. */
static const void *read_next(struct place *p, size_t len, struct strbuf *out)
{
	if (len > p->size - p->at)
		return NULL;
	strbuf_clear(out);
	if (file_read_at(p->fd, p->at, strbuf_add_room(out, len), len))
		return NULL;
	p->at += len;
	return strbuf_str(out);
}

/* Memory that blocks share. */
struct scratch {
	struct strbuf head, payload, raw;
	struct exp_rows rows;
};

static bool take_block(struct reader *r, struct place *p, struct scratch *s)
{
	const void *head = read_next(p, EXP_BLOCK_HEADER_SIZE, &s->head);
	struct exp_block_header header;
	const void *payload;

	if (!head || exp_block_header_decode(head, &header) ||
	    !is_known(r, header.table) ||
	    !exp_budget_take(&r->budget, exp_block_size(&header)))
		return false;
	payload = read_next(p, header.stored_size, &s->payload);
	if (!payload || exp_block_decode(&header, head, payload, &s->raw, &s->rows) ||
	    !s->rows.count)
		return false;
	return take_rows(r, &s->rows);
}

static int take_all(struct reader *r, struct place *p)
{
	struct strbuf header = { 0 };
	struct scratch s = { 0 };
	const void *head;
	bool good;

	exp_header_encode(&header);
	head = read_next(p, header.len, &s.head);
	good = head && !memcmp(head, header.data, header.len);
	while (good && p->at < p->size)
		good = take_block(r, p, &s);
	exp_rows_release(&s.rows);
	strbuf_release(&s.head);
	strbuf_release(&s.payload);
	strbuf_release(&s.raw);
	strbuf_release(&header);
	return good && r->is_for_this ? 0 : -EBADMSG;
}

/* What may be kept of an experiment grows with its data, whatever this file claims. */
static void limit(struct reader *r, uint64_t size)
{
	exp_budget_init(&r->budget, size < r->exp->bytes ? size : r->exp->bytes, false);
}

int kept_read(const struct experiment *exp, const char *name,
	      kept_taker *const takers[EXP_TABLES], void *ctx)
{
	struct reader r = { .exp = exp, .takers = takers, .ctx = ctx };
	struct place p = { .fd = folder_open_file(exp->dir, name) };
	struct stat st;
	int error;

	if (p.fd < 0)
		return p.fd;
	error = fstat(p.fd, &st) ? -errno : 0;
	if (!error) {
		p.size = (uint64_t)st.st_size;
		limit(&r, p.size);
		error = take_all(&r, &p);
	}
	close(p.fd);
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

void kept_key(struct kept_writer *w, const struct experiment *exp)
{
	kept_begin(w, EXP_STRINGS);
	kept_string(w, exp->log.started);
	kept_begin(w, EXP_LINE_KEY);
	kept_row(w, (uint64_t[EXP_LINE_KEY_COLUMNS]){ exp->bytes, 1 });
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
