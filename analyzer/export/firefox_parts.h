/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Firefox Profiler's processed format, version 60, the first with tables that all
 * threads share: docs-developer/CHANGELOG-formats.md of
 * github.com/firefox-devtools/profiler.
 *
 * Shared by the parts of its export: firefox.c begins and ends the document.  A function
 * here is a function of the model, a frame one of its sites, and a stack a node of an
 * experiment in sites.  Each thread appears once for every metric in which it has
 * samples, with its markers in the first.
 */
#ifndef FIREFOX_PARTS_H
#define FIREFOX_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "render/json_writer.h"
#include "base/idmap.h"
#include "session/session.h"
#include "base/vec.h"

struct firefox_markers;

struct firefox {
	struct session *session;
	const struct model *model;
	struct sites sites; /* as shown */
	struct json_writer json;
	uint32_t **leaf;                 /* source → node → its stack */
	VEC(uint32_t) stacks;            /* written ones: the site of each */
	struct idmap tids;               /* → how often each was written, minus 1 */
	struct firefox_markers *markers; /* by source */
	struct idmap categories;         /* domain → its category */
	VEC(uint32_t) domains; /* of programs, by category; in the model's strings */
};

/*
 * Finds markers, and adds their strings to the model's: before anything is written.
 * The other releases them.
 */
void firefox_markers_read(struct firefox *x);
void firefox_markers_release(struct firefox *x);

/* Writes the members of meta: what kinds of markers there are. */
void firefox_put_categories(struct firefox *x);
void firefox_put_schemas(struct firefox *x);

#define FIREFOX_NO_THREAD UINT32_MAX

/* THREAD is a row with a thread's last name.  Writes its markers; FIREFOX_NO_THREAD: none. */
bool firefox_has_markers(const struct firefox *x, size_t source, uint32_t thread);
void firefox_put_markers(struct firefox *x, size_t source, uint32_t thread);

/* Writes the tables that all threads share; fills LEAF with the samples' stacks. */
void firefox_put_shared(struct firefox *x);

/* Writes the threads with their samples, after the shared tables. */
void firefox_put_threads(struct firefox *x);

/* Milliseconds, exactly. */
void firefox_put_ms(struct firefox *x, uint64_t ns);

/* Ends a table of COUNT rows. */
static inline void firefox_put_length(struct firefox *x, size_t count)
{
	json_key(&x->json, "length");
	json_unsigned(&x->json, count);
	json_end(&x->json);
}

#endif
