/* SPDX-License-Identifier: Apache-2.0 */
/* export sqlite: experiments as tables of a database, one after another. */
#include "export/export.h"
#include "export/rows.h"
#include "export/sqlite_db.h"
#include "views/views.h"

static int write_sqlite(struct session *s, const char *path, struct strbuf *err)
{
	struct row_sink *db;
	int status = rows_refuse_parts(s, "sqlite", err);

	if (status)
		return status;
	db = sqlite_open(path);
	status = rows_write(s, db, path, err);
	sqlite_close(db);
	return status;
}

const struct export_format export_sqlite = {
	.apart = true,
	.write_file = write_sqlite,
};
