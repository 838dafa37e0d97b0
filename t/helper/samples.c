/* SPDX-License-Identifier: Apache-2.0 */
/*
 * samples NAME.er: a line for each sample of an experiment, in its order:
 *
 *	event  weight  name of the thread  module of the leaf  pid/tid  cpu  frames of the chain
 *
 * with the module's kind behind its path, and no module where the stack is empty.
 *
 * samples --stacks NAME.er: the frames of each, leaf first: "k" for a kernel frame, else
 * the offset in its file in hex, for a return address that of the call.
 *
 * samples --waits NAME.er: each wait as "W tid from to state pid node", node 0 where it has no stack,
 * then each life as "L tid from to flags pid".
 *
 * samples --wakers NAME.er: each wait whose end has a known cause as "tid from to kind waker node",
 * with the numbers of table 26 of ringprof-experiment(5), the waker's tid, and node as above.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "experiment/read.h"

static const struct exp_frame *frame_of(const struct experiment *exp, uint64_t node)
{
	return &exp->frames.data[exp->nodes.data[node].frame];
}

static bool is_artificial(const struct experiment *exp, uint64_t node)
{
	return node &&
	       exp->modules.data[frame_of(exp, node)->module].kind == EXP_KIND_ARTIFICIAL;
}

/* Frames of the chain: the place of a precise event beside it is none. */
static unsigned depth(const struct experiment *exp, uint64_t node)
{
	uint64_t parent = exp->nodes.data[node].parent;
	unsigned frames = 0;

	if (is_artificial(exp, parent) && frame_of(exp, parent)->offset == EXP_SKID)
		node = parent;
	for (; node; node = exp->nodes.data[node].parent)
		frames += !is_artificial(exp, node);
	return frames;
}

static void print_leaf(const struct experiment *exp, uint64_t node)
{
	const struct exp_module *m;

	if (!node) {
		printf("\t0");
		return;
	}
	m = &exp->modules.data[exp->frames.data[exp->nodes.data[node].frame].module];
	printf("%s\t%d", experiment_string(exp, m->path), (int)m->kind);
}

static void print_sample(const struct experiment *exp, const struct exp_samples *s,
			 size_t i)
{
	const struct exp_thread *t = &exp->threads.data[s->thread[i]];

	printf("%" PRIu64 "\t%" PRIu64 "\t%s\t", s->event[i], s->weight[i],
	       experiment_string(exp, t->name));
	print_leaf(exp, s->node[i]);
	printf("\t%" PRId64 "/%" PRId64 "\t%" PRId32 "\t%u\n",
	       exp->processes.data[t->process].pid, t->tid, (int32_t)s->cpu[i],
	       depth(exp, s->node[i]));
}

static void print_frame(const struct experiment *exp, const struct exp_frame *frame)
{
	enum exp_module_kind kind = exp->modules.data[frame->module].kind;

	if (kind == EXP_KIND_ARTIFICIAL)
		return;
	if (kind == EXP_KIND_KERNEL || kind == EXP_KIND_KERNEL_MODULE)
		printf(" k");
	else
		printf(" %" PRIx64, frame->offset - !!(frame->flags & EXP_FRAME_RETURN));
}

static void print_stack(const struct experiment *exp, const struct exp_samples *s,
			size_t i)
{
	for (uint64_t node = s->node[i]; node; node = exp->nodes.data[node].parent)
		print_frame(exp, &exp->frames.data[exp->nodes.data[node].frame]);
	putchar('\n');
}

static void print_wait(const struct experiment *exp, const struct exp_samples *s,
		       size_t i)
{
	const struct exp_thread *t = &exp->threads.data[s->thread[i]];
	const char *state = exp->log.events.data[s->event[i]].state;
	bool has_stack = depth(exp, s->node[i]) > 0;

	if (state && *state)
		printf("W %" PRId64 " %" PRIu64 " %" PRIu64 " %s %" PRId64 " %d\n",
		       t->tid, s->time_ns[i] - s->weight[i], s->time_ns[i], state,
		       exp->processes.data[t->process].pid, has_stack);
}

static void print_waker(const struct experiment *exp, const struct exp_samples *s,
			size_t i)
{
	const struct exp_waker *by = experiment_waker(exp, s->waker[i]);

	if (by->kind)
		printf("%" PRId64 " %" PRIu64 " %" PRIu64 " %d %" PRId64 " %d\n",
		       exp->threads.data[s->thread[i]].tid, s->time_ns[i] - s->weight[i],
		       s->time_ns[i], (int)by->kind,
		       by->kind == EXP_WAKER_OF_RECORDING
			       ? exp->threads.data[by->thread].tid
			       : 0,
		       depth(exp, by->node) > 0);
}

static void print_lives(const struct experiment *exp)
{
	vec_for_each(const struct exp_life, life, &exp->lives) {
		const struct exp_thread *t = &exp->threads.data[life->thread];

		printf("L %" PRId64 " %" PRIu64 " %" PRIu64 " %u %" PRId64 "\n", t->tid,
		       life->from_ns, life->to_ns, life->flags,
		       exp->processes.data[t->process].pid);
	}
}

static const struct {
	const char *option;
	void (*print)(const struct experiment *exp, const struct exp_samples *s,
		      size_t i);
	void (*finish)(const struct experiment *exp);
} forms[] = {
	{ "", print_sample, NULL },
	{ "--stacks", print_stack, NULL },
	{ "--waits", print_wait, print_lives },
	{ "--wakers", print_waker, NULL },
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

static size_t form_of(const char *option)
{
	size_t i = FORMS - 1;

	while (i && strcmp(forms[i].option, option))
		i--;
	return i;
}

int main(int argc, char **argv)
{
	const size_t form = form_of(argc > 1 ? argv[1] : "");
	struct strbuf err = { 0 };
	struct experiment *exp;
	struct exp_walk walk = { 0 };
	struct exp_samples samples;
	int status;

	if (argc != 2 + (form > 0) || experiment_open(argv[1 + (form > 0)], &exp, &err)) {
		fprintf(stderr,
			"usage: samples [--stacks | --waits | --wakers] NAME.er %s\n",
			strbuf_str(&err));
		strbuf_release(&err);
		return 2;
	}
	while ((status = experiment_next(exp, &walk, &samples)) > 0)
		for (size_t i = 0; i < samples.count; i++)
			forms[form].print(exp, &samples, i);
	if (forms[form].finish)
		forms[form].finish(exp);
	exp_walk_release(&walk);
	experiment_free(exp);
	strbuf_release(&err);
	return status < 0 || fflush(stdout) == EOF;
}
