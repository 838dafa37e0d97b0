/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/refusal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/xalloc.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define MAX_RATE "/proc/sys/kernel/perf_event_max_sample_rate"

/* Whether the kernel drives a core's PMU: "cpu", "cpu_core", "armv8_pmuv3_0", … */
static bool has_core_pmu(const struct sys *sys)
{
	char *path = xasprintf("%s/sys/bus/event_source/devices", sys->root);
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = !strncmp(entry->d_name, "cpu", 3) ||
			!strncmp(entry->d_name, "armv8", 5);
	if (dir)
		closedir(dir);
	free(path);
	return found;
}

/* Hypervisors set this flag for their guests on x86; others cannot be distinguished. */
static bool in_virtual_machine(const struct sys *sys)
{
	FILE *f = file_fopen(sys->root, "/proc/cpuinfo");
	char line[8192];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = !strncmp(line, "flags", 5) && strstr(line, " hypervisor");
	if (f)
		fclose(f);
	return found;
}

static void explain_missing(const struct sys *sys, const struct event *event,
			    struct strbuf *out)
{
	if (event->type == PERF_TYPE_TRACEPOINT || event->type == PERF_TYPE_SOFTWARE)
		strbuf_addstr(out, "this kernel does not have that event");
	else if (has_core_pmu(sys))
		strbuf_addstr(out, "this CPU does not have that event; collect -h lists "
				   "those it has");
	else if (in_virtual_machine(sys))
		strbuf_addstr(out, "this virtual machine has no hardware counters; its "
				   "host can give it some (KVM: -cpu host,pmu=on)");
	else
		strbuf_addstr(out,
			      "the kernel knows no hardware counters of this machine");
}

/*
 * The paranoid level refuses with EACCES; a filter of system calls, or a security module,
 * with EPERM.
 */
static void explain_permission(const struct sys *sys, int error, struct strbuf *out)
{
	long paranoid = sys_read_number(sys, PARANOID, -2);
	bool filtered = sys_status_number(sys, "Seccomp", 10, 0) != 0;

	if (paranoid >= 2 && (error == -EACCES || !filtered))
		strbuf_addf(out,
			    "kernel.perf_event_paranoid is %ld, which forbids it; allow "
			    "it with: sudo sysctl kernel.perf_event_paranoid=%d",
			    paranoid, paranoid > 2 ? 2 : 1);
	else
		strbuf_addf(out,
			    "perf_event_open is not permitted here (%s); start it "
			    "with: docker run --cap-add PERFMON --security-opt "
			    "seccomp=unconfined",
			    filtered ? "a seccomp filter forbids it, as in containers"
				     : "a container's seccomp filter?");
}

static void explain_invalid(const struct sys *sys, const struct event *event,
			    struct strbuf *out)
{
	long most = sys_read_number(sys, MAX_RATE, 0);

	if (event->freq && most > 0 && event->period > (uint64_t)most)
		strbuf_addf(out,
			    "kernel.perf_event_max_sample_rate is %ld, and that is more; "
			    "choose a lower rate",
			    most);
	else if (has_core_pmu(sys))
		strbuf_addstr(out, "the kernel rejects this encoding on this CPU; check "
				   "its attributes");
	else
		strbuf_addstr(out, "no counter of this machine supports it");
}

void refusal_explain(const struct sys *sys, const struct event *event, int error,
		     struct strbuf *out)
{
	switch (-error) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
		explain_missing(sys, event, out);
		break;
	case EACCES:
	case EPERM:
		explain_permission(sys, error, out);
		break;
	case ENOSYS:
		strbuf_addstr(out, "this kernel has no perf events, or a seccomp filter "
				   "hides them (CONFIG_PERF_EVENTS)");
		break;
	case EBUSY:
		strbuf_addstr(out,
			      "another user holds the counters; stop it, or free the "
			      "watchdog's with: sudo sysctl kernel.nmi_watchdog=0");
		break;
	case EINVAL:
		explain_invalid(sys, event, out);
		break;
	case EMFILE:
	case ENFILE:
		strbuf_addstr(out, "too many open files; raise the limit with: "
				   "ulimit -n 65536");
		break;
	default:
		strbuf_addstr(out, strerror(-error));
	}
}

void refusal_explain_kernel(const struct sys *sys, struct strbuf *out)
{
	long paranoid = sys_read_number(sys, PARANOID, 2);

	if (paranoid > 1)
		strbuf_addf(
			out,
			"no samples of the kernel: kernel.perf_event_paranoid is %ld; "
			"allow them with: sudo sysctl kernel.perf_event_paranoid=1",
			paranoid);
	else
		strbuf_addstr(out, "no samples of the kernel: something other than "
				   "kernel.perf_event_paranoid forbids them (lockdown, "
				   "a container); root of the host may have them");
}
