/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of experiments (share/sql/SCHEMA.md) while it is written: a sink of rows.
 * Text is a BLOB if it is not valid UTF-8.
 */
#ifndef SQLITE_DB_H
#define SQLITE_DB_H

#include "export/row_sink.h"

/* Opens or makes the file at PATH.  Never NULL; the caller passes it to sqlite_close. */
struct row_sink *sqlite_open(const char *path);
void sqlite_close(struct row_sink *sink);

/* schema.sql */
extern const char sql_schema[];

#endif
