/* SPDX-License-Identifier: Apache-2.0 */
/* One recording, several experiments: what is of an experiment alone begins anew. */
#include <assert.h>

#include "recording/recording.h"
#include "stack/beyond.h"

/* The counts of the log. */
static void turn_counts(struct recording *rec, uint64_t lost)
{
	if (lost > rec->lost)
		rec->lost_before += lost - rec->lost;
	rec->samples_before = rec->samples;
	rec->throttled = rec->unthrottled = rec->bad = 0;
	rec->lost = rec->lost_samples = 0;
	rec->blurred = false;
	for (size_t kind = 0; kind < EXP_LEFT_KINDS; kind++)
		rec->left_out[kind] = 0;
	vec_for_each(struct recording_event, event, &rec->events)
		*event = (struct recording_event){ 0 };
}

void recording_settle(struct recording *rec, uint64_t at_ns)
{
	command_lines_turn(&rec->command_lines, at_ns);
}

void recording_turn(struct recording *rec, struct exp_writer *writer, uint64_t at_ns,
		    uint64_t lost)
{
	const uint64_t passed = at_ns - rec->start_ns;
	struct intern old = rec->in;

	assert(!rec->waiting);
	rec->writer = writer;
	intern_init(&rec->in, writer);
	tasks_turn(&rec->tasks, &old.strings);
	vec_for_each(const struct thread, th, &rec->tasks.threads)
		beyond_forget_top(th->beyond);
	module_table_turn(&rec->modules);
	stack_builder_turn(&rec->stack);
	tally_turn(&rec->tally);
	details_turn(&rec->details, &old, &rec->in);
	generated_release(&rec->generated);
	rec->generated = (struct generated){ 0 };
	rec->untraceable.stopped = rec->untraceable.tasks = 0;
	rec->untraceable.names_len = 0;
	turn_counts(rec, lost);
	rec->start_ns = at_ns;
	spans_shift(&rec->times, passed);
	intern_release(&old);
}
