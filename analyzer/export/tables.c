/* SPDX-License-Identifier: Apache-2.0 */
/* export tables: a new folder with a file for each table, and what loads them. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/export.h"
#include "export/row_layout.h"
#include "export/rows.h"
#include "export/tables_sql.h"
#include "views/views.h"

enum { NS = 1000000000, LOOK_ROWS = 4096 };

struct tables {
	struct row_sink sink; /* first */
	const char *path;
	char *new; /* the folder until all is written */
	struct stream files[ROW_TABLES];
	struct idmap
		seen[ROW_TABLES]; /* shared rows that are written, by the hash of keys */
	struct strbuf clean;
	bool made;    /* NEW */
	bool in_way;  /* another folder has that name */
	unsigned put; /* rows, modulo 2^32 */
	size_t begun; /* experiments, with those named twice */
	/* of the experiment */
	int64_t id, start_ns;
	int64_t rows[ROW_TABLES];
	int error; /* 0 or a negative errno */
};

static struct tables *tables_of(struct row_sink *sink)
{
	return (struct tables *)(void *)sink;
}

static void fail(struct tables *t, int error)
{
	if (!t->error)
		t->error = error;
}

/* ---- text ---- */

static const struct {
	char byte, letter;
} escapes[] = { { '\t', 't' }, { '\n', 'n' }, { '\r', 'r' }, { '\\', '\\' } };

static void put_byte(struct strbuf *out, char byte)
{
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
		if (escapes[i].byte == byte) {
			strbuf_addch(out, '\\');
			byte = escapes[i].letter;
			break;
		}
	strbuf_addch(out, byte);
}

/* The value "\xHH" is that byte, and no other value has "\x". */
static void put_hex(struct strbuf *out, unsigned char byte)
{
	strbuf_addf(out, "\\\\x%02x", byte);
}

/* The length of the valid UTF-8 at TEXT's beginning, of one character; or 0. */
static size_t valid_length(struct strbuf *clean, const char *text)
{
	char one[5] = { 0 };
	size_t len = 1;

	if (!(*text & 0x80))
		return 1;
	while (len < 4 && (text[len] & 0xc0) == 0x80)
		len++;
	for (; len > 1; len--) {
		memcpy(one, text, len);
		one[len] = '\0';
		strbuf_clear(clean);
		utf8_clean(clean, one);
		if (!strcmp(strbuf_str(clean), one))
			return len;
	}
	return 0;
}

static void put_text(struct strbuf *out, struct strbuf *clean, const char *text)
{
	while (*text) {
		size_t len = valid_length(clean, text);

		if (!len || (text[0] == '\\' && text[1] == 'x'))
			put_hex(out, (unsigned char)*text++);
		else if (len == 1)
			put_byte(out, *text++);
		else
			strbuf_add(out, text, len), text += len;
	}
}

