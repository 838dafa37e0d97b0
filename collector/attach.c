/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "process/maps_line.h"
#include "process/proc_list.h"
#include "base/xalloc.h"

void attach_command(const char *root, pid_t pid, struct exp_log *log)
{
	FILE *f = file_fopen(root, "/proc/%d/cmdline", (int)pid);
	char *arg = NULL;
	size_t room = 0;

	while (f && getdelim(&arg, &room, '\0', f) > 0)
		*vec_push(&log->command) = xstrdup(arg);
	if (f)
		fclose(f);
	free(arg);
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

static const char *path_of(const struct maps_line *line)
{
	return *line->name ? line->name : "//anon";
}

/* Whether that mapping was there already when the process was looked up before. */
static bool is_known(struct recording *rec, pid_t pid, const struct maps_line *line)
{
	const struct process *process = tasks_process(&rec->tasks, (uint32_t)pid);
	const struct mapping *m = space_find(&process->space, line->start);
	const struct module *module = m ? &rec->modules.v.data[m->module] : NULL;

	return m && m->start == line->start && m->end == line->end &&
	       !memcmp(&module->file, &line->file, sizeof(line->file)) &&
	       !strcmp(module->path, path_of(line));
}

static void take_line(struct recording *rec, pid_t pid, char *text)
{
	struct record_mmap map = { .pid = (uint32_t)pid };
	struct maps_line line;

	if (!maps_line_parse(text, &line) || line.perms[2] != 'x' ||
	    is_known(rec, pid, &line))
		return;
	map.start = line.start;
	map.len = line.end - line.start;
	map.pgoff = line.offset;
	map.file = line.file;
	map.path = path_of(&line);
	recording_add_mapping(rec, &map);
}

static void read_maps(struct recording *rec, const char *root, pid_t pid)
{
	FILE *f = file_fopen(root, "/proc/%d/maps", (int)pid);
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0)
		take_line(rec, pid, line);
	if (f)
		fclose(f);
	free(line);
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
	read_maps(rec, root, pid);
}

void attach_all(struct recording *rec, const char *root)
{
	pid_vec pids = { 0 };

	tasks_thread(&rec->tasks, 0, 0);
	tasks_rename(&rec->tasks, 0, 0, "swapper");
	if (!proc_list_processes(root, &pids))
		vec_for_each(pid_t, pid, &pids)
			attach_process(rec, root, *pid);
	vec_release(&pids);
}
