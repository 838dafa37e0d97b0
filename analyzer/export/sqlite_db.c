/* SPDX-License-Identifier: Apache-2.0 */
#include "export/sqlite_db.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"

/* "RPdb", and the version of the schema: in the header of the file. */
enum { APPLICATION_ID = 0x52506462, SCHEMA_VERSION = 1 };

/* How long to wait for another writer. */
enum { BUSY_MS = 5000 };

static const struct {
	const char *name;
	const char *key; /* of those that experiments share: the UNIQUE columns … */
	int columns[4];  /* … and which of a row they are */
} tables[ROW_TABLES] = {
	[ROWS_EXPERIMENTS] = { "experiments", "identity = ?", { 1 } },
	[ROWS_LABELS] = { "labels" },
	[ROWS_METRICS] = { "metrics" },
	[ROWS_EVENTS] = { "events" },
	[ROWS_PROCESSES] = { "processes" },
	[ROWS_THREADS] = { "threads" },
	[ROWS_BRANCHES] = { "branches" },
	[ROWS_REGIONS] = { "regions" },
	[ROWS_MARKS] = { "marks" },
	[ROWS_OBJECTS] = { "objects", "path = ? AND kind = ?", { 1, 2 } },
	[ROWS_FUNCTIONS] = { "functions",
			     "object_id = ? AND linkage_name = ? AND tell = ? AND "
			     "build_id = ?",
			     { 1, 3, 4, 5 } },
	[ROWS_FILES] = { "files", "path = ?", { 1 } },
	[ROWS_LINES] = { "lines",
			 "function_id = ? AND file_id = ? AND line = ?",
			 { 1, 2, 3 } },
	[ROWS_MODULES] = { "modules" },
	[ROWS_FRAMES] = { "frames" },
	[ROWS_FRAME_LINES] = { "frame_lines" },
	[ROWS_NODES] = { "nodes" },
	[ROWS_CONTEXTS] = { "contexts" },
	[ROWS_SAMPLES] = { "samples" },
	[ROWS_SAMPLE_DATA] = { "sample_data" },
	[ROWS_LOSSES] = { "losses" },
	[ROWS_FUNCTION_TOTALS] = { "function_totals" },
	[ROWS_OBJECT_TOTALS] = { "object_totals" },
	[ROWS_LINE_TOTALS] = { "line_totals" },
	[ROWS_CALL_TOTALS] = { "call_totals" },
	[ROWS_NODE_TOTALS] = { "node_totals" },
	[ROWS_THREAD_TOTALS] = { "thread_totals" },
	[ROWS_SECOND_TOTALS] = { "second_totals" },
	[ROWS_BRANCH_TOTALS] = { "branch_totals" },
};

struct sql_db {
	struct row_sink sink; /* first */
	char *path;
	sqlite3 *db;
	sqlite3_stmt *put[ROW_TABLES], *put_rows[ROW_TABLES], *find[ROW_TABLES];
	int error; /* SQLITE_OK: none */
	struct strbuf why;
	struct strbuf clean; /* of the text being bound */
	bool open;           /* a transaction */
};

static struct sql_db *db_of(struct row_sink *sink)
{
	return (struct sql_db *)(void *)sink;
}

static bool failed(const struct row_sink *sink)
{
	return ((const struct sql_db *)(const void *)sink)->error != SQLITE_OK;
}

static void explain(const struct row_sink *sink, struct strbuf *out)
{
	const struct sql_db *db = (const void *)sink;

	strbuf_addf(out, "%s: %s", db->path, strbuf_str(&db->why));
}

/* ---- errors ---- */

/* Of those whose own words would not help. */
static const struct {
	int error;
	const char *why;
} reasons[] = {
	{ SQLITE_BUSY, "is locked by another program; try again when that has ended" },
	{ SQLITE_LOCKED, "is locked by another program; try again when that has ended" },
	{ SQLITE_READONLY, "may not be written" },
	{ SQLITE_IOERR, "cannot be written further; the database is as it was before" },
	{ SQLITE_FULL, "no space left on the device; the database is as it was before" },
	{ SQLITE_NOTADB, "is no SQLite database; name another file" },
	{ SQLITE_CORRUPT, "is a damaged database; name another file" },
};

static void fail(struct sql_db *db, int error, const char *why)
{
	if (db->error)
		return;
	db->error = error;
	strbuf_addstr(&db->why, why);
}

/* Keeps the reason of a failed call. */
static void fail_call(struct sql_db *db)
{
	int error = sqlite3_errcode(db->db) & 0xff;
	int system = sqlite3_system_errno(db->db);

	if ((error == SQLITE_CANTOPEN || error == SQLITE_IOERR) && system) {
		fail(db, error, strerror(system));
		return;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].error == error) {
			fail(db, error, reasons[i].why);
			return;
		}
	fail(db, error, sqlite3_errmsg(db->db));
}

