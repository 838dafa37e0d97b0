/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of collect --check on kernels with other counters, limits and refusals. */
#include "check/check.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "fake_events.h"
#include "scratch.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define KERNEL  "proc/sys/kernel/"
#define DEVICES "sys/bus/event_source/devices/"
#define STATUS  "proc/self/status"

#define USER   PERF_RECORD_MISC_USER
#define SYSTEM PERF_RECORD_MISC_KERNEL

/* A machine, and the expected line NAME.  A row reads best as a paragraph. */
/* clang-format off */
static const struct row {
	const char *what;
	struct fake machine; /* offline_cpu is set for all */
	const char *file, *text; /* below its root */
	const char *name;
	enum check_answer answer;
	const char *found, *remedy; /* parts of the text; remedy NULL: none */
} rows[] = {
	{ "counters that overflow",
	  { .precise_max = 3, .samples = 16, .sample_misc = USER },
	  DEVICES "cpu/type", "4\n",
	  "counters", CHECK_YES, "cycles: 16 samples", NULL },
	{ "a virtual machine without",
	  { .counter_error = ENOENT, .samples = 16 },
	  "proc/cpuinfo", "flags\t\t: fpu hypervisor\n",
	  "counters", CHECK_NO, "this virtual machine has no hardware counters",
	  "its host can give it some" },
	{ "paranoid 3",
	  { .any_error = EACCES },
	  KERNEL "perf_event_paranoid", "3\n",
	  "counters", CHECK_NO, "perf_event_paranoid is 3, which forbids it",
	  "sudo sysctl kernel.perf_event_paranoid=2" },
	{ "counters that another user holds",
	  { .counter_error = EBUSY, .samples = 16 }, NULL, NULL,
	  "counters", CHECK_NO, "another user holds", "nmi_watchdog=0" },
	{ "counters that open and never overflow",
	  { 0 }, NULL, NULL,
	  "counters", CHECK_NO, "delivers no sample", NULL },
	{ "no memory for rings",
	  { .ring_max = 4096, .samples = 16 }, NULL, NULL,
	  "clock", CHECK_NO, "no memory is left for its ring", "ulimit -l" },
	{ "the clock", { .counter_error = ENOENT, .samples = 3 }, NULL, NULL,
	  "clock", CHECK_YES, "cpu-clock: 3 samples", NULL },
	{ "no perf events", { .any_error = ENOSYS }, NULL, NULL,
	  "clock", CHECK_NO, "no perf events", NULL },
	{ "the kernel sampled", { .samples = 16, .sample_misc = SYSTEM }, NULL, NULL,
	  "kernel samples", CHECK_YES, "16 of 16 samples", NULL },
	{ "the kernel opens but has no samples", { .samples = 16, .sample_misc = USER }, NULL,
	  NULL, "kernel samples", CHECK_PARTLY, "0 of 16 samples", NULL },
	{ "paranoid 2", { .kernel_error = EACCES, .samples = 16 },
	  KERNEL "perf_event_paranoid", "2\n",
	  "kernel samples", CHECK_NO, "perf_event_paranoid is 2",
	  "sudo sysctl kernel.perf_event_paranoid=1" },
	{ "a CPU of the highest precision", { .precise_max = 3, .samples = 16 },
	  DEVICES "cpu/type", "4\n", "precise samples", CHECK_YES, "cycles open with :ppp, no skid", NULL },
	{ "a CPU of lower precision", { .precise_max = 2, .samples = 16 }, DEVICES "cpu/type", "4\n",
	  "precise samples", CHECK_YES, ":pp, no skid requested", NULL },
	{ "a driver that accepts precision and ignores it", { .precise_max = 3, .samples = 16 },
	  DEVICES "armv8_pmuv3_0/type", "8\n",
	  "precise samples", CHECK_NO, "arbitrary skid", NULL },
	{ "a CPU without precision", { .samples = 16 }, NULL, NULL,
	  "precise samples", CHECK_NO, "arbitrary skid", NULL },
	{ "a machine without counters", { .counter_error = ENOENT, .samples = 16 }, NULL, NULL,
	  "precise samples", CHECK_NO, "no counter opens", NULL },
	{ "addresses of data", { .precise_max = 3, .samples = 16 }, DEVICES "cpu/type", "4\n",
	  "data addresses", CHECK_YES, "collect -h +CTR", NULL },
	{ "no addresses", { .precise_max = 3, .samples = 16, .no_addresses = true },
	  NULL, NULL, "data addresses", CHECK_NO, "no precise event", NULL },
	{ "a socket's counters", { .samples = 16 },
	  DEVICES "uncore_imc_0/cpumask", "0\n",
	  "socket counters", CHECK_YES, "1 units shared by a socket, such as uncore",
	  NULL },
	{ "a socket's counters that are refused", { .cpu_error = EACCES },
	  DEVICES "uncore_imc_0/cpumask", "0\n",
	  "socket counters", CHECK_NO, "perf_event_open is not permitted", "--cap-add PERFMON" },
	{ "a socket without", { .samples = 16 }, NULL, NULL,
	  "socket counters", CHECK_NO, "has no counters shared by a socket", NULL },
	{ "tracepoints", { .samples = 16 },
	  "sys/kernel/tracing/events/sched/sched_switch/id", "1\n",
	  "tracepoints", CHECK_YES, "/sys/kernel/tracing", NULL },
	{ "no tracefs", { .samples = 16 }, NULL, NULL,
	  "tracepoints", CHECK_NO, "no tracefs is mounted", "sudo mount -t tracefs" },
	{ "everybody's CPUs", { .samples = 16 }, NULL, NULL,
	  "whole machine", CHECK_YES, "collect -a sees every process", NULL },
	{ "only one's own processes", { .cpu_error = EACCES, .samples = 16 }, NULL, NULL,
	  "whole machine", CHECK_NO, "an interval of its own",
	  "sudo sysctl kernel.perf_event_paranoid=0" },
	{ "no file system of groups", { .samples = 16 }, NULL, NULL,
	  "control groups", CHECK_NO, "cannot create a control group (v2)", "as root" },
	{ "no other user", { .samples = 16 }, NULL, NULL,
	  "other users", CHECK_YES, "no process of another user", NULL },
	{ "stacks", { .samples = 16 }, NULL, NULL,
	  "cfi", CHECK_YES, "registers and up to 32 bytes", NULL },
	{ "frame pointers", { .samples = 16 }, KERNEL "perf_event_max_stack", "64\n",
	  "fp", CHECK_YES, "up to 64 frames", NULL },
	{ "calls kept by the CPU", { .samples = 16 }, NULL, NULL,
	  "lbr", CHECK_YES, "the last calls", NULL },
	{ "a CPU that keeps none", { .samples = 16, .no_branches = true }, NULL, NULL,
	  "lbr", CHECK_NO, "does not record calls", NULL },
	{ "names of the kernel", { .samples = 16 },
	  "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T work\n",
	  "kernel names", CHECK_YES, "functions of the kernel have names", NULL },
	{ "hidden names", { .samples = 16 }, KERNEL "kptr_restrict", "1\n",
	  "kernel names", CHECK_PARTLY, "kptr_restrict is 1",
	  "sudo sysctl kernel.kptr_restrict=0" },
	{ "paranoid 2, and a user", { .kernel_error = EACCES, .samples = 16 },
	  KERNEL "perf_event_paranoid", "2\n",
	  "paranoid", CHECK_PARTLY, "is 2: your own programs, without their time in the kernel",
	  "sudo sysctl kernel.perf_event_paranoid=1" },
	{ "paranoid 4, and a user", { .any_error = EACCES },
	  KERNEL "perf_event_paranoid", "4\n",
	  "paranoid", CHECK_NO, "is 4: only root may record",
	  "sudo sysctl kernel.perf_event_paranoid=2" },
	{ "paranoid 2, and root", { .samples = 16 },
	  KERNEL "perf_event_paranoid", "2\n",
	  "paranoid", CHECK_YES, "does not restrict", NULL },
	{ "paranoid -1", { .samples = 16 }, KERNEL "perf_event_paranoid", "-1\n",
	  "paranoid", CHECK_YES, "is -1: everything", NULL },
	{ "small rings", { .ring_max = 132 << 10, .samples = 16 }, NULL, NULL,
	  "rings", CHECK_PARTLY, "128 kB for each of", "kernel.perf_event_mlock_kb=" },
	{ "no rings", { .ring_max = 4096, .samples = 16 }, NULL, NULL,
	  "rings", CHECK_NO, "no memory for the rings", NULL },
	{ "rings of 256 CPUs", { .cpus_here = 256, .samples = 16 }, NULL, NULL,
	  "rings", CHECK_YES, "256 kB of locked memory for each of 256 CPUs", NULL },
	{ "rings", { .samples = 16 }, NULL, NULL,
	  "rings", CHECK_YES, "kB of locked memory for each of", NULL },
	{ "a low rate", { .samples = 16 }, KERNEL "perf_event_max_sample_rate", "7750\n",
	  "sample rate", CHECK_PARTLY, "is 7750", "perf_event_max_sample_rate=100000" },
	{ "a rate too low", { .samples = 16 }, KERNEL "perf_event_max_sample_rate",
	  "100\n", "sample rate", CHECK_NO, "is 100 ", "perf_event_max_sample_rate=" },
	{ "a high rate", { .samples = 16 }, KERNEL "perf_event_max_sample_rate",
	  "100000\n", "sample rate", CHECK_YES, "is 100000", NULL },
	{ "little time for samples", { .samples = 16 },
	  KERNEL "perf_cpu_time_max_percent", "1\n",
	  "sampling time", CHECK_PARTLY, "is 1:", "perf_cpu_time_max_percent=25" },
	{ "no limit on it", { .samples = 16 }, KERNEL "perf_cpu_time_max_percent", "0\n",
	  "sampling time", CHECK_YES, "all the time they need", NULL },
	{ "a watchdog", { .samples = 16 }, KERNEL "nmi_watchdog", "1\n",
	  "watchdog", CHECK_PARTLY, "holds one of the counters",
	  "sudo sysctl kernel.nmi_watchdog=0" },
	{ "no watchdog", { .samples = 16 }, KERNEL "nmi_watchdog", "0\n",
	  "watchdog", CHECK_YES, "no NMI watchdog", NULL },
	{ "a filter that refuses", { .any_error = EPERM }, STATUS, "Seccomp:\t2\n",
	  "seccomp", CHECK_NO, "may block perf_event_open",
	  "--security-opt seccomp=unconfined" },
	{ "a filter that allows it", { .samples = 16 }, STATUS, "Seccomp:\t2\n",
	  "seccomp", CHECK_YES, "allows perf_event_open", NULL },
	{ "no filter", { .samples = 16 }, STATUS, "Seccomp:\t0\n",
	  "seccomp", CHECK_YES, "no system-call filter", NULL },
	{ "capabilities", { .samples = 16 }, STATUS, "CapEff:\t0000004000080000\n",
	  "capabilities", CHECK_YES, "CAP_PERFMON and CAP_SYS_PTRACE", NULL },
	{ "no capabilities", { .samples = 16 }, STATUS, "CapEff:\t0000000000000000\n",
	  "capabilities", CHECK_PARTLY, "none",
	  "sudo chmod o-rwx $c && sudo setcap cap_perfmon,cap_sys_ptrace+ep $c" },
	{ "a container that works", { .samples = 16 }, ".dockerenv", "",
	  "container", CHECK_YES, "Docker", NULL },
	{ "a container without the kernel", { .kernel_error = EACCES, .samples = 16 },
	  "run/.containerenv", "",
	  "container", CHECK_PARTLY, "Podman", "--cap-add PERFMON" },
	{ "a container that does not work", { .any_error = EPERM }, ".dockerenv", "",
	  "container", CHECK_NO, "Docker", "--security-opt" },
	{ "no container", { .samples = 16 }, NULL, NULL,
	  "container", CHECK_YES, "no sign", NULL },
	{ "Yama", { .samples = 16 }, KERNEL "yama/ptrace_scope", "1\n",
	  "ptrace scope", CHECK_YES, "ptrace_scope is 1, which does not affect", NULL },
};
/* clang-format on */

