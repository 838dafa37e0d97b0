/* SPDX-License-Identifier: Apache-2.0 */
#include "tables/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/program.h"
#include "base/xalloc.h"

void fields_init(struct table *table, const char *key, const char *title)
{
	*table = (struct table){
		.key = key,
		.joins = true,
		.layout = LAYOUT_FIELDS,
	};
	if (title)
		table_set_title(table, xstrdup(title));
	table_column(table, "label", "Label", COLUMN_TEXT);
	table_column(table, "value", "Value", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

void fields_add(struct table *table, size_t experiment, const char *label,
		const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		program_die_oom();
	va_end(args);
	table_add_text(table, label);
	table_add_text(table, text);
	table_add_number(table, experiment);
	free(text);
}
