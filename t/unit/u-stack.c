/* SPDX-License-Identifier: Apache-2.0 */
/* If there is no room for a stack, who owns its innermost function. */
#include "stack/stack.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "experiment/log.h"
#include "experiment/read.h"
#include "recording/recording.h"
#include "sample/sample_attr.h"
#include "scratch.h"
#include "tap.h"

enum { PID = 10, IP = 0x1800 };

/* The node of a sample at IP, whose chain has two calls. */
static uint32_t node_of(struct recording *rec, unsigned mode)
{
	uint64_t ips[] = { 0x1100, 0x1200 };
	struct record r = { .type = PERF_RECORD_SAMPLE,
			    .misc = (uint16_t)mode,
			    .at = { .pid = PID, .tid = PID },
			    .sample = { .ip = IP, .user = { .ips = ips, .len = 2 } } };
	struct thread *th = tasks_thread(&rec->tasks, PID, PID);

	return stack_node(&rec->stack, &r, tasks_process(&rec->tasks, PID), th);
}

static const char *module_of(const struct experiment *exp, uint32_t node)
{
	const struct exp_frame *f = &exp->frames.data[exp->nodes.data[node].frame];

	return experiment_string(exp, exp->modules.data[f->module].path);
}

int main(void)
{
	struct recording_setup setup = { .format = sample_format(STACK_FP),
					 .mode = STACK_FP };
	struct record_mmap map = {
		.pid = PID, .start = 0x1000, .len = 0x1000, .path = "/bin/host"
	};
	struct exp_log log = { 0 };
	struct strbuf err = { 0 };
	char *root = scratch_make();
	struct experiment *exp;
	struct recording rec;
	uint32_t own, guest, hypervisor;

	if (exp_writer_open(root, &setup.writer))
		exit(99);
	recording_init(&rec, &setup);
	recording_add_mapping(&rec, &map);
	rec.in.nodes_max = 0;
	own = node_of(&rec, PERF_RECORD_MISC_USER);
	guest = node_of(&rec, PERF_RECORD_MISC_GUEST_USER);
	hypervisor = node_of(&rec, PERF_RECORD_MISC_HYPERVISOR);
	is_u64(rec.stack.left_out, 3, "there is no room for three stacks");
	recording_release(&rec);
	if (exp_writer_close(setup.writer) || exp_log_write(&log, root) ||
	    experiment_open(root, &exp, &err))
		exit(99);
	is_str(module_of(exp, own), "/bin/host", "the program's innermost function");
	is_str(module_of(exp, guest), "[guest]", "a guest's is not in the host's code");
	is_str(module_of(exp, hypervisor), "[unknown]", "nor is a hypervisor's");
	experiment_free(exp);
	exp_log_release(&log);
	strbuf_release(&err);
	scratch_remove(root);
	return done_testing();
}