static const struct check_line *line_of(const struct check *check, const char *name)
{
	vec_for_each(const struct check_line, line, &check->lines)
		if (!strcmp(line->name, name))
			return line;
	return NULL;
}

static bool holds_part(const struct strbuf *text, const char *part)
{
	return part ? strstr(strbuf_str(text), part) != NULL : !text->len;
}

static void test_row(const struct row *row)
{
	const struct check_line *line;
	struct sys sys = fake_sys;
	struct check check;
	char *root = scratch_make();

	fake_boot();
	fake = row->machine;
	fake.offline_cpu = -1;
	sys.root = root;
	if (row->file)
		scratch_text(root, row->file, row->text);
	check_run(&check, &sys);
	line = line_of(&check, row->name);
	if (ok(line, "%s: a line for %s", row->what, row->name)) {
		is_u64(line->answer, row->answer, "%s: %s", row->what,
		       strbuf_str(&line->found));
		ok(holds_part(&line->found, row->found), "%s: found", row->what);
		ok(holds_part(&line->remedy, row->remedy), "%s: remedy: %s", row->what,
		   strbuf_str(&line->remedy));
	}
	ok(!fake.open && !fake.maps && !fake.wrong, "%s: nothing stays open", row->what);
	check_release(&check);
	scratch_remove(root);
}

