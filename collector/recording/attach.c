/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/attach.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "process/command_lines.h"
#include "process/maps_line.h"
#include "process/patient.h"
#include "process/proc_list.h"
#include "process/proc_stat.h"
#include "base/xalloc.h"

/* 65530 mappings have as many bytes if their paths have 4 KB; the kernel's ARG_MAX is less. */
enum { MAPS_MAX = 1 << 28, COMMAND_MAX = 1 << 23 };

void attach_command(const char *root, pid_t pid, struct exp_log *log)
{
	char *path = xasprintf("%s/proc/%d/cmdline", root, (int)pid);
	struct patient_process of = patient_process_find(root, pid);
	struct patient patient = { 0 };
	struct strbuf text = { 0 };
	int error = patient_read(&patient, &of, path, COMMAND_MAX, &text);
	size_t len = error ? 0 : command_line_trim(text.data, text.len);

	if (len)
		strbuf_truncate(&text, len);
	/* after the last NUL an empty argument may follow */
	for (size_t at = 0; len && at <= len; at += strlen(text.data + at) + 1)
		*vec_push(&log->command) = xstrdup(text.data + at);
	strbuf_release(&text);
	patient_release(&patient);
	free(path);
}

/* The name in /proc/PID/task/TID/comm. */
static void read_name(struct recording *rec, const char *root, pid_t pid, pid_t tid)
{
	FILE *f = file_fopen(root, "/proc/%d/task/%d/comm", (int)pid, (int)tid);
	char name[64];

	if (!f)
		return;
	if (fgets(name, sizeof(name), f)) {
		name[strcspn(name, "\n")] = '\0';
		tasks_rename(&rec->tasks, (uint32_t)pid, (uint32_t)tid, name);
	}
	fclose(f);
}

/* When all processes are read the parent may not have had its turn yet. */
static void read_parent(struct recording *rec, const char *root, pid_t pid)
{
	struct proc_stat stat;

	if (proc_stat_read(root, pid, &stat))
		tasks_found_parent(&rec->tasks, (uint32_t)pid, (uint32_t)stat.parent);
}

static const char *path_of(const struct maps_line *line)
{
	return *line->name ? line->name : "//anon";
}

/* Whether that mapping was already known from an earlier look. */
static bool is_known(struct recording *rec, pid_t pid, const struct maps_line *line)
{
	const struct process *process = tasks_process(&rec->tasks, (uint32_t)pid);
	const struct mapping *m = space_find(&process->space, line->start);
	const struct module *module = m ? &rec->modules.v.data[m->module] : NULL;

	return m && m->end >= line->end &&
	       (module->kind != EXP_KIND_FILE ||
		m->offset + (line->start - m->start) == line->offset) &&
	       !memcmp(&module->file, &line->file, sizeof(line->file)) &&
	       !strcmp(module->path, path_of(line));
}

static void take_mapping(struct recording *rec, pid_t pid, const struct maps_line *line)
{
	recording_add_mapping(rec, &(struct record_mmap){
					   .pid = (uint32_t)pid,
					   .start = line->start,
					   .len = line->end - line->start,
					   .pgoff = line->offset,
					   .file = line->file,
					   .path = path_of(line),
				   });
}

/* The number of a process's executable mappings, and of known ones among them. */
struct found {
	size_t all, known;
};

static void walk_line(struct recording *rec, char *text, pid_t pid, bool take,
		      struct found *found)
{
	struct maps_line line;

	if (!maps_line_parse(text, &line) || line.perms[2] != 'x')
		return;
	found->all++;
	if (is_known(rec, pid, &line))
		found->known++;
	else if (take)
		take_mapping(rec, pid, &line);
}

/* MAPS is as before afterwards. */
static struct found walk_maps(struct recording *rec, struct strbuf *maps, pid_t pid,
			      bool take)
{
	struct found found = { 0 };
	char *next;

	for (char *at = maps->data; at && *at; at = next) {
		char *end = strchrnul(at, '\n'), cut = *end;

		*end = '\0';
		walk_line(rec, at, pid, take, &found);
		*end = cut;
		next = end + (cut != '\0');
	}
	return found;
}

/*
 * A program executed since the last look lies elsewhere, and its mappings replace only
 * some of the older one's.
 */
static void read_maps(struct recording *rec, const char *root, pid_t pid)
{
	size_t before = tasks_process(&rec->tasks, (uint32_t)pid)->space.len;
	struct patient_process of = patient_process_find(root, pid);
	char *path = xasprintf("%s/proc/%d/maps", root, (int)pid);
	struct strbuf maps = { 0 };
	struct found found = { 0 };
	int error = patient_read(&rec->modules.patient, &of, path, MAPS_MAX, &maps);

	rec->modules.patient.given_up += error == -ETIMEDOUT || error == -EINPROGRESS;
	if (!error && before)
		found = walk_maps(rec, &maps, pid, false);
	/* else it may not be read any more, or is as it was */
	if (!before || (found.all && (found.known != before || found.all != before))) {
		tasks_unmap(&rec->tasks, (uint32_t)pid);
		walk_maps(rec, &maps, pid, true);
	}
	strbuf_release(&maps);
	free(path);
}

void attach_process(struct recording *rec, const char *root, pid_t pid)
{
	pid_vec tids = { 0 };

	tasks_process(&rec->tasks, (uint32_t)pid);
	if (!proc_list_threads(root, pid, &tids))
		vec_for_each(pid_t, tid, &tids) {
			tasks_thread(&rec->tasks, (uint32_t)pid, (uint32_t)*tid);
			read_name(rec, root, pid, *tid);
		}
	vec_release(&tids);
	read_parent(rec, root, pid);
	read_maps(rec, root, pid);
}

/* Signals are blocked by now, and taken only when the recording runs. */
static bool is_end_pending(void)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t pending;

	if (sigpending(&pending) < 0)
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigismember(&pending, ends[i]) > 0)
			return true;
	return false;
}

void attach_all(struct recording *rec, const char *root, bool signals_end)
{
	pid_vec pids = { 0 };

	tasks_thread(&rec->tasks, 0, 0);
	tasks_rename(&rec->tasks, 0, 0, "swapper");
	if (!proc_list_processes(root, &pids))
		for (size_t i = 0; i < pids.len && !(signals_end && is_end_pending());
		     i++)
			attach_process(rec, root, pids.data[i]);
	vec_for_each(const pid_t, pid, &pids)
		if (tasks_know(&rec->tasks, (uint32_t)*pid))
			read_parent(rec, root, *pid);
	vec_release(&pids);
}
