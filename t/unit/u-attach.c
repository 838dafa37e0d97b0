/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc says of a process that is looked up twice, as the recording begins. */
#include "collector/attach.h"

#include <stdlib.h>

#include "experiment/read.h"
#include "sample/sample_attr.h"
#include "scratch.h"
#include "tap.h"

static const char *name_of(struct recording *rec, uint32_t tid)
{
	struct thread *th = tasks_find_thread(&rec->tasks, tid);

	return th ? strtab_get(&rec->in.strings, tasks_name_id(&rec->tasks, &th->name))
		  : "";
}

static uint32_t row_of(struct recording *rec, uint32_t tid)
{
	return tasks_thread_id(&rec->tasks, tasks_thread(&rec->tasks, 10, tid));
}

int main(void)
{
	struct recording_setup setup = { .format = sample_format(STACK_OFF),
					 .mode = STACK_OFF };
	char *root = scratch_make(), *written = scratch_make();
	struct recording rec;
	uint32_t row;

	if (exp_writer_open(written, &setup.writer))
		exit(99);
	setup.root = root;
	recording_init(&rec, &setup);
	scratch_text(root, "proc/10/maps", "");
	scratch_text(root, "proc/10/task/10/comm", "sh\n");
	scratch_text(root, "proc/10/task/11/comm", "worker\n");
	attach_process(&rec, root, 10);
	is_str(name_of(&rec, 10), "sh", "a name");
	row = row_of(&rec, 11);
	scratch_text(root, "proc/10/task/10/comm", "program\n");
	scratch_text(root, "proc/10/task/12/comm", "late\n");
	attach_process(&rec, root, 10);
	is_str(name_of(&rec, 10), "program", "what was executed between");
	is_str(name_of(&rec, 12), "late", "who was born between");
	is_u64(row_of(&rec, 11), row, "the same name is the same row");
	is_u64(rec.tasks.threads_seen, 3, "each is one thread");
	is_str(name_of(&rec, 11), "worker", "with its name");
	recording_release(&rec);
	if (exp_writer_close(setup.writer))
		exit(99);
	scratch_remove(written);
	scratch_remove(root);
	return done_testing();
}
