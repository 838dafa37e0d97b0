/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of er_print: the experiments, what was set by commands so far, and where
 * answers go.  Each command works on it and leaves it as the next one is to find it.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "model/analysis.h"
#include "compare/counterparts.h"
#include "tables/metric_spec.h"
#include "model/model.h"
#include "model/names.h"
#include "render/output.h"
#include "base/progress.h"
#include "model/source_text.h"
#include "session/selection.h"
#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

enum compare_mode {
	COMPARE_OFF,
	COMPARE_ON,
	COMPARE_DELTA,
	COMPARE_RATIO,
	COMPARE_MODES
};

/* Functions that follow one another in a stack, see callers_build_fragment. */
struct fragment {
	uint32_t *data;
	size_t len, cap;
};

/* What the user has set. */
struct settings {
	/* as the user said them, for experiments that come later; NULL: not at all, which
	 * sorts by the first metric that is seen */
	char *metrics_spec, *sort_spec;
	struct metric_list metrics;
	struct sort_key sort;
	bool sort_known;
	size_t limit; /* rows; 0: all */
	struct hidden hidden;
	bool no_inlines; /* inlined functions are part of those that the linker knows */
	struct selection selection; /* what the model's filter is made of */
	bool interval;              /* metrics are shown with their 95 % interval */
	enum compare_mode compare;
	bool fail_given;   /* an increase above fail_above sets the exit status */
	double fail_above; /* percent of the base's whole */
	struct source_paths paths;
	VEC(char *) symfs; /* directories, and NULL; the model borrows them */
	unsigned source_threshold, disasm_threshold; /* percent of the most */
};

struct session {
	struct model model;       /* the experiments */
	struct progress progress; /* the model's */
	struct settings set;
	/* what is computed of them, when it is asked for */
	struct analysis analysis; /* through session_analysis */
	struct names names;
	/* what commands leave for later ones */
	struct fragment fragment; /* what csingle and its like show */
	bool compare_due;         /* requested, and no view has compared since */
	double worst_increase;    /* percent of the base's whole */
	size_t stale_told; /* objects below it: that their file has changed was said */
	unsigned script_depth; /* scripts that run one another */
	bool quit;
	struct output out;
};

/* No experiments yet: what they are and what depends on them comes by session_open. */
void session_init(struct session *s);
void session_release(struct session *s);

/* Adds an experiment to a group, from 0.  0 or a negative code with a sentence in ERR. */
int session_open(struct session *s, const char *path, uint32_t group, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Ends with the experiments whose indices are in [FIRST, FIRST + COUNT); what was set
 * stays, but what speaks of functions ends.  The others are read anew: 0, or a negative
 * code with a sentence in ERR, and the session as it was.
 */
int session_close(struct session *s, size_t first, size_t count, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Looks for objects' files below these directories, separated by colons, from now on, and
 * rereads the experiments.  Errors as above.
 */
int session_set_symfs(struct session *s, const char *list, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Metrics and order as the user said; what the experiments have not is as at the start. */
void session_set_metrics(struct session *s);

/*
 * What views are made of, with at least PARTS of it, a bit each (analysis.h).  Good until
 * more parts are asked for, or what it depends on changes: a view asks for all that it
 * needs at once.  May add functions to the model.
 */
const struct analysis *session_analysis(struct session *s, unsigned parts);

/*
 * After a change of INPUTS, a bit each (analysis.h): ends what was made of them, selects
 * and sets the metrics again where that depends on them.
 */
void session_changed(struct session *s, unsigned inputs);

/*
 * To compare: functions that correspond are one id, their row in PARTS.  PARTS and OUT are
 * the caller's to release.
 */
void session_shown_apart(struct session *s, struct counterparts *parts,
			 struct frame_map *out);

/* The sums of what session_shown_apart gave, with separate sources.  OUT is the caller's. */
void session_sums_apart(const struct session *s, const struct counterparts *parts,
			const struct frame_map *frames, struct sums *out);

/* What functions frames are, whatever is hidden.  OUT is the caller's to release. */
void session_frames(struct session *s, struct frame_map *out);

/* What they are shown as: those of hidden objects as what stands for them. */
void session_shown(struct session *s, struct frame_map *out);

/* The same of lines.  The caller releases OUT. */
void session_shown_sites(struct session *s, struct sites *out);

/* Whether inlined functions are functions. */
void session_set_inlines(struct session *s, bool on);

/*
 * Makes the model count what the selection says.  0, or a negative code with a sentence
 * in ERR, and all counts as before.
 */
int session_select(struct session *s, struct strbuf *err)
	__attribute__((warn_unused_result));

/* What sorts the tables now. */
struct sort_key session_sort(const struct session *s);

/* A function as the user wants to see it; good until `name` changes. */
const char *session_function(struct session *s, uint32_t function);

/* Hands a view's answer to the output, and empties TABLE.  0 or a negative errno. */
int session_show(struct session *s, struct table *table);

#endif
