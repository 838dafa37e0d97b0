/* SPDX-License-Identifier: Apache-2.0 */
/* pcs, psummary: each address once, with its metrics. */
#include <inttypes.h>

#include "rows/group_view.h"
#include "model/pcs.h"
#include "rows/view.h"
#include "views/views.h"

static const struct pc *pc_at(const void *pcs, uint32_t group)
{
	return &((const struct pcs *)pcs)->pcs.data[group];
}

/* "main + 0x1f"; of another build, whose functions lie elsewhere, the bare offset. */
static void put_name(struct session *s, const void *pcs, uint32_t group,
		     struct strbuf *out)
{
	const struct pc *pc = pc_at(pcs, group);
	const struct function *f = &s->model.functions.data[pc->function];
	uint64_t into = pc->offset - f->start;

	strbuf_addstr(out, session_function(s, pc->function));
	if (s->model.objects.data[pc->object].kind == EXP_KIND_ARTIFICIAL)
		return;
	if (pc->offset >= f->start && (!f->size || into < f->size))
		strbuf_addf(out, " + 0x%" PRIx64, into);
	else
		strbuf_addf(out, " at 0x%" PRIx64, pc->offset);
}

static void add_columns(struct table *table)
{
	table_column(table, "function", "Function", COLUMN_TEXT);
	table_column(table, "address", "Address", COLUMN_HEX);
	table_column(table, "object", "Object", COLUMN_TEXT);
	table_machine_column(table, "function_id", COLUMN_TEXT);
}

static void add_cells(struct session *s, const void *pcs, uint32_t group,
		      struct table *table)
{
	const struct pc *pc = pc_at(pcs, group);

	table_add_text(table, session_function(s, pc->function));
	table_add_number(table, pc->offset);
	table_add_text(table, object_path(&s->model, pc->object));
	view_function_id(s, pc->function, table);
}

static bool address_of(struct session *s, const void *pcs, uint32_t group, uint64_t *out)
{
	const struct pc *pc = pc_at(pcs, group);

	*out = pc->offset;
	return s->model.objects.data[pc->object].kind != EXP_KIND_ARTIFICIAL;
}

static const struct group_kind kind = {
	.key = "pcs",
	.title = "PCs",
	.name = put_name,
	.columns = add_columns,
	.cells = add_cells,
	.address = address_of,
};

static int show(struct session *s, bool whole, struct strbuf *err)
{
	struct pcs pcs;
	struct sums sums;
	int status;

	pcs_build(&pcs, &s->model);
	sums_build(&sums, &s->model, &pcs.map, false);
	status = group_view_show(s, &kind, &pcs, &sums, whole, err);
	sums_release(&sums);
	pcs_release(&pcs);
	return status;
}

static int run_pcs(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show(s, false, err);
}

const struct cmd cmd_pcs = {
	.name = "pcs",
	.args = "",
	.help = "every address with its metrics",
	.run = run_pcs,
	.comparable = "lines or disasm",
};

static int run_psummary(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show(s, true, err);
}

const struct cmd cmd_psummary = {
	.name = "psummary",
	.args = "",
	.help = "every address in full",
	.run = run_psummary,
	.comparable = "lines or disasm",
};
