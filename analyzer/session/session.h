/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of er_print: the experiments, the settings made by commands, and the output.
 * Commands share it, one after another.
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
#include "session/index_objects.h"
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

/* The user's settings. */
struct settings {
	/*
	 * the user's text, for later experiments; NULL: none, which sorts by the first
	 * displayed metric
	 */
	char *metrics_spec, *sort_spec;
	struct metric_list metrics;
	struct sort_key sort;
	bool sort_known;
	size_t limit; /* rows; 0: all */
	struct hidden hidden;
	bool no_inlines;            /* inlined functions belong to those with symbols */
	struct selection selection; /* the source of the model's filter */
	/* what each word refused since it last succeeded, filters being the last; or NULL */
	char *refused[SELECTS + 1];
	bool interval;       /* metrics are shown with their 95 % interval */
	bool full_recursion; /* the call tree shows every call of a recursion */
	enum compare_mode compare;
	bool fail_given;   /* an increase above fail_above sets the exit status */
	double fail_above; /* percent of the base's whole */
	bool open_page;    /* a report is shown in a browser */
	struct source_paths paths;
	struct index_objects index_objects;
	VEC(char *) symfs; /* directories, and NULL; the model borrows them */
	unsigned source_threshold, disasm_threshold; /* percent of the most */
};

struct session {
	struct model model;       /* the experiments */
	struct progress progress; /* the model's */
	struct settings set;
	/* data computed from them on demand */
	struct analysis analysis; /* through session_analysis */
	struct names names;
	/* state that commands leave for later ones */
	struct fragment fragment; /* for csingle and its like */
	struct strbuf next_note;  /* for the next table: how its function was found */
	bool compare_due;         /* requested, and no view has compared since */
	bool reading_rc;          /* defaults; some need two sides */
	double worst_increase;    /* percent of the base's whole */
	size_t stale_told;        /* for objects below it a changed file was reported */
	unsigned script_depth;    /* scripts that run one another */
	int exit_status;          /* of the first mistake; 0: there was none */
	VEC(char *) untold;       /* mistakes to report when the pager ends */
	bool incomplete;          /* an experiment could not be opened */
	bool quit;
	struct output out;
};

/* No experiments yet: session_open adds them. */
void session_init(struct session *s);
void session_release(struct session *s);

/* Adds an experiment to a group, from 0.  0 or a negative code with a sentence in ERR. */
int session_open(struct session *s, const char *path, uint32_t group, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Whether session_open would add it; as that, and changes nothing. */
int session_can_open(const struct session *s, const char *path, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Closes the experiments with indices in [FIRST, FIRST + COUNT).  Settings stay, except
 * those that refer to functions.  The others are summed up again.  0, or a negative code
 * with a sentence in ERR: the filter cannot be applied to them.
 */
int session_close(struct session *s, size_t first, size_t count, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * From now on looks for objects' files below these directories, separated by colons, and
 * sums the experiments up again.  Errors as above.
 */
int session_set_symfs(struct session *s, const char *list, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * From now on looks in TO for the sources and objects that were in FROM, and sums the
 * experiments up again if they have such objects.  Errors as above.
 */
int session_map_path(struct session *s, const char *from, const char *to,
		     struct strbuf *err) __attribute__((warn_unused_result));

/*
 * From now on stacks are below the regions in which they were sampled, or not; sums the
 * experiments up again.  Errors as above.
 */
int session_group(struct session *s, bool by_region, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * The data for views, with at least PARTS of it, a bit each (analysis.h).  Valid until
 * more parts are requested, or its inputs change: a view requests everything at once.
 * May add functions to the model.
 */
const struct analysis *session_analysis(struct session *s, unsigned parts);

/*
 * After a change of INPUTS, a bit each (analysis.h): invalidates data made from them, and
 * selects and sets the metrics again if that depends on them.
 */
void session_changed(struct session *s, unsigned inputs);

/*
 * To compare: functions that correspond share an id, their row in PARTS.  The caller
 * releases PARTS and OUT.
 */
void session_shown_apart(struct session *s, struct counterparts *parts,
			 struct frame_map *out);

/*
 * The sums of session_shown_apart's result, with separate sources.  The caller owns OUT.
 */
void session_sums_apart(const struct session *s, const struct counterparts *parts,
			const struct frame_map *frames, struct sums *out);

/* The functions of frames, whatever is hidden.  The caller releases OUT. */
void session_frames(struct session *s, struct frame_map *out);

/* The same as displayed: those of hidden objects as their stand-ins. */
void session_shown(struct session *s, struct frame_map *out);

/* The same of lines.  The caller releases OUT. */
void session_shown_sites(struct session *s, struct sites *out);

/* Whether inlined functions are functions. */
void session_set_inlines(struct session *s, bool on);

/*
 * Makes the model count only the selection.  0, or a negative code with a sentence in
 * ERR, and counts unchanged.
 */
int session_select(struct session *s, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Whether the experiments are two groups, which can be compared. */
bool session_has_groups(const struct session *s);

/* metric_list_parse and sort_key_parse; make the parts of metrics that are named. */
int session_parse_metrics(struct session *s, const char *spec, struct metric_list *out,
			  struct strbuf *err) __attribute__((warn_unused_result));
int session_parse_sort(struct session *s, const char *text, struct sort_key *out,
		       struct strbuf *err) __attribute__((warn_unused_result));

/* The current sort key. */
struct sort_key session_sort(const struct session *s);

/* A function's name in the user's style; valid until `name` changes. */
const char *session_function(struct session *s, uint32_t function);

/* Passes a view's answer to the output, and empties TABLE.  0 or a negative errno. */
int session_show(struct session *s, struct table *table)
	__attribute__((warn_unused_result));

#endif
