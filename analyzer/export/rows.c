/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments as rows, one after another. */
#include "export/rows.h"

#include "model/hidden.h"
#include "views/views.h"

enum outcome { ADDED, KNOWN, GROWING, FAILED };

/* All of it or nothing. */
static enum outcome put_all(struct row_export *e)
{
	const struct row_run run = {
		.identity = e->identity.data,
		.started_s = exp_log_started(&e->exp->log),
	};

	if (!e->sink->ops->begin(e->sink, &run))
		return row_failed(e->sink) ? FAILED : KNOWN;
	rows_put_run(e);
	rows_put_regions(e);
	rows_put_code(e);
	rows_put_nodes(e);
	rows_put_samples(e);
	rows_put_totals(e);
	rows_put_region_totals(e);
	e->sink->ops->end(e->sink);
	return row_failed(e->sink) ? FAILED : ADDED;
}

/* Alone in a session, with S's settings.  Adds to KNOWN one that SINK has already. */
static enum outcome put_source(struct session *s, size_t source, struct row_sink *sink,
			       struct strbuf *known, struct strbuf *err)
{
	struct row_export e;
	struct session alone;
	struct object_search own;
	enum outcome outcome = FAILED;

	if (experiment_is_growing(s->model.sources.data[source].exp))
		return GROWING;
	session_init(&alone);
	own = alone.model.search;
	alone.model.search = s->model.search;
	alone.model.any_size = s->model.any_size;
	session_set_inlines(&alone, !s->set.no_inlines);
	if (!row_failed(sink) &&
	    !session_open(&alone, s->model.sources.data[source].exp->path, 0, err)) {
		row_export_init(&e, &alone, sink);
		outcome = put_all(&e);
		if (outcome == KNOWN)
			strbuf_addf(known, "%s%s (%s)", known->len ? ", " : "",
				    e.exp->path, e.identity.data);
		row_export_release(&e);
	}
	alone.model.search = own;
	session_release(&alone);
	return outcome;
}

/* What was left out: 0 or CMD_FAILED. */
static int tell(const struct strbuf *known, const struct strbuf *going, const char *path,
		struct strbuf *err)
{
	if (known->len)
		strbuf_addf(err, "%s: already in %s, and not added again", known->data,
			    path);
	if (going->len)
		strbuf_addf(err, "%s%s: still being recorded, and not added yet",
			    known->len ? "; " : "", going->data);
	return known->len || going->len ? CMD_FAILED : 0;
}

int rows_write(struct session *s, struct row_sink *sink, const char *path,
	       struct strbuf *err)
{
	struct strbuf known = { 0 }, going = { 0 };
	enum outcome outcome = ADDED;
	int status = CMD_FAILED;

	for (size_t i = 0; i < s->model.sources.len && outcome != FAILED; i++) {
		outcome = put_source(s, i, sink, &known, err);
		if (outcome == GROWING) {
			strbuf_addf(&going, "%s%s", going.len ? ", " : "",
				    s->model.sources.data[i].exp->path);
			sink->left_out++;
		}
	}
	if (outcome != FAILED)
		status = tell(&known, &going, path, err);
	else if (!err->len)
		sink->ops->explain(sink, err);
	strbuf_release(&known);
	strbuf_release(&going);
	return status;
}

int rows_refuse_parts(const struct session *s, const char *form, struct strbuf *err)
{
	if (!filter_is_set(&s->model.filter) && !hidden_any(&s->set.hidden))
		return 0;
	strbuf_addf(err,
		    "export %s writes whole recordings: remove the filter and show all "
		    "objects before it",
		    form);
	return CMD_FAILED;
}
