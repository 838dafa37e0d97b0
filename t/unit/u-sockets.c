/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of a socket: recognizing and opening them, and the rows of their counts. */
#include "adapt/sockets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/read.h"
#include "experiment/write.h"
#include "fake.h"
#include "sample/sample_attr.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define IMC          "sys/bus/event_source/devices/uncore_imc_0/"

enum { TYPE = 17, TARGET = 100 };

static struct event imc(void)
{
	return (struct event){
		.asked = xstrdup("uncore_imc_0/event=4/"),
		.name = xstrdup("uncore_imc_0/event=4/"),
		.label = xstrdup("uncore_imc_0/event=4/"),
		.raw = xstrdup("uncore_imc_0/event=4/"),
		.type = TYPE,
		.config = 4,
		.period = 1000003,
		.not_program = true,
	};
}

static struct sys boot(char **root)
{
	struct sys sys = fake_sys;

	fake_boot();
	*root = scratch_make();
	sys.root = *root;
	scratch_text(*root, IMC "type", "17\n");
	scratch_text(*root, "sys/bus/event_source/devices/cpu/type", "4\n");
	return sys;
}

static void test_wants(void)
{
	char *root;
	struct sys sys = boot(&root);
	struct event shared = { .type = TYPE, .not_program = true };
	struct event dynamic = { .type = TYPE, .period = 1 };
	struct event raw = { .type = PERF_TYPE_RAW, .period = 1 };

	ok(sockets_wants(&sys, &shared), "a counter known to be shared");
	is_u64(fake.opened, 0, "is not tried");
	ok(!sockets_wants(&sys, &dynamic), "a counter of a PMU that samples");
	fake.counts_only = true;
	ok(sockets_wants(&sys, &dynamic), "a counter of a PMU that only counts");
	ok(!sockets_wants(&sys, &raw), "a core's counter is never shared");
	fake.any_error = EINVAL;
	ok(!sockets_wants(&sys, &dynamic), "a counter that does not open");
	is_u64(fake.open, 0, "nothing stays open");
	scratch_remove(root);
}

/* The CPUs on which a PMU is opened, as a mask. */
static const struct {
	const char *what, *mask, *online;
	int offline;
	uint64_t want;
} masks[] = {
	{ "one CPU of each socket", "0,18\n", "0-35\n", -1, 1 | 1 << 18 },
	{ "a range", "2-4,8\n", NULL, -1, 7 << 2 | 1 << 8 },
	{ "no mask: all online CPUs", NULL, "0-3\n", -1, 15 },
	{ "nothing known", NULL, NULL, -1, 1 },
	{ "one CPU is offline", "0,1,2\n", NULL, 1, 5 },
	{ "the last is offline", "0,1\n", NULL, 1, 1 },
	{ "nonsense", "x\n", "0-1\n", -1, 3 },
	{ "a number that is too large", "70000,1\n", NULL, -1, 2 },
};

static void test_mask(size_t i)
{
	char *root;
	struct sys sys = boot(&root);
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	struct sockets s;

	if (masks[i].mask)
		scratch_text(root, IMC "cpumask", masks[i].mask);
	if (masks[i].online)
		scratch_text(root, "sys/devices/system/cpu/online", masks[i].online);
	fake.offline_cpu = masks[i].offline;
	*vec_push(&list) = imc();
	is_i64(sockets_open(&s, &sys, &list, 0, &err), 0, "%s: %s", masks[i].what,
	       strbuf_str(&err));
	is_u64(fake.cpus, masks[i].want, "%s: opened on them", masks[i].what);
	is_i64(fake.last_pid, -1, "%s: for no task", masks[i].what);
	is_u64(fake.last.sample_period, 0, "%s: without samples", masks[i].what);
	sockets_release(&s);
	is_u64(fake.open, 0, "%s: everything is closed", masks[i].what);
	event_list_release(&list);
	strbuf_release(&err);
	scratch_remove(root);
}

