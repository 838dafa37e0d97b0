/* SPDX-License-Identifier: Apache-2.0 */
/* Each item is written once; its id is its place in the experiment. */
#include "experiment/intern.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/log.h"
#include "experiment/read.h"
#include "scratch.h"
#include "tap.h"

static void fill(struct intern *in)
{
	uint32_t libc, app, f1, f2, n1;

	is_u64(intern_string(in, ""), 0, "the empty string is 0");
	libc = intern_module(in, "/lib/libc.so.6", "abc", EXP_KIND_FILE);
	app = intern_module(in, "/bin/app", "", EXP_KIND_FILE);
	is_u64(intern_module(in, "/lib/libc.so.6", "abc", EXP_KIND_FILE), libc,
	       "the same module has the same id");
	ok(intern_module(in, "/lib/libc.so.6", "abd", EXP_KIND_FILE) != libc,
	   "another build has another");
	f1 = intern_frame(in, app, 0x10, 0);
	f2 = intern_frame(in, libc, 0x10, EXP_FRAME_RETURN);
	is_u64(intern_frame(in, app, 0x10, 0), f1, "the same frame has the same id");
	ok(intern_frame(in, libc, 0x10, 0) != f2, "a return address has another");
	n1 = intern_node(in, 0, f1);
	is_u64(n1, 1, "the first node is 1: 0 is the empty stack");
	is_u64(intern_node(in, n1, f2), 2, "its child");
	is_u64(intern_node(in, 0, f1), n1, "the same node has the same id");
	is_u64(intern_node(in, 0, f2), 3, "the same frame elsewhere is another node");
}

/* A path with a known first node and a repeated frame. */
static void fill_path(struct intern *in)
{
	const struct intern_frame frames[] = {
		{ 0x10, 1, 0 },
		{ 0x20, 1, EXP_FRAME_RETURN },
		{ 0x20, 1, EXP_FRAME_RETURN },
		{ 0x30, 0, EXP_FRAME_RETURN },
	};
	uint32_t nodes[4], again[4], one;

	intern_path(in, 0, frames, 4, nodes);
	is_u64(nodes[0], 1, "a path begins with the existing node");
	is_u64(nodes[1], 4, "continues with new ones");
	is_u64(nodes[2], 5, "even if a frame repeats");
	is_u64(nodes[3], 6, "up to its last");
	intern_path(in, 0, frames, 4, again);
	ok(!memcmp(nodes, again, sizeof(nodes)), "the same path has the same nodes");
	one = intern_node(in, 0, intern_frame(in, 1, 0x10, 0));
	for (size_t i = 1; i < 4; i++)
		one = intern_node(in, one,
				  intern_frame(in, frames[i].module, frames[i].offset,
					       frames[i].flags));
	is_u64(one, nodes[3], "step by step it leads to the same one");
	intern_path(in, nodes[3], frames, 1, again);
	is_u64(again[0], 7, "a path below another node");
}

/* A full tree finds its nodes, and adds none. */
static void fill_up(struct intern *in)
{
	const struct intern_frame frames[] = {
		{ 0x10, 1, 0 },
		{ 0x20, 1, EXP_FRAME_RETURN },
		{ 0x50, 1, EXP_FRAME_RETURN },
		{ 0x20, 1, EXP_FRAME_RETURN },
	};
	uint32_t nodes[4], known = in->nodes;

	in->nodes_max = known;
	intern_path(in, 0, frames, 4, nodes);
	ok(nodes[0] == 1 && nodes[1] == 4, "a full tree finds known nodes");
	ok(nodes[2] == INTERN_NO_NODE && nodes[3] == INTERN_NO_NODE, "but adds none");
	intern_path(in, 0, frames + 1, 1, nodes);
	is_u64(nodes[0], INTERN_NO_NODE, "not even for a known frame");
	is_u64(in->nodes, known, "the number of nodes stays");
	in->nodes_max = INTERN_NODES_MAX;
}

static void check(const struct experiment *exp)
{
	is_u64(exp->strings.len, 5, "five strings");
	is_u64(exp->modules.len, 3, "three modules");
	is_u64(exp->frames.len, 5, "five frames");
	is_u64(exp->nodes.len, 8, "seven nodes beside the empty stack");
	if (exp->modules.len != 3 || exp->frames.len != 5 || exp->nodes.len != 8)
		return;
	is_str(experiment_string(exp, exp->modules.data[1].path), "/bin/app", "path");
	is_str(experiment_string(exp, exp->modules.data[2].build_id), "abd", "build-id");
	ok(exp->frames.data[1].offset == 0x10 &&
		   exp->frames.data[1].flags == EXP_FRAME_RETURN,
	   "a frame as interned");
	ok(exp->nodes.data[2].parent == 1 && exp->nodes.data[2].frame == 1,
	   "a node as interned");
}

int main(void)
{
	char *root = scratch_make();
	struct exp_writer *writer;
	struct exp_log log = { 0 };
	struct strbuf err = { 0 };
	struct experiment *exp;
	struct intern in;

	if (exp_writer_open(root, &writer))
		exit(99);
	intern_init(&in, writer);
	fill(&in);
	fill_path(&in);
	fill_up(&in);
	intern_release(&in);
	if (exp_writer_close(writer) || exp_log_write(&log, root) ||
	    experiment_open(root, &exp, &err))
		exit(99);
	check(exp);
	experiment_free(exp);
	strbuf_release(&err);
	scratch_remove(root);
	return done_testing();
}
