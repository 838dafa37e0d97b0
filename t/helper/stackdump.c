/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stackdump EXPERIMENT: a line for each sample, its stack's frames, leaf first: "k" for
 * one of the kernel, else the offset in its file in hex, of the call where it is a return
 * address.
 */
#include <inttypes.h>
#include <stdio.h>

#include "exp_read.h"
#include "strbuf.h"

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

static void print_stack(const struct experiment *exp, uint64_t node)
{
	for (; node; node = exp->nodes.data[node].parent)
		print_frame(exp, &exp->frames.data[exp->nodes.data[node].frame]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct strbuf err = { 0 };
	struct experiment *exp;
	struct exp_walk walk = { 0 };
	struct exp_samples samples;
	int status;

	if (argc != 2 || experiment_open(argv[1], &exp, &err)) {
		fprintf(stderr, "stackdump: %s\n", strbuf_str(&err));
		strbuf_release(&err);
		return 1;
	}
	while ((status = experiment_next(exp, &walk, &samples)) > 0)
		for (size_t i = 0; i < samples.count; i++)
			print_stack(exp, samples.node[i]);
	exp_walk_release(&walk);
	experiment_free(exp);
	return status ? 1 : 0;
}