/* ---- statements ---- */

static void run(struct sql_db *db, const char *sql)
{
	if (!db->error && sqlite3_exec(db->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_call(db);
}

/* ---- transactions ---- */

static int64_t ask(struct sql_db *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t answer = 0;

	if (db->error)
		return 0;
	if (sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL) != SQLITE_OK ||
	    sqlite3_step(stmt) != SQLITE_ROW)
		fail_call(db);
	else
		answer = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return answer;
}

static void make_schema(struct sql_db *db)
{
	char *marks = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
				APPLICATION_ID, SCHEMA_VERSION);

	run(db, sql_schema);
	run(db, marks);
	free(marks);
}

static void check_schema(struct sql_db *db)
{
	int64_t owner = ask(db, "PRAGMA application_id");
	int64_t version = ask(db, "PRAGMA user_version");
	int64_t things = ask(db, "SELECT count(*) FROM sqlite_master");
	char *why;

	if (db->error)
		return;
	if (!owner && !version && !things) {
		make_schema(db);
	} else if (owner != APPLICATION_ID) {
		fail(db, SQLITE_ERROR,
		     "is a database of another program; name another file");
	} else if (version != SCHEMA_VERSION) {
		why = xasprintf(
			"has version %lld of the schema, and this er_print writes "
			"version %d; name another file",
			(long long)version, SCHEMA_VERSION);
		fail(db, SQLITE_ERROR, why);
		free(why);
	}
}

static void abandon(struct sql_db *db)
{
	if (db->open)
		sqlite3_exec(db->db, "ROLLBACK", NULL, NULL, NULL);
	db->open = false;
}

static void end(struct row_sink *sink)
{
	struct sql_db *db = db_of(sink);

	run(db, "COMMIT");
	if (!db->error)
		db->open = false;
	abandon(db);
}

/* ---- rows ---- */

static void bind_text(struct sql_db *db, sqlite3_stmt *stmt, int at, const char *text)
{
	int len = (int)strnlen(text, INT32_MAX);

	strbuf_clear(&db->clean);
	utf8_clean(&db->clean, text);
	if (strcmp(strbuf_str(&db->clean), text) != 0)
		sqlite3_bind_blob(stmt, at, text, len, SQLITE_TRANSIENT);
	else
		sqlite3_bind_text(stmt, at, text, len, SQLITE_TRANSIENT);
}

static void bind_all(struct sql_db *db, sqlite3_stmt *stmt, const struct row_cell *cells,
		     int count)
{
	for (int i = 0; i < count; i++) {
		const struct row_cell *cell = &cells[i];

		if (cell->type == CELL_NUMBER)
			sqlite3_bind_int64(stmt, i + 1, cell->number);
		else if (cell->type == CELL_REAL)
			sqlite3_bind_double(stmt, i + 1, cell->real);
		else if (cell->type == CELL_TEXT)
			bind_text(db, stmt, i + 1, cell->text);
		else
			sqlite3_bind_null(stmt, i + 1);
	}
}

/* Prepares it at its first use. */
static sqlite3_stmt *prepared(struct sql_db *db, sqlite3_stmt **stmt, const char *sql)
{
	if (!db->error && !*stmt &&
	    sqlite3_prepare_v3(db->db, sql, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL) !=
		    SQLITE_OK)
		fail_call(db);
	return db->error ? NULL : *stmt;
}

static void prepare_put(struct sql_db *db, sqlite3_stmt **stmt, enum row_table table,
			int columns, int rows)
{
	struct strbuf sql = { 0 };

	if (db->error || *stmt)
		return;
	strbuf_addf(&sql, "INSERT INTO %s VALUES ", tables[table].name);
	for (int i = 0; i < columns * rows; i++)
		strbuf_addstr(&sql, !i ? "(?" : i % columns == 0 ? "), (?" : ", ?");
	strbuf_addstr(&sql, ")");
	prepared(db, stmt, sql.data);
	strbuf_release(&sql);
}

static void insert(struct sql_db *db, sqlite3_stmt *stmt, const struct row_cell *cells,
		   int count)
{
	if (db->error)
		return;
	bind_all(db, stmt, cells, count);
	if (sqlite3_step(stmt) != SQLITE_DONE)
		fail_call(db);
	sqlite3_reset(stmt);
}

static void put_one(struct sql_db *db, enum row_table table, const struct row_cell *cells,
		    int columns)
{
	prepare_put(db, &db->put[table], table, columns, 1);
	insert(db, db->put[table], cells, columns);
}