/* ---- cells ---- */

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void put_number(struct strbuf *out, int64_t number)
{
	char digits[24], *at = digits + sizeof(digits);
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		*--at = '-';
	strbuf_add(out, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_cell(struct tables *t, struct strbuf *out, enum row_type type,
		     const struct row_cell *cell)
{
	int64_t number = cell->number;
	int64_t scaled;

	if (type == TYPE_UTC || type == TYPE_UTC_OR_0)
		number = plus(t->start_ns, number);
	else if (type == TYPE_SECONDS)
		number = __builtin_mul_overflow(number, NS, &scaled) ? INT64_MAX : scaled;
	if (cell->type == CELL_NULL || (type == TYPE_UTC_OR_0 && !cell->number))
		strbuf_addstr(out, "\\N");
	else if (cell->type == CELL_NUMBER)
		put_number(out, number);
	else if (cell->type == CELL_REAL)
		strbuf_addf(out, "%.17g", cell->real);
	else
		put_text(out, &t->clean, cell->text);
}

/* ---- rows ---- */

/* Whether a shared row is not written yet. */
static bool is_new(struct tables *t, enum row_table table, const struct row_cell *cells)
{
	struct idmap *seen = &t->seen[table];
	uint64_t key = FNV_EMPTY;
	uint32_t next = (uint32_t)seen->len;

	for (int i = 0; i < row_layouts[table].keys; i++)
		key = fnv_number(key, (uint64_t)cells[i].number);
	return idmap_intern(seen, key, 0, next) == next;
}

/* Signals that end er_print are blocked meanwhile, see write_tables. */
static void fill_ends(sigset_t *ends)
{
	sigemptyset(ends);
	sigaddset(ends, SIGINT);
	sigaddset(ends, SIGTERM);
	sigaddset(ends, SIGHUP);
}

static void look_for_end(struct tables *t)
{
	sigset_t ends, pending;

	fill_ends(&ends);
	if (!sigpending(&pending) && !sigandset(&pending, &pending, &ends) &&
	    !sigisemptyset(&pending))
		fail(t, -EINTR);
}

static void put_row(struct tables *t, enum row_table table, const struct row_cell *cells,
		    int columns)
{
	const struct row_layout *layout = &row_layouts[table];
	struct stream *file = &t->files[table];
	bool first = layout->shared;

	if (!(t->put++ % LOOK_ROWS))
		look_for_end(t);
	if (!first)
		put_number(&file->text, t->id);
	for (int i = 0; i < columns; i++) {
		if (layout->columns[i].type == TYPE_SKIP)
			continue;
		if (!first)
			strbuf_addch(&file->text, '\t');
		put_cell(t, &file->text, layout->columns[i].type, &cells[i]);
		first = false;
	}
	strbuf_addch(&file->text, '\n');
	if (!stream_pass(file))
		fail(t, file->error);
}

static int64_t put_one(struct tables *t, enum row_table table,
		       const struct row_cell *cells, int columns)
{
	struct row_cell row[ROW_COLUMNS];
	int64_t number = ++t->rows[table];

	memcpy(row, cells, (size_t)columns * sizeof(*row));
	if (row[0].type == CELL_NULL)
		row[0] = row_signed(number);
	if (!row_layouts[table].shared || is_new(t, table, row))
		put_row(t, table, row, columns);
	return row[0].number;
}

static int64_t put(struct row_sink *sink, enum row_table table,
		   const struct row_cell *cells, int columns, int rows)
{
	struct tables *t = tables_of(sink);
	int64_t id = 0;

	for (; rows > 0 && !t->error; rows--, cells += columns)
		id = put_one(t, table, cells, columns);
	return id;
}

static int64_t share(struct row_sink *sink, enum row_table table, uint64_t hash,
		     const struct row_cell *cells, int columns)
{
	struct row_cell row[ROW_COLUMNS];

	memcpy(row, cells, (size_t)columns * sizeof(*row));
	row[0] = row_signed((int64_t)hash);
	return put(sink, table, row, columns, 1);
}

static int64_t next_id(struct row_sink *sink, enum row_table table)
{
	(void)sink;
	(void)table;
	return 1;
}

/* ---- experiments ---- */

static bool begin(struct row_sink *sink, const struct row_run *run)
{
	struct tables *t = tables_of(sink);
	struct row_cell id = row_signed((int64_t)fnv_text(FNV_EMPTY, run->identity));
	uint64_t key = fnv_number(FNV_EMPTY, (uint64_t)id.number);

	t->begun++;
	if (t->error || idmap_get(&t->seen[ROWS_EXPERIMENTS], key, 0) != IDMAP_NONE)
		return false;
	t->id = id.number;
	if (__builtin_mul_overflow(run->started_s, NS, &t->start_ns))
		t->start_ns = 0;
	memset(t->rows, 0, sizeof(t->rows));
	return true;
}

/* An error removes all of them. */
static void end(struct row_sink *sink)
{
	(void)sink;
}

static bool failed(const struct row_sink *sink)
{
	return ((const struct tables *)(const void *)sink)->error;
}

static void explain(const struct row_sink *sink, struct strbuf *out)
{
	const struct tables *t = (const void *)sink;

	strbuf_addf(out, "%s: %s", t->in_way ? t->new : t->path, strerror(-t->error));
}

static const struct row_sink_ops tables_ops = {
	.begin = begin,
	.end = end,
	.failed = failed,
	.explain = explain,
	.next = next_id,
	.put = put,
	.share = share,
};

/* ---- the folder ---- */

static char *file_of(const struct tables *t, const char *name, const char *ending)
{
	return xasprintf("%s/%s%s", t->new, name, ending);
}

static void open_file(struct tables *t, enum row_table table)
{
	char *path = file_of(t, row_layouts[table].name, ".tsv");

	fail(t, stream_create(&t->files[table], path));
	free(path);
}

static void write_script(struct tables *t, const struct tables_script *script)
{
	char *path = file_of(t, script->name, "");
	struct stream out;
	int error = stream_create(&out, path);

	if (!error) {
		script->write(&out.text);
		error = stream_close(&out);
	}
	fail(t, error);
	free(path);
}

static void open_all(struct tables *t)
{
	struct stat there;

	if (!lstat(t->path, &there))
		fail(t, -EEXIST);
	else if (mkdir(t->new, 0777)) {
		fail(t, -errno);
		t->in_way = t->error == -EEXIST;
	}
	t->made = !t->error;
	for (int i = 0; i < ROW_TABLES && !t->error; i++)
		open_file(t, i);
	for (size_t i = 0; i < tables_script_count && !t->error; i++)
		write_script(t, &tables_scripts[i]);
}

static void close_all(struct tables *t)
{
	for (int i = 0; i < ROW_TABLES; i++)
		if (t->files[i].write)
			fail(t, stream_close(&t->files[i]));
}

/* By which `load` knows a folder whose copy was cut short. */
static void write_sizes(struct tables *t)
{
	char *path = file_of(t, "sizes", "");
	struct stream out;
	int error = stream_create(&out, path), closed;
	bool made = !error;

	for (int i = 0; i < ROW_TABLES && !error; i++) {
		char *file = file_of(t, row_layouts[i].name, ".tsv");
		struct stat st;

		if (stat(file, &st))
			error = -errno;
		else
			strbuf_addf(&out.text, "%lld %s.tsv\n", (long long)st.st_size,
				    row_layouts[i].name);
		free(file);
	}
	closed = made ? stream_close(&out) : 0;
	fail(t, error ? error : closed);
	free(path);
}

static void remove_file(const struct tables *t, const char *name, const char *ending)
{
	char *path = file_of(t, name, ending);

	unlink(path);
	free(path);
}

static void remove_all(struct tables *t)
{
	for (int i = 0; i < ROW_TABLES; i++)
		remove_file(t, row_layouts[i].name, ".tsv");
	for (size_t i = 0; i < tables_script_count; i++)
		remove_file(t, tables_scripts[i].name, "");
	remove_file(t, "sizes", "");
	rmdir(t->new);
}

static void tables_release(struct tables *t)
{
	for (int i = 0; i < ROW_TABLES; i++)
		idmap_release(&t->seen[i]);
	strbuf_release(&t->clean);
	free(t->new);
}

static char *without_slashes(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return xstrndup(path, len);
}

/* Another name until it is whole; rename(2) refuses a folder that is not empty. */
static int write_folder(struct session *s, const char *path, struct strbuf *err)
{
	struct tables t = { .sink = { .ops = &tables_ops, .hashed = true },
			    .path = path };
	int status = CMD_FAILED;
	bool whole;

	t.new = xasprintf("%s.new.%ld", path, (long)getpid());
	open_all(&t);
	if (!t.error)
		status = rows_write(s, &t.sink, path, err);
	close_all(&t);
	whole = t.begun + t.sink.left_out == s->model.sources.len;
	if (!t.error && whole)
		write_sizes(&t);
	if (!t.error && whole && rename(t.new, path))
		fail(&t, -errno);
	if (t.made && (t.error || !whole))
		remove_all(&t);
	if (t.error && !err->len)
		explain(&t.sink, err);
	tables_release(&t);
	return t.error ? CMD_FAILED : status;
}

/* A signal that would end er_print does so once the new folder is removed. */
static int write_tables(struct session *s, const char *path, struct strbuf *err)
{
	int status = rows_refuse_parts(s, "tables", err);
	sigset_t ends, before;
	char *folder;

	if (status)
		return status;
	folder = without_slashes(path);
	fill_ends(&ends);
	sigprocmask(SIG_BLOCK, &ends, &before);
	status = write_folder(s, folder, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(folder);
	return status;
}

const struct export_format export_tables = {
	.apart = true,
	.write_file = write_tables,
};
