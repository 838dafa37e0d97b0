/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mkexp DIR: an experiment from folded stacks on standard input, so a test can state the
 * samples and compute the expected result by hand.  A line is a stack or a directive; '#'
 * starts a comment.
 *
 *	main;parse;read 3	three samples, root first; a single '.' is the empty stack
 *
 * A frame is a function of the module "a.out", or MODULE!FUNCTION.  FUNCTION@N is another
 * address in the same function, MODULE!+0x1230 an offset without a name, "?" in no known
 * module, "<REASON>" (no_rule, depth, …), at the root, a truncated stack; "<unsampled>"
 * alone is an unsampled count.  The directives are in the table below; those of samples
 * apply to the stacks that follow.
 *
 * FUNCTION~FILE#N is one of several functions of that name: the Nth of FILE.  With N 0 it
 * is as in a recording that does not say so.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/log.h"
#include "experiment/write.h"
#include "base/file.h"
#include "base/idmap.h"
#include "base/strtab.h"
#include "base/xalloc.h"

enum { FUNCTION_SIZE = 64, BASE = 0x1000, SITE_STEP = 5, PERIOD_NS = 1000000 };

struct maker {
	const char *dir;
	struct exp_writer *out;
	struct exp_log log;
	bool no_names;
	struct strtab strings;
	uint32_t strings_written;
	struct strtab functions; /* "MODULE!FUNCTION": its place follows from its id */
	struct strtab paths;     /* "MODULE=PATH", "MODULE#BUILD-ID" */
	struct idmap modules, frames, nodes, threads, processes;
	uint32_t counts[EXP_TABLES]; /* rows written */
	uint64_t time_ns, step_ns, thread, cpu, event, weight;
};

static _Noreturn void fail(const char *what, const char *text)
{
	fprintf(stderr, "mkexp: %s: %s\n", what, text);
	exit(1);
}

static uint64_t string_id(struct maker *m, const char *text)
{
	uint32_t id = strtab_intern(&m->strings, text);

	while (m->strings_written < id)
		exp_write_string(m->out, strtab_get(&m->strings, ++m->strings_written));
	return id;
}

static uint32_t add_row(struct maker *m, enum exp_table table, const uint64_t *row)
{
	exp_write_row(m->out, table, row);
	return m->counts[table]++;
}

/* ---- stacks ---- */

/*
 * The text given for MODULE behind MARK ('=' its path, '#' its build-id), or OTHERWISE.
 */
static const char *said_of(const struct maker *m, const char *module, char mark,
			   const char *otherwise)
{
	size_t len = strlen(module);

	for (uint32_t i = 1; i < strtab_count(&m->paths); i++) {
		const char *text = strtab_get(&m->paths, i);

		if (!strncmp(text, module, len) && text[len] == mark)
			return text + len + 1;
	}
	return otherwise;
}

/* As collect does with the file that ran. */
static void look_at(const char *path, struct file_mark *mark)
{
	int fd = file_open(path);

	if (fd < 0)
		return;
	file_mark_of(fd, mark);
	close(fd);
}

static uint32_t module_id(struct maker *m, const char *name, enum exp_module_kind kind)
{
	uint64_t key = string_id(m, name);
	uint32_t id = idmap_get(&m->modules, key, kind);
	const char *path = said_of(m, name, '=', name);
	const char *build = said_of(m, name, '#', "");
	struct file_mark mark = { 0 };

	if (id != IDMAP_NONE)
		return id;
	if (kind == EXP_KIND_FILE && !*build)
		look_at(path, &mark);
	id = add_row(m, EXP_MODULES,
		     (uint64_t[EXP_MODULE_COLUMNS]){
			     string_id(m, path), string_id(m, build), kind, mark.inode,
			     mark.size, mark.mtime_ns });
	idmap_set(&m->modules, key, kind, id);
	return id;
}

static uint64_t function_start(struct maker *m, const char *module, const char *function)
{
	char *text = xasprintf("%s!%s", module, function);
	uint32_t id = strtab_intern(&m->functions, text);

	free(text);
	return BASE + (uint64_t)id * FUNCTION_SIZE;
}

static uint32_t frame_id(struct maker *m, uint32_t module, uint64_t offset, bool leaf)
{
	uint32_t flags = leaf ? 0 : EXP_FRAME_RETURN;
	uint32_t next = m->counts[EXP_FRAMES];
	uint32_t id = idmap_intern(&m->frames, offset,
				   module << EXP_FRAME_FLAG_BITS | flags, next);

	if (id == next)
		add_row(m, EXP_FRAMES, (uint64_t[]){ module, offset, flags });
	return id;
}

