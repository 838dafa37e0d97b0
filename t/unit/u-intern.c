/* SPDX-License-Identifier: Apache-2.0 */
/* Each thing is written once, and its id is its place in the experiment. */
#include "intern.h"

#include <stdlib.h>

#include "exp_log.h"
#include "exp_read.h"
#include "scratch.h"
#include "tap.h"

static void fill(struct intern *in)
{
	uint32_t libc, app, f1, f2, n1;

	is_u64(intern_string(in, ""), 0, "the empty string is 0");
	libc = intern_module(in, "/lib/libc.so.6", "abc", EXP_KIND_FILE);
	app = intern_module(in, "/bin/app", "", EXP_KIND_FILE);
	is_u64(intern_module(in, "/lib/libc.so.6", "abc", EXP_KIND_FILE), libc,
	       "a module again");
	ok(intern_module(in, "/lib/libc.so.6", "abd", EXP_KIND_FILE) != libc,
	   "another build");
	f1 = intern_frame(in, app, 0x10, 0);
	f2 = intern_frame(in, libc, 0x10, EXP_FRAME_RETURN);
	is_u64(intern_frame(in, app, 0x10, 0), f1, "a frame again");
	ok(intern_frame(in, libc, 0x10, 0) != f2, "not as a return address");
	n1 = intern_node(in, 0, f1);
	is_u64(n1, 1, "the first node is 1: 0 is the empty stack");
	is_u64(intern_node(in, n1, f2), 2, "its child");
	is_u64(intern_node(in, 0, f1), n1, "a node again");
	is_u64(intern_node(in, 0, f2), 3, "the same frame elsewhere is another node");
}

static void check(const struct experiment *exp)
{
	is_u64(exp->strings.len, 5, "five strings");
	is_u64(exp->modules.len, 3, "three modules");
	is_u64(exp->frames.len, 3, "three frames");
	is_u64(exp->nodes.len, 4, "three nodes beside the empty stack");
	if (exp->modules.len != 3 || exp->frames.len != 3 || exp->nodes.len != 4)
		return;
	is_str(experiment_string(exp, exp->modules.data[1].path), "/bin/app", "path");
	is_str(experiment_string(exp, exp->modules.data[2].build_id), "abd", "build-id");
	ok(exp->frames.data[1].offset == 0x10 &&
		   exp->frames.data[1].flags == EXP_FRAME_RETURN,
	   "a frame as it was given");
	ok(exp->nodes.data[2].parent == 1 && exp->nodes.data[2].frame == 1,
	   "a node as it was given");
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
