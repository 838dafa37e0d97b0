/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/recording.h"

#include <time.h>

#include "stack/beyond.h"
#include "stack/stack.h"

void recording_init(struct recording *rec, const struct recording_setup *setup)
{
	*rec = (struct recording){
		.format = setup->format,
		.writer = setup->writer,
		.start_ns = setup->start_ns,
		.late = setup->from_ns > 0,
		.alone = setup->alone,
		.unborn_pid = setup->unborn_pid,
		.everyone = setup->everyone && !setup->alone,
		.meet = setup->meet,
		.root = setup->root,
	};
	spans_add(&rec->times, setup->from_ns, setup->to_ns ? setup->to_ns : UINT64_MAX);
	rec->details.by_thread = setup->groups;
	intern_init(&rec->in, setup->writer);
	module_table_init(&rec->modules);
	rec->modules.elsewhere = !setup->root;
	rec->modules.trust_paths = setup->trust_paths;
	rec->modules.began_ns = time(NULL) * INT64_C(1000000000);
	if (setup->root)
		kernel_map_init(&rec->kernel, &rec->modules, setup->root);
	else
		kernel_map_init_unknown(&rec->kernel, &rec->modules);
	tasks_init(&rec->tasks, &rec->in);
	rec->tasks.free_beyond = beyond_free;
	command_lines_init(&rec->command_lines, setup->root, &rec->modules.patient,
			   &rec->tasks);
	stack_builder_init(&rec->stack, setup->mode, &rec->in, &rec->modules,
			   &rec->kernel);
	rec->stack.regs_mask = setup->format.regs_user;
	rec->stack.splice = !setup->no_splice;
	rec->stack.holes = setup->holes;
	rec->stack.beyond_shared = setup->beyond_shared;
	rec->stack.made = setup->made;
	if (!setup->unborn_pid)
		return;
	rec->untraceable.told_pid = setup->untraceable ? setup->unborn_pid : 0;
	tasks_thread(&rec->tasks, setup->unborn_pid, setup->unborn_pid);
}

void recording_begin(struct recording *rec, uint64_t now_ns)
{
	rec->start_ns = now_ns;
}

uint64_t recording_stacks(const struct recording *rec)
{
	return rec->samples + (rec->waiting ? rec->waiting->stacks : 0);
}

void recording_hides(struct recording *rec, uint32_t cpu, uint64_t until_ns)
{
	if (rec->waiting)
		waiting_hides(rec->waiting, cpu,
			      until_ns > rec->start_ns ? until_ns - rec->start_ns : 0);
}

void recording_stop(struct recording *rec, uint64_t now_ns)
{
	if (rec->waiting)
		waiting_stop(rec->waiting,
			     now_ns > rec->start_ns ? now_ns - rec->start_ns : 0);
}

void recording_release(struct recording *rec)
{
	stack_builder_release(&rec->stack);
	command_lines_release(&rec->command_lines);
	tasks_release(&rec->tasks);
	kernel_map_release(&rec->kernel);
	module_table_release(&rec->modules);
	intern_release(&rec->in);
	group_counts_release(&rec->counts);
	tally_release(&rec->tally);
	details_release(&rec->details);
	generated_release(&rec->generated);
	stagger_book_release(&rec->stagger);
	sources_release(&rec->sources);
	vec_release(&rec->events);
	spans_release(&rec->times);
}

uint64_t recording_bytes(const struct recording *rec)
{
	return exp_writer_bytes(rec->writer);
}

int recording_flush(struct recording *rec)
{
	return exp_writer_flush(rec->writer);
}

int recording_status(const struct recording *rec)
{
	return exp_writer_status(rec->writer);
}

void recording_expect(struct recording *rec, uint32_t events)
{
	while (rec->events.len < events)
		*vec_push(&rec->events) = (struct recording_event){ 0 };
}
