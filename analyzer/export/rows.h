/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments as the rows of tables (share/sql/SCHEMA.md), for a sink.  Each is alone in a
 * session, so its rows do not depend on the others that happen to be open.
 *
 * The rows of an experiment have ids one after another in each table that is its own:
 * that of thread T is first_thread + T.  Objects, functions, files and lines belong to
 * all experiments.
 */
#ifndef ROWS_H
#define ROWS_H

#include "export/row_sink.h"
#include "model/frame_map.h"
#include "model/open_regions.h"
#include "model/regions.h"
#include "model/sites.h"
#include "session/session.h"
#include "base/fnv.h"
#include "base/idmap.h"
#include "base/vec.h"

/* What of branches does not depend on the sink; all-zero but ANY, if there are none. */
struct row_regions {
	bool any;
	int64_t first; /* id of the branch of row 0 of … */
	struct region_sums sums;
	uint32_t *of_path; /* → row */
	struct open_regions open;
	bool *unsampled; /* by node */
};

struct row_export {
	struct row_sink *sink;
	struct session *session; /* with this experiment only */
	struct experiment *exp;
	struct strbuf identity; /* of the recording, wherever a copy of it lies */
	int64_t id;             /* of the experiment */
	int64_t first_metric, first_event, first_process, first_thread;
	int64_t first_module, first_frame, first_node, first_sample;
	const struct analysis *analysis;
	const struct site *sites;
	const struct frame_map *lines; /* frames as sites */
	/* with inlined functions off, the sites are the functions */
	VEC(struct site) whole;
	struct frame_map whole_map;
	int64_t *object, *function, *line; /* ids by the model's, by site; 0: not yet */
	struct idmap hashes;               /* of functions → function */
	int64_t *frame;                    /* ids by frame */
	int64_t *leaf; /* by node of the experiment: the row where its samples end */
	struct row_regions regions;
};

static inline const struct model *rows_model(const struct row_export *e)
{
	return &e->session->model;
}

/* Computes what takes long, before SINK begins.  The caller releases OUT. */
void row_export_init(struct row_export *out, struct session *session,
		     struct row_sink *sink);
void row_export_release(struct row_export *e);

void rows_identify(struct row_export *e);

/* Their ids in the sink, which gets those that it lacks. */
int64_t rows_object(struct row_export *e, uint32_t object);
int64_t rows_function(struct row_export *e, uint32_t function);
int64_t rows_line(struct row_export *e, uint32_t site);

void rows_regions_init(struct row_regions *out, struct session *session);
void rows_regions_release(struct row_regions *regions);

/* The row of branches that a sample belongs to; ROWS_NO_BRANCH: there are no regions. */
#define ROWS_NO_BRANCH UINT32_MAX
uint32_t rows_branch(const struct row_export *e, const struct exp_samples *s, size_t i);

/* Each adds the rows of its tables, in this order. */
void rows_put_run(struct row_export *e);
void rows_put_regions(struct row_export *e);
void rows_put_code(struct row_export *e);
void rows_put_nodes(struct row_export *e);
void rows_put_samples(struct row_export *e);
void rows_put_totals(struct row_export *e);
void rows_put_region_totals(struct row_export *e);

/*
 * All experiments of S, each whole or not at all.  PATH is the sink's, for messages.  0, or
 * CMD_FAILED with a sentence in ERR, which names those that the sink had already.
 */
int rows_write(struct session *s, struct row_sink *sink, const char *path,
	       struct strbuf *err) __attribute__((warn_unused_result));

/* Whether S selects parts of recordings: 0, or CMD_FAILED with a sentence that names FORM. */
int rows_refuse_parts(const struct session *s, const char *form, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
