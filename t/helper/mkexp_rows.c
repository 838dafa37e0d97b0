/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of an experiment, and what several of its parts share. */
#include "mkexp.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"

void mkexp_fail(const char *what, const char *text)
{
	fprintf(stderr, "mkexp: %s: %s\n", what, text);
	exit(1);
}

uint64_t mkexp_string(struct maker *m, const char *text)
{
	uint32_t id = strtab_intern(&m->strings, text);

	while (m->strings_written < id)
		exp_write_string(m->out, strtab_get(&m->strings, ++m->strings_written));
	return id;
}

uint32_t mkexp_row(struct maker *m, enum exp_table table, const uint64_t *row)
{
	exp_write_row(m->out, table, row);
	return m->counts[table]++;
}

void mkexp_set_thread(struct maker *m, uint64_t pid, uint64_t tid, const char *name)
{
	uint32_t next = m->counts[EXP_PROCESSES];
	uint32_t process = idmap_intern(&m->processes, pid, 0, next);
	uint64_t text;

	if (process == next)
		mkexp_row(m, EXP_PROCESSES,
			  (uint64_t[]){ pid, 0, mkexp_string(m, name), 0 });
	text = mkexp_string(m, name); /* a thread has a row for each of its names */
	next = m->counts[EXP_THREADS];
	m->thread = idmap_intern(&m->threads, pid << 32 | tid, (uint32_t)text, next);
	if (m->thread == next)
		mkexp_row(m, EXP_THREADS, (uint64_t[]){ process, tid, text, 0 });
}

void mkexp_add_event(struct maker *m, const char *metric, const char *unit,
		     const char *label)
{
	*vec_push(&m->log.events) = (struct exp_event){
		.asked = xstrdup(metric),
		.got = xstrdup(metric),
		.reason = xstrdup(""),
		.metric = xstrdup(metric),
		.label = xstrdup(label),
		.unit = xstrdup(unit),
		.scale = 1,
	};
	m->event = m->log.events.len - 1;
}