static uint64_t truncated_offset(const char *text)
{
	if (!strcmp(text, "<unsampled>"))
		return EXP_UNSAMPLED;
	for (unsigned i = 0; i < EXP_ENDS; i++)
		if (!strncmp(exp_stack_end_names[i], text + 1, strlen(text) - 2))
			return EXP_TRUNCATED + i;
	fail("no such reason", text);
}

static enum exp_module_kind kind_of(const char *module)
{
	if (!strncmp(module, "[anon", 5))
		return EXP_KIND_ANON;
	if (!strncmp(module, "[vdso]", 6))
		return EXP_KIND_VDSO;
	return *module == '[' ? EXP_KIND_KERNEL : EXP_KIND_FILE;
}

/* TEXT is cut up. */
static uint32_t frame_of(struct maker *m, char *text, bool leaf)
{
	char *bang = strchr(text, '!'), *site = strrchr(text, '@');
	const char *module = bang ? text : "a.out", *function = bang ? bang + 1 : text;
	enum exp_module_kind kind = kind_of(module);
	uint64_t offset = leaf ? 4 : SITE_STEP;

	if (*text == '<')
		return frame_id(m, module_id(m, "", EXP_KIND_ARTIFICIAL),
				truncated_offset(text), true);
	if (!strcmp(text, "?"))
		return frame_id(m, module_id(m, "", EXP_KIND_UNKNOWN), BASE, true);
	if (bang)
		*bang = '\0';
	if (*function == '+')
		return frame_id(m, module_id(m, module, kind),
				strtoull(function, NULL, 16), true);
	if (site) {
		offset += SITE_STEP * strtoull(site + 1, NULL, 10);
		*site = '\0';
	}
	return frame_id(m, module_id(m, module, kind),
			function_start(m, module, function) + offset, leaf);
}

/* TEXT is cut up. */
static uint32_t node_of(struct maker *m, char *text)
{
	uint32_t node = 0;
	char *save = NULL;

	if (!strcmp(text, "."))
		return 0;
	for (char *at = strtok_r(text, ";", &save); at; at = strtok_r(NULL, ";", &save)) {
		uint32_t frame = frame_of(m, at, !*save);
		uint32_t next = m->counts[EXP_NODES] + 1;
		uint32_t id = idmap_intern(&m->nodes, node, frame, next);

		if (id == next)
			add_row(m, EXP_NODES, (uint64_t[]){ node, frame });
		node = id;
	}
	return node;
}

static void set_thread(struct maker *m, uint64_t pid, uint64_t tid, const char *name)
{
	uint32_t next = m->counts[EXP_PROCESSES];
	uint32_t process = idmap_intern(&m->processes, pid, 0, next);

	if (process == next)
		add_row(m, EXP_PROCESSES, (uint64_t[]){ pid, 0, string_id(m, name), 0 });
	next = m->counts[EXP_THREADS];
	m->thread = idmap_intern(&m->threads, pid, tid, next);
	if (m->thread == next)
		add_row(m, EXP_THREADS,
			(uint64_t[]){ process, tid, string_id(m, name), 0 });
}

static void add_event(struct maker *m, const char *metric, const char *unit,
		      const char *label)
{
	*vec_push(&m->log.events) = (struct exp_event){
		.asked = xstrdup(metric),
		.got = xstrdup(metric),
		.reason = xstrdup(""),
		.metric = xstrdup(metric),
		.label = xstrdup(label),
		.unit = xstrdup(unit),
		.scale = 1,
	};
	m->event = m->log.events.len - 1;
}

/* "main;f 3" */
static void take_stack(struct maker *m, char *line)
{
	char *space = strrchr(line, ' ');
	uint64_t count;
	uint32_t node;
	bool sampled;

	if (!space)
		fail("neither a stack nor a directive", line);
	*space = '\0';
	count = strtoull(space + 1, NULL, 10);
	if (!m->log.events.len) {
		add_event(m, "totalcpu", "ns", "Total CPU Time");
		m->log.events.data[0].period = PERIOD_NS;
		m->weight = PERIOD_NS;
	}
	if (!m->counts[EXP_THREADS])
		set_thread(m, 100, 100, "a.out");
	sampled = strcmp(line, "<unsampled>") != 0;
	node = node_of(m, line);
	for (; count; count--) {
		m->time_ns += m->step_ns;
		m->log.events.data[m->event].samples += sampled;
		m->log.samples += sampled;
		add_row(m, EXP_SAMPLES,
			(uint64_t[EXP_SAMPLE_COLUMNS]){ m->time_ns, m->thread, m->cpu,
							m->event, m->weight, node });
	}
}

/* ---- directives ---- */

