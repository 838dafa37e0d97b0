/* SPDX-License-Identifier: Apache-2.0 */
/* collect --check: the limits that the kernel sets on sampling. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check/probe.h"
#include "sample/evlist.h"
#include "sample/ladder.h"
#include "check/trial.h"

enum {
	FILES_COMFORT = 4096,
	RATE_COMFORT = 10000, /* the rate of hi */
	RATE_NEEDED = 1000,
	RING_COMFORT = 1 << 20,
};

#define KERNEL "/proc/sys/kernel/"

static const struct {
	long from;
	enum check_answer answer;
	const char *means;
} paranoid_levels[] = {
	{ 3, CHECK_NO, "only root may record" },
	{ 2, CHECK_PARTLY, "your own programs, without their time in the kernel" },
	{ 1, CHECK_PARTLY, "your own programs, with their time in the kernel" },
	{ 0, CHECK_YES, "everything but raw tracepoints" },
	{ -1, CHECK_YES, "everything" },
};

/* Root and CAP_PERFMON are not subject to it: then it is shown, but harmless. */
void check_paranoid(struct check_facts *facts, struct check_line *line)
{
	long level = sys_read_number(facts->sys, KERNEL "perf_event_paranoid", 2);
	struct perf_event_attr attr;
	bool above;
	size_t i = 0;

	check_attr(false, &attr);
	attr.exclude_kernel = 0;
	above = level > 0 && !trial_open(facts->sys, &attr, -1, 0, 0);
	while (level < paranoid_levels[i].from &&
	       i + 1 < sizeof(paranoid_levels) / sizeof(paranoid_levels[0]))
		i++;
	if (above)
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "kernel.perf_event_paranoid is %ld, which does not restrict "
			    "this user",
			    level);
	else
		strbuf_addf(check_say(line, paranoid_levels[i].answer,
				      level > 2   ? "sudo sysctl "
						    "kernel.perf_event_paranoid=2"
				      : level > 1 ? "sudo sysctl "
						    "kernel.perf_event_paranoid=1"
				      : level > 0 ? "sudo sysctl "
						    "kernel.perf_event_paranoid=0"
						  : NULL),
			    "kernel.perf_event_paranoid is %ld: %s", level,
			    paranoid_levels[i].means);
}

/* Rings as collect opens them: the largest that the limits on locked memory allow. */
void check_rings(struct check_facts *facts, struct check_line *line)
{
	const pid_t self = getpid();
	struct ladder ladder = { 0 };
	struct evlist evlist = { 0 };
	struct evlist_setup setup = {
		.sys = facts->sys,
		.ladder = &ladder,
		.mode = STACK_OFF,
		.scope = SCOPE_TASK,
		.tasks = &self,
		.ntasks = 1,
	};
	struct rung *rung = vec_push(&ladder.rungs);
	struct strbuf err = { 0 };

	*rung = (struct rung){ 0 };
	event_clock(1000000, &rung->event);
	rung->event.exclude_kernel = rung->event.exclude_hv = true;
	if (evlist_open(&evlist, &setup, &err))
		strbuf_addstr(check_say(line, CHECK_NO, NULL), strbuf_str(&err));
	else if (evlist.ring_size < RING_COMFORT &&
		 evlist.ring_size < evlist_largest_ring(&setup))
		strbuf_addf(check_say(line, CHECK_PARTLY,
				      "sudo sysctl kernel.perf_event_mlock_kb=4100, or: "
				      "ulimit -l unlimited"),
			    "%zu kB for each of %zu CPUs: bursts may be lost",
			    evlist.ring_size >> 10, evlist.cpus);
	else
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "%zu kB of locked memory for each of %zu CPUs",
			    evlist.ring_size >> 10, evlist.cpus);
	evlist_release(&evlist);
	ladder_release(&ladder);
	strbuf_release(&err);
}

void check_files(struct check_facts *facts, struct check_line *line)
{
	struct rlimit limit = { 0, 0 };
	bool enough;

	(void)facts;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		limit.rlim_cur = 0;
	enough = limit.rlim_cur >= FILES_COMFORT;
	strbuf_addf(check_say(line, enough ? CHECK_YES : CHECK_PARTLY,
			      enough ? NULL : "ulimit -n 65536"),
		    "%llu; one for each event and CPU, and with -P for each thread",
		    (unsigned long long)limit.rlim_cur);
}

void check_rate(struct check_facts *facts, struct check_line *line)
{
	long most = sys_read_number(facts->sys, KERNEL "perf_event_max_sample_rate", -1);

	if (most < 0) {
		strbuf_addstr(check_say(line, CHECK_NO, NULL),
			      "this kernel reports none");
		return;
	}
	strbuf_addf(check_say(line,
			      most >= RATE_COMFORT  ? CHECK_YES
			      : most >= RATE_NEEDED ? CHECK_PARTLY
						    : CHECK_NO,
			      most >= RATE_COMFORT
				      ? NULL
				      : "sudo sysctl "
					"kernel.perf_event_max_sample_rate=100000"),
		    "kernel.perf_event_max_sample_rate is %ld per second and CPU", most);
}

void check_cpu_share(struct check_facts *facts, struct check_line *line)
{
	long percent = sys_read_number(facts->sys, KERNEL "perf_cpu_time_max_percent",
				       25);

	if (percent <= 0 || percent >= 100)
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "kernel.perf_cpu_time_max_percent is %ld: samples may take "
			    "all the time they need",
			    percent);
	else
		strbuf_addf(check_say(line, percent < 5 ? CHECK_PARTLY : CHECK_YES,
				      percent < 5 ? "sudo sysctl "
						    "kernel.perf_cpu_time_max_percent=25"
						  : NULL),
			    "kernel.perf_cpu_time_max_percent is %ld: the kernel lowers "
			    "the rate if samples take longer",
			    percent);
}

void check_watchdog(struct check_facts *facts, struct check_line *line)
{
	long on = sys_read_number(facts->sys, KERNEL "nmi_watchdog", 0);

	if (on && !facts->counters)
		strbuf_addstr(check_say(line, CHECK_PARTLY,
					"sudo sysctl kernel.nmi_watchdog=0"),
			      "the NMI watchdog holds one of the counters");
	else
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      on ? "the NMI watchdog is on, but there is no counter for "
				   "it to hold"
				 : "no NMI watchdog holds a counter");
}

/* Changes the priority as the reader of the rings does, and back. */
void check_priority(struct check_facts *facts, struct check_line *line)
{
	struct sched_param param = { .sched_priority = 1 };
	int policy = sched_getscheduler(0);

	(void)facts;
	if (policy != SCHED_OTHER) {
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "a scheduling policy was chosen for collect");
		return;
	}
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) < 0) {
		strbuf_addstr(
			check_say(line, CHECK_PARTLY,
				  "allow it in /etc/security/limits.conf: rtprio 1"),
			"collect cannot take a real-time priority; on a busy "
			"machine samples may be lost");
		return;
	}
	param.sched_priority = 0;
	sched_setscheduler(0, SCHED_OTHER, &param);
	strbuf_addstr(check_say(line, CHECK_YES, NULL),
		      "collect reads its rings at a real-time priority");
}
