/* SPDX-License-Identifier: Apache-2.0 */
#include "tasks_world.h"

#include <stdlib.h>

#include "experiment/log.h"
#include "scratch.h"
#include "tap.h"

void world_open(struct world *w)
{
	*w = (struct world){ .root = scratch_make() };
	if (exp_writer_open(w->root, &w->writer))
		exit(99);
	intern_init(&w->in, w->writer);
	tasks_init(&w->tasks, &w->in);
}

void world_read(struct world *w)
{
	struct exp_log log = { 0 };
	struct strbuf err = { 0 };

	if (exp_writer_close(w->writer) || exp_log_write(&log, w->root) ||
	    experiment_open(w->root, &w->exp, &err))
		exit(99);
	w->writer = NULL;
	ok(!w->exp->truncated, "the experiment is whole");
	strbuf_release(&err);
}

void world_close(struct world *w)
{
	experiment_free(w->exp);
	tasks_release(&w->tasks);
	intern_release(&w->in);
	if (exp_writer_close(w->writer))
		exit(99);
	scratch_remove(w->root);
}

uint32_t hit(struct world *w, uint32_t pid, uint32_t tid)
{
	return tasks_thread_id(&w->tasks, tasks_thread(&w->tasks, pid, tid));
}

void map(struct world *w, uint32_t pid, uint64_t start, uint32_t module)
{
	w->refused += tasks_map(&w->tasks, tasks_process(&w->tasks, pid),
				&(struct mapping){ start, start + 0x1000, 0, module });
}

uint32_t module_at(struct world *w, uint32_t pid, uint64_t address)
{
	const struct mapping *m = space_find(&tasks_process(&w->tasks, pid)->space,
					     address);

	return m ? m->module : 0;
}

const char *name_of(const struct world *w, uint32_t string)
{
	return experiment_string(w->exp, string);
}