static int64_t put(struct row_sink *sink, enum row_table table,
		   const struct row_cell *cells, int columns, int rows)
{
	struct sql_db *db = db_of(sink);

	if (rows >= ROWS_AT_ONCE)
		prepare_put(db, &db->put_rows[table], table, columns, ROWS_AT_ONCE);
	for (; rows >= ROWS_AT_ONCE;
	     rows -= ROWS_AT_ONCE, cells += columns * ROWS_AT_ONCE)
		insert(db, db->put_rows[table], cells, columns * ROWS_AT_ONCE);
	for (; rows > 0; rows--, cells += columns)
		put_one(db, table, cells, columns);
	return db->error ? 0 : sqlite3_last_insert_rowid(db->db);
}

/* The id of the row that has these values in its UNIQUE columns, or 0. */
static int64_t find(struct sql_db *db, enum row_table table, const struct row_cell *keys,
		    int count)
{
	char *sql = xasprintf("SELECT id FROM %s WHERE %s", tables[table].name,
			      tables[table].key);
	sqlite3_stmt *stmt = prepared(db, &db->find[table], sql);
	int64_t id = 0;
	int status;

	free(sql);
	if (!stmt)
		return 0;
	bind_all(db, stmt, keys, count);
	status = sqlite3_step(stmt);
	if (status == SQLITE_ROW)
		id = sqlite3_column_int64(stmt, 0);
	else if (status != SQLITE_DONE)
		fail_call(db);
	sqlite3_reset(stmt);
	return id;
}

static int64_t share(struct row_sink *sink, enum row_table table, uint64_t hash,
		     const struct row_cell *cells, int columns)
{
	const int *column = tables[table].columns;
	struct row_cell keys[4];
	int count = 0;
	int64_t id;

	(void)hash; /* ids are this database's */
	for (; count < 4 && column[count]; count++)
		keys[count] = cells[column[count]];
	id = find(db_of(sink), table, keys, count);
	return id ? id : put(sink, table, cells, columns, 1);
}

static int64_t next_id(struct row_sink *sink, enum row_table table)
{
	struct sql_db *db = db_of(sink);
	char *sql = xasprintf("SELECT coalesce(max(id), 0) + 1 FROM %s",
			      tables[table].name);
	int64_t next = ask(db, sql);

	free(sql);
	if (!db->error && (next < 1 || next > INT64_MAX / 2))
		fail(db, SQLITE_CORRUPT,
		     "has ids that er_print does not make; name another file");
	return next;
}

static bool begin(struct row_sink *sink, const struct row_run *exp)
{
	struct sql_db *db = db_of(sink);
	struct row_cell identity = row_text(exp->identity);

	run(db, "BEGIN IMMEDIATE");
	db->open = !db->error;
	check_schema(db);
	if (!find(db, ROWS_EXPERIMENTS, &identity, 1) && !db->error)
		return true;
	abandon(db);
	return false;
}

/* ---- the file ---- */

static const struct row_sink_ops sqlite_ops = {
	.begin = begin,
	.end = end,
	.failed = failed,
	.explain = explain,
	.next = next_id,
	.put = put,
	.share = share,
};

/* The database may be a stranger's: nothing that it defines is run. */
static void distrust(sqlite3 *db)
{
	static const struct {
		int option, value;
	} options[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FKEY, 0 }, /* we know that all ids are there */
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		sqlite3_db_config(db, options[i].option, options[i].value, NULL);
}

struct row_sink *sqlite_open(const char *path)
{
	struct sql_db *db = xcalloc(1, sizeof(*db));
	/* ":memory:" and "file:…" have a meaning that paths have not */
	char *name = xasprintf("%s%s", *path == '/' ? "" : "./", path);

	db->sink.ops = &sqlite_ops;
	db->path = xstrdup(path);
	if (sqlite3_open_v2(name, &db->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				    SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		fail_call(db);
	free(name);
	if (db->error)
		return &db->sink;
	distrust(db->db);
	sqlite3_busy_timeout(db->db, BUSY_MS);
	run(db, "PRAGMA cache_size = -65536");
	return &db->sink;
}

void sqlite_close(struct row_sink *sink)
{
	struct sql_db *db = db_of(sink);

	abandon(db);
	for (int i = 0; i < ROW_TABLES; i++) {
		sqlite3_finalize(db->put[i]);
		sqlite3_finalize(db->put_rows[i]);
		sqlite3_finalize(db->find[i]);
	}
	sqlite3_close(db->db);
	strbuf_release(&db->why);
	strbuf_release(&db->clean);
	free(db->path);
	free(db);
}
