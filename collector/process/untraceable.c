/* SPDX-License-Identifier: Apache-2.0 */
#include "process/untraceable.h"

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
	if (p->pid == g->told_pid) {
		g->told_pid = 0;
		return;
	}
	g->tasks++;
	add_name(g, task_name_id(&tasks->names, &p->name));
}
