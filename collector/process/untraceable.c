/* SPDX-License-Identifier: Apache-2.0 */
#include "process/untraceable.h"

#include "base/strbuf.h"

static void add_name(struct untraceable *g, uint32_t name)
{
	for (size_t i = 0; i < g->names_len; i++)
		if (g->names[i] == name)
			return;
	if (g->names_len < UNTRACEABLE_NAMES)
		g->names[g->names_len++] = name;
}

void untraceable_exit(struct untraceable *g, struct tasks *tasks, struct process *p)
{
	if (!p->bare)
		return;
	if (!g->stopped++)
		g->pid = p->pid;
	add_name(g, task_name_id(&tasks->names, &p->name));
	g->tasks += p->pid != g->told_pid;
	if (p->pid == g->told_pid)
		g->told_pid = 0;
}

/* Its number may be another's by now: the idle task has no events of tasks. */
uint32_t untraceable_process(const struct untraceable *g, struct tasks *tasks,
			     const struct strtab *strings)
{
	const struct process *p = tasks_known_process(tasks, g->pid);
	uint32_t pid = p && !p->live ? g->pid : 0;
	struct strbuf name = { 0 };

	for (size_t i = 0; i < g->names_len; i++)
		strbuf_addf(&name, "%s%s", i ? ", " : "",
			    strtab_get(strings, g->names[i]));
	if (g->names_len == UNTRACEABLE_NAMES)
		strbuf_addstr(&name, ", …");
	tasks_rename(tasks, pid, pid, strbuf_str(&name));
	strbuf_release(&name);
	return pid;
}