/* Which machines cannot record, and the first line of the answer. */
static const struct verdict {
	const char *what;
	struct fake machine;
	bool usable;
	const char *text;
} verdicts[] = {
	{ "all",
	  { .samples = 9, .sample_misc = SYSTEM },
	  true,
	  "programs can be recorded here, by hardware counters and the CPU clock, the "
	  "kernel's part too" },
	{ "user",
	  { .samples = 9, .counter_error = ENOENT, .kernel_error = EACCES },
	  true,
	  "programs can be recorded here, by the CPU clock, without the kernel's part" },
	{ "nothing", { .any_error = EACCES }, false, "nothing can be recorded here" },
};

static void test_verdict(const struct verdict *v)
{
	struct check check;
	struct strbuf text = { 0 }, json = { 0 };
	json_object *doc, *member = NULL;

	fake_boot();
	fake = v->machine;
	fake.offline_cpu = -1;
	check_run(&check, &fake_sys);
	is_u64(check.usable, v->usable, "%s: usable", v->what);
	check_text(&check, &text);
	ok(!strncmp(strbuf_str(&text), v->text, strlen(v->text)), "%s: %.*s", v->what,
	   (int)strcspn(strbuf_str(&text), "\n"), strbuf_str(&text));
	check_json(&check, &json);
	doc = json_tokener_parse(strbuf_str(&json));
	ok(json_object_object_get_ex(doc, "verdict", &member), "%s: JSON", v->what);
	is_str(json_object_get_string(member), v->text, "%s: the same there", v->what);
	json_object_object_get_ex(doc, "checks", &member);
	is_u64(json_object_array_length(member), check.lines.len, "%s: every line",
	       v->what);
	json_object_put(doc);
	strbuf_release(&text);
	strbuf_release(&json);
	check_release(&check);
}

int main(void)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		test_row(&rows[i]);
	for (size_t i = 0; i < COUNT(verdicts); i++)
		test_verdict(&verdicts[i]);
	return done_testing();
}
