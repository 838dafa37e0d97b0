/* SPDX-License-Identifier: Apache-2.0 */
#include "control/usage.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "experiment/format.h"
#include "process/proc_stat.h"

enum { STATUS_MAX = 8192 };

/* What was used by nobody is not known: all have just ended. */
static void add_process(struct usage *out, const char *root, uint32_t pid)
{
	struct proc_stat stat;

	if (!proc_stat_read(root, (pid_t)pid, &stat))
		return;
	out->known |= EXP_KNOWN_TIMES;
	out->user_ns += stat.times.user_ns + stat.times.waited_user_ns;
	out->system_ns += stat.times.system_ns + stat.times.waited_system_ns;
	out->minor_faults += stat.times.minor_faults + stat.times.waited_minor_faults;
	out->major_faults += stat.times.major_faults + stat.times.waited_major_faults;
}

/* The number behind a word at the beginning of a line. */
static uint64_t number_of(const char *text, const char *word)
{
	const char *found = strstr(text, word);

	return found ? strtoull(found + strlen(word), NULL, 10) : 0;
}

static void add_thread(struct usage *out, const char *root, uint32_t pid, uint32_t tid)
{
	char *path = xasprintf("%s/proc/%u/task/%u/status", root, (unsigned)pid,
			       (unsigned)tid);
	struct strbuf text = { 0 };

	if (!file_read(path, STATUS_MAX, &text)) {
		out->known |= EXP_KNOWN_SWITCHES;
		out->voluntary += number_of(strbuf_str(&text),
					    "\nvoluntary_ctxt_switches:");
		out->involuntary += number_of(strbuf_str(&text),
					      "\nnonvoluntary_ctxt_switches:");
	}
	strbuf_release(&text);
	free(path);
}

static size_t count_processes(const struct tasks *tasks)
{
	size_t count = 0;

	vec_for_each(const struct process, process, &tasks->processes)
		count += process->live > 0;
	return count;
}

static size_t count_threads(const struct tasks *tasks)
{
	size_t count = 0;

	vec_for_each(const struct thread, thread, &tasks->threads)
		count += !thread->ended;
	return count;
}

void usage_read(struct usage *out, const struct tasks *tasks, const char *root)
{
	*out = (struct usage){ 0 };
	if (count_processes(tasks) <= USAGE_PROCESSES_MAX)
		vec_for_each(const struct process, process, &tasks->processes)
			if (process->live)
				add_process(out, root, process->pid);
	if (count_threads(tasks) > USAGE_THREADS_MAX)
		return;
	vec_for_each(const struct thread, thread, &tasks->threads)
		if (!thread->ended)
			add_thread(out, root, tasks->processes.data[thread->process].pid,
				   thread->tid);
}