static void take_event(struct maker *m, char *args)
{
	char metric[64], unit[16], label[64] = "";
	unsigned long long period;
	double hz = 0, scale = 1;
	struct exp_event *event;

	if (sscanf(args, "%63s %15s %llu %lf %lf %63[^\n]", metric, unit, &period, &hz,
		   &scale, label) < 3)
		fail("event METRIC UNIT PERIOD [HZ [SCALE [LABEL]]]", args);
	add_event(m, metric, unit, *label ? label : metric);
	event = &m->log.events.data[m->event];
	event->period = m->weight = period;
	event->hz = hz;
	event->scale = scale;
}

static void take_on(struct maker *m, char *args)
{
	for (m->event = 0; m->event < m->log.events.len; m->event++)
		if (!strcmp(m->log.events.data[m->event].metric, args)) {
			m->weight = m->log.events.data[m->event].period;
			return;
		}
	fail("no such event", args);
}

static void take_thread(struct maker *m, char *args)
{
	unsigned long long pid, tid;
	char name[64];

	if (sscanf(args, "%llu %llu %63[^\n]", &pid, &tid, name) != 3)
		fail("thread PID TID NAME", args);
	set_thread(m, pid, tid, name);
}

/* The arguments of the thread's process, by blanks; a '.' is an empty one. */
static void take_args(struct maker *m, char *args)
{
	uint32_t process = m->counts[EXP_PROCESSES] - 1;
	char *save = NULL;

	for (char *at = strtok_r(args, " ", &save); at; at = strtok_r(NULL, " ", &save))
		add_row(m, EXP_ARGUMENTS,
			(uint64_t[]){ process, string_id(m, strcmp(at, ".") ? at : ""),
				      0 });
}

/* The control group of the newest thread. */
static void take_group(struct maker *m, char *args)
{
	add_row(m, EXP_GROUPS,
		(uint64_t[]){ m->counts[EXP_THREADS] - 1, string_id(m, args) });
}

static void take_cpu(struct maker *m, char *args)
{
	m->cpu = strtoull(args, NULL, 0);
}

static void take_weight(struct maker *m, char *args)
{
	m->weight = strtoull(args, NULL, 0);
}

static void take_step(struct maker *m, char *args)
{
	m->step_ns = strtoull(args, NULL, 0);
}

static void take_rusage(struct maker *m, char *args)
{
	m->log.rusage_user_ns = (uint64_t)(strtod(args, NULL) * 1e9);
}

static void take_lost(struct maker *m, char *args)
{
	m->log.lost = strtoull(args, NULL, 0);
}

static void take_lost_records(struct maker *m, char *args)
{
	m->log.lost_records = strtoull(args, NULL, 0);
}

/* The scope of the events: "cpu". */
static void take_scope(struct maker *m, char *args)
{
	free(m->log.scope);
	m->log.scope = xstrdup(args);
}

/* In the second that the samples before it reached, while the thread of now ran. */
static void take_loss(struct maker *m, char *args)
{
	add_row(m, EXP_LOSSES,
		(uint64_t[]){ m->time_ns, m->thread + 1, m->cpu,
			      strtoull(args, NULL, 0) });
}

static void take_throttled(struct maker *m, char *args)
{
	m->log.throttled = strtoull(args, NULL, 0);
}

static void take_end(struct maker *m, char *args)
{
	char *space = strchr(args, ' ');

	for (unsigned i = 0; space && i < EXP_ENDS; i++)
		if (!strncmp(exp_stack_end_names[i], args, (size_t)(space - args)))
			m->log.stack_ends[i] = strtoull(space, NULL, 0);
}

static void take_note(struct maker *m, char *args)
{
	char *space = strchr(args, ' ');

	if (!space)
		fail("note SEVERITY TEXT", args);
	*space = '\0';
	exp_log_note(&m->log, args, space + 1);
}

static void take_command(struct maker *m, char *args)
{
	*vec_push(&m->log.command) = xstrdup(args);
}

static void take_module(struct maker *m, char *args)
{
	strtab_intern(&m->paths, args);
}

static void take_running(struct maker *m, char *args)
{
	(void)args;
	m->no_names = true;
	m->log.complete = false;
}

/* Flushes the rows so far: the next ones are in other blocks. */
static void take_flush(struct maker *m, char *args)
{
	(void)args;
	if (exp_writer_flush(m->out))
		fail(m->dir, "cannot be written");
}

