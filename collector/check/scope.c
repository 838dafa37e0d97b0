/* SPDX-License-Identifier: Apache-2.0 */
/* collect --check: whose samples are available. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sample/cgroup.h"
#include "check/probe.h"
#include "base/file.h"
#include "check/trial.h"
#include "base/xalloc.h"

static bool maps_readable(const struct sys *sys, pid_t pid)
{
	FILE *f = file_fopen(sys->root, "/proc/%d/maps", (int)pid);
	bool readable = f && fgetc(f) != EOF;

	if (f)
		fclose(f);
	return readable;
}

/*
 * Starts an idle process, to attach to as -P would, which lives until *HOLD is closed.
 * Its pid or a negative errno.
 */
static pid_t start_idler(int *hold)
{
	int pipes[2];
	pid_t pid;
	char c;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		pid = -errno;
	if (pid == 0) {
		close(pipes[1]);
		_exit(read(pipes[0], &c, 1) < 0);
	}
	close(pipes[0]);
	*hold = pipes[1];
	return pid;
}

void check_child(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	int hold = -1, error;
	pid_t pid = start_idler(&hold);
	bool maps;

	check_attr(false, &attr);
	attr.inherit = 1;
	error = pid < 0 ? pid : trial_open(facts->sys, &attr, pid, -1, 0);
	maps = maps_readable(facts->sys, pid);
	if (hold >= 0)
		close(hold);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (error)
		check_refused(facts->sys, &attr, error, line);
	else
		strbuf_addf(check_say(line, maps ? CHECK_YES : CHECK_PARTLY, NULL),
			    "collect can start or attach to your processes%s",
			    maps ? "" : "; their mappings cannot be read");
}

/* The first process of another user; 0: none is visible. */
static pid_t other_process(const struct sys *sys)
{
	char *path = xasprintf("%s/proc", sys->root);
	DIR *dir = opendir(path);
	struct dirent *entry;
	struct stat st;
	pid_t found = 0;

	free(path);
	while (dir && !found && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name) &&
		    !fstatat(dirfd(dir), entry->d_name, &st, 0) && st.st_uid != geteuid())
			found = (pid_t)strtol(entry->d_name, NULL, 10);
	if (dir)
		closedir(dir);
	return found;
}

void check_others(struct check_facts *facts, struct check_line *line)
{
	pid_t other = other_process(facts->sys);
	struct perf_event_attr attr;
	int error;

	if (!other) {
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "no process of another user runs here");
		return;
	}
	check_attr(false, &attr);
	error = trial_open(facts->sys, &attr, other, -1, 0);
	if (!error && maps_readable(facts->sys, other))
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "collect can attach to processes of every user");
	else
		strbuf_addstr(check_say(line, CHECK_NO, "run collect as root"),
			      "collect cannot attach to processes of other users");
}

void check_system(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	int error;

	check_attr(!facts->counters, &attr);
	error = trial_open(facts->sys, &attr, -1, 0, 0);
	if (!error) {
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "collect -a sees every process");
		return;
	}
	strbuf_addstr(check_say(line, CHECK_NO,
				"sudo sysctl kernel.perf_event_paranoid=0, or run "
				"collect as root"),
		      "counters cannot be tied to CPUs; each new process starts an "
		      "interval of its own, and short ones are seldom sampled");
}

void check_cgroup(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	struct cgroup group;
	int error = cgroup_make(&group, facts->sys->root);

	check_attr(!facts->counters, &attr);
	if (error)
		strbuf_addf(check_say(line, CHECK_NO, "run collect as root"),
			    "cannot create a control group (v2): %s", strerror(-error));
	else if ((error = trial_open(facts->sys, &attr, group.fd, 0,
				     PERF_FLAG_PID_CGROUP)))
		strbuf_addf(check_say(line, CHECK_NO,
				      "sudo sysctl kernel.perf_event_paranoid=0, or run "
				      "collect as root"),
			    "counters cannot be tied to a control group: %s",
			    strerror(-error));
	else
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "each run gets a group of its own: short processes are "
			      "sampled as well as long ones");
	cgroup_release(&group);
}
