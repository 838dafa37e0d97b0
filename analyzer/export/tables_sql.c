/* SPDX-License-Identifier: Apache-2.0 */
#include "export/tables_sql.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "export/row_layout.h"

struct engine {
	const char *types[ROW_TYPES];
	const char *begin, *end; /* of the schema */
	const char *null;        /* what a type that may be NULL is written in, and … */
	const char *not_null;    /* … one that may not */
	const char *key;         /* what is before and … */
	const char *tail;        /* … behind a table's key */
	const char *views;
	const char *within; /* "DATABASE." of the tables */
};

#define KIND_LIST                                                                        \
	"'file', 'kernel', 'kernel module', 'vdso', 'anonymous', 'unknown', "            \
	"'artificial'"
#define RELATION_LIST "'caller', 'callee'"

static const struct engine postgresql = {
	.types = {
		[TYPE_INTEGER] = "bigint",
		[TYPE_REAL] = "double precision",
		[TYPE_FLAG] = "boolean",
		[TYPE_TEXT] = "text",
		[TYPE_KIND] = "ringprof_kind",
		[TYPE_RELATION] = "ringprof_relation",
		[TYPE_UTC] = "bigint",
		[TYPE_UTC_OR_0] = "bigint",
		[TYPE_SECONDS] = "bigint",
	},
	.begin = "SET client_min_messages = warning;\n"
		 "BEGIN;\n"
		 "SELECT pg_advisory_xact_lock(1381000290);\n" /* other loads wait */
		 "DO $$ BEGIN\n"
		 "	CREATE TYPE ringprof_kind AS ENUM (" KIND_LIST ");\n"
		 "	CREATE TYPE ringprof_relation AS ENUM (" RELATION_LIST ");\n"
		 "EXCEPTION WHEN duplicate_object THEN NULL;\n"
		 "END $$;\n"
		 "CREATE OR REPLACE FUNCTION ringprof_utc(ns bigint) RETURNS timestamptz\n"
		 "	LANGUAGE sql IMMUTABLE AS\n"
		 "	$$ SELECT timestamptz 'epoch' + ns / 1000 * interval '1 microsecond' $$;\n",
	.end = "COMMIT;\n",
	.null = "%s",
	.not_null = "%s NOT NULL",
	.key = ",\n	PRIMARY KEY (",
	.tail = ")\n);\n",
	.views = sql_views,
	.within = "",
};

static const struct engine duckdb = {
	.types = {
		[TYPE_INTEGER] = "BIGINT",
		[TYPE_REAL] = "DOUBLE",
		[TYPE_FLAG] = "BOOLEAN",
		[TYPE_TEXT] = "VARCHAR",
		[TYPE_KIND] = "ENUM (" KIND_LIST ")",
		[TYPE_RELATION] = "ENUM (" RELATION_LIST ")",
		[TYPE_UTC] = "BIGINT",
		[TYPE_UTC_OR_0] = "BIGINT",
		[TYPE_SECONDS] = "BIGINT",
	},
	.begin = "BEGIN;\n"
		 "CREATE OR REPLACE MACRO ringprof_utc(ns) AS make_timestamp_ns(ns);\n"
		 /* pairs of backslashes first: what is between them begins no pair */
		 "CREATE OR REPLACE MACRO ringprof_text(t) AS\n"
		 "	array_to_string(list_transform(string_split(t, '\\\\'), lambda p:\n"
		 "	replace(replace(replace(p, '\\t', chr(9)), '\\n', chr(10)), '\\r', chr(13))), '\\');\n",
	.end = "COMMIT;\n",
	.null = "%s",
	.not_null = "%s NOT NULL",
	.key = ",\n	PRIMARY KEY (",
	.tail = ")\n);\n",
	.views = sql_views,
	.within = "",
};

