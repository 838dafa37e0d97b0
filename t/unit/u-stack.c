/* SPDX-License-Identifier: Apache-2.0 */
/* If there is no room for a stack, who owns its innermost function; and chosen stacks. */
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

	return stack_node(&rec->stack, &r, tasks_process(&rec->tasks, PID), th, NULL);
}

static const char *module_of(const struct experiment *exp, uint32_t node)
{
	const struct exp_frame *f = &exp->frames.data[exp->nodes.data[node].frame];

	return experiment_string(exp, exp->modules.data[f->module].path);
}

/* ---- a stack whose addresses are chosen for the hash of another one ---- */

#define FACTOR_1 UINT64_C(0x9e3779b97f4a7c15)
#define FACTOR_2 UINT64_C(0xd6e8feb86659fd93)
#define RETURNS  UINT64_C(0x5851f42d4c957f2d)

/* A hash that begins with nothing secret, and can be run backward. */
static uint64_t known_hash(uint64_t path, uint64_t what)
{
	uint64_t h = (path ^ what) * FACTOR_1;

	return (h ^ h >> 32) * FACTOR_2;
}

static uint64_t divide(uint64_t h, uint64_t factor)
{
	uint64_t inverse = factor;

	for (int i = 0; i < 6; i++) /* each doubles the bits that are right */
		inverse *= 2 - factor * inverse;
	return h * inverse;
}

/* What leads from PATH to the hash WANTED. */
static uint64_t leads_to(uint64_t path, uint64_t wanted)
{
	uint64_t h = divide(wanted, FACTOR_2);

	return path ^ divide(h ^ h >> 32, FACTOR_1);
}

static uint32_t node_of_chain(struct recording *rec, uint32_t pid, uint64_t *ips)
{
	struct record r = { .type = PERF_RECORD_SAMPLE,
			    .misc = PERF_RECORD_MISC_USER,
			    .at = { .pid = pid, .tid = pid },
			    .sample = { .ip = ips[0],
					.user = { .ips = ips, .len = 2 } } };
	struct thread *th = tasks_thread(&rec->tasks, pid, pid);

	return stack_node(&rec->stack, &r, tasks_process(&rec->tasks, pid), th, NULL);
}

/* Of CALLER, the outermost function, below the node PARENT. */
static uint64_t first_hash(struct recording *rec, uint32_t pid, uint64_t parent,
			   uint64_t caller)
{
	const struct process *process = tasks_process(&rec->tasks, pid);

	return known_hash(known_hash(1, parent << 32 | process->space.generation),
			  caller ^ RETURNS);
}

/* The nodes of stacks lie below that of their end, one of the first. */
static void check_chosen(struct recording *rec)
{
	enum { OTHER = PID + 1, ENDS = 4 };
	uint64_t victim[] = { 0x1100, 0x1200 }, other[] = { 0, 0x1300 };
	uint32_t node = node_of_chain(rec, PID, victim), same = 0;

	tasks_thread(&rec->tasks, OTHER, OTHER);
	for (uint64_t end = 0; end < ENDS; end++) {
		uint64_t hash = known_hash(first_hash(rec, PID, end, victim[1]),
					   victim[0]);

		other[0] = leads_to(first_hash(rec, OTHER, end, other[1]), hash);
		same += node_of_chain(rec, OTHER, other) == node;
	}
	ok(node && !same, "no chain is taken for another process's by a chosen hash");
}

static void test_chosen(void)
{
	struct recording_setup setup = { .format = sample_format(STACK_FP),
					 .mode = STACK_FP };
	char *root = scratch_make();
	struct recording rec;

	if (exp_writer_open(root, &setup.writer))
		exit(99);
	recording_init(&rec, &setup);
	check_chosen(&rec);
	recording_release(&rec);
	if (exp_writer_close(setup.writer))
		exit(99);
	scratch_remove(root);
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

	test_chosen();
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