static const struct {
	const char *name;
	void (*take)(struct maker *m, char *args);
} directives[] = {
	{ "event", take_event },   /* METRIC UNIT PERIOD [HZ [SCALE [LABEL]]] */
	{ "on", take_on },         /* METRIC: back to an event that is there */
	{ "thread", take_thread }, /* PID TID NAME */
	{ "args", take_args },     /* WORD…: the command line of the newest process */
	{ "group", take_group },   /* PATH: the control group of the newest thread */
	{ "cpu", take_cpu },       /* N */
	{ "weight", take_weight }, /* N: the weight of a sample */
	{ "step", take_step },     /* NS from a sample to the next; 0: no times */
	{ "rusage", take_rusage }, /* SECONDS of CPU time */
	{ "lost", take_lost },     /* N */
	{ "lost-records", take_lost_records },
	{ "scope", take_scope },         /* WORD */
	{ "loss", take_loss },           /* N: now, while this thread runs */
	{ "throttled", take_throttled }, /* N */
	{ "end", take_end },             /* REASON N: stacks that ended so */
	{ "note", take_note },           /* SEVERITY TEXT */
	{ "arg", take_command },         /* WORD of the target's command */
	{ "module", take_module },   /* MODULE=PATH or MODULE#BUILD-ID, before its use */
	{ "running", take_running }, /* the collector was killed: no names are kept */
	{ "flush", take_flush },
};

#define DIRECTIVES (sizeof(directives) / sizeof(directives[0]))

static void take_line(struct maker *m, char *line)
{
	size_t len = strcspn(line, " ");

	if (!*line || *line == '#')
		return;
	for (size_t i = 0; i < DIRECTIVES; i++)
		if (strlen(directives[i].name) == len &&
		    !strncmp(directives[i].name, line, len)) {
			directives[i].take(m, line + len + (line[len] == ' '));
			return;
		}
	take_stack(m, line);
}

/* "f~a.c#2" */
static void cut_twin(char *function, const char **file, uint64_t *twin)
{
	char *tilde = strchr(function, '~'), *number = strrchr(function, '#');

	*twin = 0;
	*file = "";
	if (!tilde || !number)
		return;
	*tilde = *number = '\0';
	*file = tilde + 1;
	*twin = strtoull(number + 1, NULL, 10);
}

static void write_symbols(struct maker *m)
{
	for (uint32_t i = 1; i < strtab_count(&m->functions); i++) {
		char *module = xstrdup(strtab_get(&m->functions, i));
		char *bang = strchr(module, '!');
		enum exp_module_kind kind;
		const char *file;
		uint64_t twin;

		*bang = '\0';
		kind = kind_of(module);
		cut_twin(bang + 1, &file, &twin);
		add_row(m, EXP_SYMBOLS,
			(uint64_t[EXP_SYMBOL_COLUMNS]){
				module_id(m, module, kind),
				BASE + (uint64_t)i * FUNCTION_SIZE, FUNCTION_SIZE,
				string_id(m, bang + 1), EXP_SOURCE_SYMTAB,
				twin ? string_id(m, file) : 0, twin });
		free(module);
	}
}

static void start_log(struct exp_log *log)
{
	*log = (struct exp_log){
		.complete = true,
		.version = xstrdup("0"),
		.cwd = xstrdup("/tmp"),
		.pid = 100,
		.hostname = xstrdup("host"),
		.kernel = xstrdup("Linux 6.1"),
		.arch = xstrdup("x86_64"),
		.cpu = xstrdup("Some CPU"),
		.cpus = 4,
		.page_size = 4096,
		.hz = 2e9,
		.started = xstrdup("2026-01-02T03:04:05Z"),
		.comment = xstrdup(""),
		.stack = xstrdup("cfi"),
	};
}

static void finish_log(struct maker *m)
{
	m->log.duration_ns = m->time_ns;
	m->log.threads = m->counts[EXP_THREADS];
	m->log.processes = m->counts[EXP_PROCESSES];
	if (exp_log_write(&m->log, m->dir))
		fail(m->dir, "log.json cannot be written");
}

static void release(struct maker *m)
{
	exp_log_release(&m->log);
	strtab_release(&m->strings);
	strtab_release(&m->functions);
	strtab_release(&m->paths);
	idmap_release(&m->modules);
	idmap_release(&m->frames);
	idmap_release(&m->nodes);
	idmap_release(&m->threads);
	idmap_release(&m->processes);
}

int main(int argc, char **argv)
{
	struct maker m = { .step_ns = PERIOD_NS };
	char *line = NULL;
	size_t room = 0;

	if (argc != 2)
		fail("usage", "mkexp DIR <STACKS");
	m.dir = argv[1];
	if (mkdir(m.dir, 0777) || exp_writer_open(m.dir, &m.out))
		fail(m.dir, "cannot be made");
	strtab_init(&m.strings);
	strtab_init(&m.functions);
	strtab_init(&m.paths);
	start_log(&m.log);
	while (getline(&line, &room, stdin) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		take_line(&m, line);
	}
	free(line);
	if (!m.no_names)
		write_symbols(&m);
	finish_log(&m);
	if (exp_writer_close(m.out))
		fail(m.dir, "data cannot be written");
	release(&m);
	return 0;
}