static const struct engine clickhouse = {
	.types = {
		[TYPE_INTEGER] = "Int64",
		[TYPE_REAL] = "Float64",
		[TYPE_FLAG] = "UInt8",
		[TYPE_TEXT] = "String",
		[TYPE_KIND] = "Enum8('file' = 1, 'kernel' = 2, 'kernel module' = 3, "
			      "'vdso' = 4, 'anonymous' = 5, 'unknown' = 6, 'artificial' = 7)",
		[TYPE_RELATION] = "Enum8('caller' = 1, 'callee' = 2)",
		[TYPE_UTC] = "Int64",
		[TYPE_UTC_OR_0] = "Int64",
		[TYPE_SECONDS] = "Int64",
	},
	.begin = "",
	.end = "",
	.null = "Nullable(%s)",
	.not_null = "%s",
	.key = "\n) ENGINE = ReplacingMergeTree() ORDER BY (",
	.tail = ");\n",
	.views = sql_clickhouse_views,
	.within = "",
};

/* ---- the schema ---- */

/* The type of a column, in FORM, which has one %s. */
static void add_type(struct strbuf *out, const char *form, const char *type)
{
	for (; *form; form++) {
		if (form[0] == '%' && form[1] == 's') {
			strbuf_addstr(out, type);
			form++;
		} else {
			strbuf_addch(out, *form);
		}
	}
}

static void add_column(struct strbuf *out, const struct engine *engine,
		       const struct row_column *column, bool first)
{
	strbuf_addf(out, "%s\n\t%s ", first ? "" : ",", column->name);
	add_type(out, column->null ? engine->null : engine->not_null,
		 engine->types[column->type]);
}

static void add_table(struct strbuf *out, const struct engine *engine,
		      const struct row_layout *layout)
{
	bool first = layout->shared;

	strbuf_addf(out, "CREATE TABLE IF NOT EXISTS %s%s (", engine->within,
		    layout->name);
	if (!layout->shared)
		add_column(out, engine,
			   &(const struct row_column){ "experiment_id", TYPE_INTEGER,
						       false },
			   true);
	for (const struct row_column *c = layout->columns; c->name; c++)
		if (c->type != TYPE_SKIP) {
			add_column(out, engine, c, first);
			first = false;
		}
	strbuf_addf(out, "%s%s%s", engine->key, layout->key, engine->tail);
}

static void add_schema(struct strbuf *out, const struct engine *engine)
{
	strbuf_addstr(out,
		      "-- The tables of `er_print -export tables`, where they are not "
		      "there yet.\n");
	strbuf_addstr(out, engine->begin);
	for (int t = 0; t < ROW_TABLES; t++)
		add_table(out, engine, &row_layouts[t]);
	strbuf_addstr(out, engine->views);
	strbuf_addstr(out, engine->end);
}

static void write_postgresql(struct strbuf *out)
{
	add_schema(out, &postgresql);
}

static void write_duckdb(struct strbuf *out)
{
	add_schema(out, &duckdb);
}

static void write_clickhouse(struct strbuf *out)
{
	add_schema(out, &clickhouse);
}

/*
 * A server has a part of the rows in tables of SHARD, and tables of all parts.  All rows
 * of an experiment are on one server, and so is each shared row: there it is once.
 */
#define CLUSTER "ringprof"
#define SHARD   "ringprof_shard"

static void write_cluster(struct strbuf *out)
{
	struct engine part = clickhouse;

	part.within = SHARD ".";
	strbuf_addstr(out, "-- The same for a cluster, called " CLUSTER
			   " in its configuration: run this on each server.\n"
			   "CREATE DATABASE IF NOT EXISTS " SHARD ";\n");
	for (int t = 0; t < ROW_TABLES; t++) {
		const struct row_layout *layout = &row_layouts[t];

		add_table(out, &part, layout);
		strbuf_addf(out,
			    "CREATE TABLE IF NOT EXISTS %s AS " SHARD ".%s\n"
			    "	ENGINE = Distributed(" CLUSTER ", " SHARD
			    ", %s, intHash64(%.*s));\n",
			    layout->name, layout->name, layout->name,
			    (int)strcspn(layout->key, ","), layout->key);
	}
	strbuf_addstr(out, clickhouse.views);
}