static void test_refused(void)
{
	char *root;
	struct sys sys = boot(&root);
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	struct sockets s;

	scratch_text(root, IMC "cpumask", "0,1\n");
	fake.cpu_error = EACCES;
	*vec_push(&list) = imc();
	is_i64(sockets_open(&s, &sys, &list, 0, &err), -EACCES, "no privilege");
	ok(strstr(strbuf_str(&err),
		  "uncore_imc_0/event=4/ cannot be counted: it counts for the whole "
		  "machine, which requires root, CAP_PERFMON, or: sudo sysctl "
		  "kernel.perf_event_paranoid=0"),
	   "%s", strbuf_str(&err));
	sockets_release(&s);
	is_u64(fake.open, 0, "nothing stays open");
	event_list_release(&list);
	strbuf_release(&err);
	scratch_remove(root);
}

static struct experiment *reopen(struct exp_log *log, const char *root)
{
	struct strbuf err = { 0 };
	struct experiment *exp;

	if (exp_log_write(log, root) || experiment_open(root, &exp, &err))
		exit(99);
	strbuf_release(&err);
	return exp;
}

/* The rows of event 1: their weight and function. */
static void check_rows(struct experiment *exp)
{
	struct exp_walk walk = { 0 };
	struct exp_samples block;
	uint64_t rows = 0, weight = 0;

	while (experiment_next(exp, &walk, &block) > 0)
		for (size_t i = 0; i < block.count; i++) {
			const struct exp_node *node = &exp->nodes.data[block.node[i]];

			rows++;
			weight += block.weight[i];
			is_u64(block.time_ns[i], 900000000,
			       "not before other rows, nor after what may follow");
			is_u64(block.event[i], 1, "a row of the event");
			is_u64(exp->frames.data[node->frame].offset, EXP_NOT_PROGRAM,
			       "charged to collector_not_program_related");
		}
	exp_walk_release(&walk);
	is_u64(rows, 2, "a row for each reading that counted something");
	is_u64(weight, 2 * 700, "the counts of both CPUs");
}

static void test_rows(void)
{
	char *root;
	struct sys sys = boot(&root);
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	struct exp_log log = { 0 };
	struct recording_setup setup = { .format = sample_format(STACK_OFF),
					 .mode = STACK_OFF };
	struct experiment *exp;
	struct recording rec;
	struct sockets s;

	scratch_text(root, IMC "cpumask", "0,1\n");
	*vec_push(&list) = imc();
	if (sockets_open(&s, &sys, &list, 1, &err) ||
	    exp_writer_open(root, &setup.writer))
		exit(99);
	recording_init(&rec, &setup);
	recording_expect(&rec, 2);
	sockets_pause(&s);
	is_u64(fake.disabled, 0, "what does not count is not stopped");
	sockets_start(&s);
	sockets_start(&s);
	is_u64(fake.enabled, 2, "both CPUs are started, once");
	*vec_push(&log.events) = (struct exp_event){ .scale = 1 };
	sockets_describe(&s, &log);
	fake.counts[0] = 500;
	fake.counts[1] = fake.counts[2] = 1000;
	sockets_take(&s, &rec, TARGET, 1000000000, 900000000, false);
	sockets_take(&s, &rec, TARGET, 1000000001, 900000001, false); /* too early */
	fake.counts[0] = 700;
	fake.counts[1] = 2000; /* it was on the PMU for half of the time */
	sockets_take(&s, &rec, TARGET, 1000000002, 800000000, true);
	sockets_take(&s, &rec, TARGET, 1000000003, 950000000, true); /* nothing new */
	sockets_close(&s, &rec, &log);
	is_u64(log.events.data[1].count, 2 * 1400, "the count is scaled");
	ok(log.events.data[1].scale == 2, "by the share of the time");
	is_str(log.events.data[1].got, "uncore_imc_0/event=4/", "the counter's name");
	if (exp_writer_close(setup.writer))
		exit(99);
	exp = reopen(&log, root);
	check_rows(exp);
	experiment_free(exp);
	exp_log_release(&log);
	recording_release(&rec);
	sockets_release(&s);
	event_list_release(&list);
	strbuf_release(&err);
	scratch_remove(root);
}

int main(void)
{
	test_wants();
	for (size_t i = 0; i < COUNT(masks); i++)
		test_mask(i);
	test_refused();
	test_rows();
	return done_testing();
}
