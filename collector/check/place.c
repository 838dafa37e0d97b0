/* SPDX-License-Identifier: Apache-2.0 */
/* collect --check: this process's rights and surroundings. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "check/probe.h"
#include "elf/kallsyms.h"
#include "base/xalloc.h"

enum { CAP_PTRACE = 19, CAP_ADMIN = 21, CAP_PERF = 38 }; /* <linux/capability.h> */

void check_capabilities(struct check_facts *facts, struct check_line *line)
{
	uint64_t caps = sys_status_number(facts->sys, "CapEff", 16, 0);
	bool admin = caps >> CAP_ADMIN & 1, perf = caps >> CAP_PERF & 1;

	if (admin || perf)
		strbuf_addf(check_say(line, CHECK_YES, NULL), "%s%s",
			    perf ? "CAP_PERFMON" : "CAP_SYS_ADMIN",
			    caps >> CAP_PTRACE & 1 ? " and CAP_SYS_PTRACE" : "");
	else
		strbuf_addstr(
			check_say(line, CHECK_PARTLY,
				  "sudo groupadd -f perf_users; c=$(command -v collect); "
				  "sudo chgrp perf_users $c && sudo chmod o-rwx $c && "
				  "sudo setcap cap_perfmon,cap_sys_ptrace+ep $c && "
				  "sudo usermod -aG perf_users $USER"),
			"none that matters here; kernel.perf_event_paranoid decides");
}

/* A filter that lets perf_event_open pass does no harm. */
void check_seccomp(struct check_facts *facts, struct check_line *line)
{
	uint64_t mode = sys_status_number(facts->sys, "Seccomp", 10, 0);
	bool refused = facts->clock == -EPERM || facts->clock == -ENOSYS;

	if (!mode)
		strbuf_addstr(check_say(line, CHECK_YES, NULL), "no system-call filter");
	else if (!refused)
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "the system-call filter allows perf_event_open");
	else
		strbuf_addstr(check_say(line, CHECK_NO,
					"docker run --cap-add PERFMON --security-opt "
					"seccomp=unconfined …"),
			      "a system-call filter may block perf_event_open");
}

/* How a child of ours can be confined. */
static unsigned try_confinement(void)
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit((int)confine_to_answer(STDOUT_FILENO));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) ? (unsigned)WEXITSTATUS(status) : 0;
}

void check_confinement(struct check_facts *facts, struct check_line *line)
{
	unsigned how = try_confinement();

	(void)facts;
	if (how & CONFINED_CALLS)
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "debug information is parsed by a process that can only "
			      "read files");
	else
		strbuf_addstr(
			check_say(line, CHECK_NO, "boot a kernel with seccomp filters"),
			"the kernel does not confine the process that parses debug "
			"information");
}

static const struct {
	const char *path, *what;
} marks[] = {
	{ "/.dockerenv", "Docker" },
	{ "/run/.containerenv", "Podman" },
	{ "/run/systemd/container", "systemd-nspawn or similar" },
};

void check_container(struct check_facts *facts, struct check_line *line)
{
	const char *what = NULL;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !what; i++) {
		char *path = xasprintf("%s%s", facts->sys->root, marks[i].path);

		if (!access(path, F_OK))
			what = marks[i].what;
		free(path);
	}
	if (!what)
		strbuf_addstr(check_say(line, CHECK_YES, NULL), "no sign of one");
	else if (facts->clock)
		strbuf_addf(check_say(line, CHECK_NO,
				      "give it --cap-add PERFMON and --security-opt "
				      "seccomp=unconfined"),
			    "this is a container (%s)", what);
	else
		strbuf_addf(check_say(line, facts->kernel ? CHECK_YES : CHECK_PARTLY,
				      facts->kernel ? NULL : "give it --cap-add PERFMON"),
			    "this is a container (%s), and recording works in it", what);
}

/*
 * kernel.kptr_restrict 1 hides them from all except root, 0 follows the paranoid level.
 */
void check_kernel_names(struct check_facts *facts, struct check_line *line)
{
	long hidden = sys_read_number(facts->sys, "/proc/sys/kernel/kptr_restrict", 0);
	char *path = xasprintf("%s" KALLSYMS_PATH, facts->sys->root);
	struct symtab names;

	if (!kallsyms_read(&names, path)) {
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "%zu functions of the kernel have names", names.entries.len);
		symtab_release(&names);
	} else {
		strbuf_addf(
			check_say(line, CHECK_PARTLY,
				  hidden ? "sudo sysctl kernel.kptr_restrict=0"
					 : "sudo sysctl kernel.perf_event_paranoid=1"),
			"the kernel hides the addresses of its functions; "
			"kernel.kptr_restrict is %ld",
			hidden);
	}
	free(path);
}

/* Events and mappings require the right to read, which Yama does not restrict. */
void check_ptrace(struct check_facts *facts, struct check_line *line)
{
	long scope = sys_read_number(facts->sys, "/proc/sys/kernel/yama/ptrace_scope", 0);

	strbuf_addf(check_say(line, CHECK_YES, NULL),
		    "kernel.yama.ptrace_scope is %ld, which does not affect collect -P: "
		    "it does not trace",
		    scope);
}