/* ---- loading ---- */

/*
 * In the order of the keys, so that two loads at a time wait for each other at most.  An
 * experiment that is there stays as it is: with other debug information it has other rows,
 * which would be added to those.
 */
static void load_postgresql(struct strbuf *out)
{
	strbuf_addstr(out, "SET client_encoding = 'UTF8';\n" /* that of our files */
			   "BEGIN;\n"
			   "CREATE TEMP TABLE added (id bigint) ON COMMIT DROP;\n");
	for (int t = 0; t < ROW_TABLES; t++) {
		const struct row_layout *layout = &row_layouts[t];
		const char *name = layout->name;

		strbuf_addf(
			out,
			"CREATE TEMP TABLE new_%s (LIKE %s) ON COMMIT DROP;\n"
			"\\copy new_%s FROM '%s.tsv'\n"
			"%sINSERT INTO %s SELECT * FROM new_%s%s ORDER BY %s "
			"ON CONFLICT DO NOTHING%s;\n",
			name, name, name, name,
			t == ROWS_EXPERIMENTS ? "WITH put AS (" : "", name, name,
			layout->shared ? ""
				       : " WHERE experiment_id IN (SELECT id FROM added)",
			layout->key,
			t == ROWS_EXPERIMENTS
				? " RETURNING id) INSERT INTO added SELECT id FROM put"
				: "");
	}
	strbuf_addstr(out, "COMMIT;\n");
}

static void add_duckdb_columns(struct strbuf *out, const struct row_layout *layout)
{
	const char *comma = layout->shared ? "" : ", ";

	strbuf_addf(out, "INSERT OR IGNORE INTO %s SELECT %s", layout->name,
		    layout->shared ? "" : "experiment_id");
	for (const struct row_column *c = layout->columns; c->name; c++)
		if (c->type != TYPE_SKIP) {
			strbuf_addf(out,
				    c->type == TYPE_TEXT ? "%sringprof_text(%s)" : "%s%s",
				    comma, c->name);
			comma = ", ";
		}
	strbuf_addf(
		out,
		"\n\tFROM read_csv('%s.tsv', delim = '\\t', header = false, quote = '', "
		"escape = '', nullstr = '\\N',\n\tauto_detect = false, columns = {",
		layout->name);
	comma = layout->shared ? "" : ", ";
	if (!layout->shared)
		strbuf_addstr(out, "experiment_id: 'BIGINT'");
	for (const struct row_column *c = layout->columns; c->name; c++)
		if (c->type != TYPE_SKIP) {
			bool words = c->type == TYPE_KIND || c->type == TYPE_RELATION;

			strbuf_addf(out, "%s%s: '%s'", comma, c->name,
				    words ? "VARCHAR" : duckdb.types[c->type]);
			comma = ", ";
		}
	strbuf_addf(out, "})%s;\n",
		    layout->shared
			    ? ""
			    : "\n\tWHERE experiment_id NOT IN (SELECT id FROM before)");
}

static void load_duckdb(struct strbuf *out)
{
	strbuf_addstr(
		out,
		"BEGIN;\n"
		"CREATE OR REPLACE TEMP TABLE before AS SELECT id FROM experiments;\n");
	for (int t = 0; t < ROW_TABLES; t++)
		add_duckdb_columns(out, &row_layouts[t]);
	strbuf_addstr(out, "COMMIT;\n");
}

static void load_any(struct strbuf *out)
{
	strbuf_addstr(out, sql_load);
}

const struct tables_script tables_scripts[] = {
	{ "schema-clickhouse.sql", write_clickhouse },
	{ "schema-clickhouse-cluster.sql", write_cluster },
	{ "schema-duckdb.sql", write_duckdb },
	{ "schema-postgresql.sql", write_postgresql },
	{ "load-duckdb.sql", load_duckdb },
	{ "load-postgresql.sql", load_postgresql },
	{ "load", load_any },
};
const size_t tables_script_count = sizeof(tables_scripts) / sizeof(tables_scripts[0]);
