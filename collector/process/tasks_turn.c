/* SPDX-License-Identifier: Apache-2.0 */
#include "process/tasks.h"

void tasks_turn(struct tasks *t, const struct strtab *old)
{
	t->ids = t->thread_ids = t->names.count = 0;
	t->names.unnamed = t->given_up = t->room.emptied = 0;
	t->processes_seen = t->threads_seen = 0;
	vec_for_each(struct process, p, &t->processes) {
		task_name_turn(&p->name, old);
		p->id = TASK_NO_ID;
		p->parent_row = 0;
		p->start_ns = 0;
		p->command_wanted = false;
		t->processes_seen += p->live > 0;
	}
	vec_for_each(struct thread, th, &t->threads) {
		task_name_turn(&th->name, old);
		th->id = TASK_NO_ID;
		th->born_ns = 0;
		t->threads_seen += !th->ended;
	}
}
