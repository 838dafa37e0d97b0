/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is beside the tables of `export tables`: their schema for each engine, and the
 * script that loads them.
 */
#ifndef TABLES_SQL_H
#define TABLES_SQL_H

#include "base/strbuf.h"

struct tables_script {
	const char *name; /* of the file */
	void (*write)(struct strbuf *out);
};

extern const struct tables_script tables_scripts[];
extern const size_t tables_script_count;

/* share/sql/load, views.sql and views-clickhouse.sql */
extern const char sql_load[], sql_views[], sql_clickhouse_views[];

#endif
