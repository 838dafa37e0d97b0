/* SPDX-License-Identifier: Apache-2.0 */
/* The directives between the stacks. */
#include "mkexp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/state.h"
#include "base/xalloc.h"

static void take_event(struct maker *m, char *args)
{
	char metric[64], unit[16], label[64] = "";
	unsigned long long period;
	double hz = 0, scale = 1;
	struct exp_event *event;

	if (sscanf(args, "%63s %15s %llu %lf %lf %63[^\n]", metric, unit, &period, &hz,
		   &scale, label) < 3)
		mkexp_fail("event METRIC UNIT PERIOD [HZ [SCALE [LABEL]]]", args);
	mkexp_add_event(m, metric, unit, *label ? label : metric);
	event = &m->log.events.data[m->event];
	event->period = m->weight = period;
	event->hz = hz;
	event->scale = scale;
}

/* "state NAME": an event whose stacks are waits; `weight` is their duration. */
static void take_state(struct maker *m, char *args)
{
	enum exp_state state = exp_state_find(args);

	if (state == EXP_STATES)
		mkexp_fail("no such state", args);
	mkexp_add_event(m, args, "ns", exp_states[state].label);
	m->log.events.data[m->event].state = xstrdup(args);
	m->log.events.data[m->event].period = 1;
}

/* Of the thread. */
static void take_life(struct maker *m, char *args)
{
	unsigned long long from, to, flags = 0;

	if (sscanf(args, "%llu %llu %llu", &from, &to, &flags) < 2)
		mkexp_fail("life FROM_NS TO_NS [FLAGS]", args);
	mkexp_row(m, EXP_LIVES,
		  (uint64_t[EXP_LIFE_COLUMNS]){ m->thread, from, to, flags });
}

/* NAME, or DOMAIN|NAME: both as strings. */
static uint64_t region_name(struct maker *m, char *name, uint64_t *domain)
{
	char *bar = strchr(name, '|');

	*domain = 0;
	if (bar) {
		*bar = '\0';
		*domain = mkexp_string(m, name);
	}
	return mkexp_string(m, bar ? bar + 1 : name);
}

/* Its names in one word, outermost first, each behind a '/'. */
static uint32_t region_path(struct maker *m, char *names, bool apart)
{
	uint32_t path = 0;
	char *save = NULL;

	for (char *name = strtok_r(names, "/", &save); name;
	     name = strtok_r(NULL, "/", &save)) {
		uint64_t domain, text = region_name(m, name, &domain);
		uint64_t key = (domain << 32 | text) << 1 | apart;
		uint32_t id = idmap_get(&m->region_paths, key, path);

		if (id == IDMAP_NONE) {
			id = mkexp_row(m, EXP_REGION_PATHS,
				       (uint64_t[EXP_REGION_PATH_COLUMNS]){
					       path, text, domain, apart }) +
			     1;
			idmap_set(&m->region_paths, key, path, id);
		}
		path = id;
	}
	return path;
}

static void add_region(struct maker *m, char *args, bool apart)
{
	unsigned long long from, to, flags = 0;
	char names[1024];

	if (sscanf(args, "%1023s %llu %llu %llu", names, &from, &to, &flags) < 3)
		mkexp_fail("region or apart /NAME[/NAME…] BEGIN_NS END_NS [FLAGS]", args);
	mkexp_row(m, EXP_REGIONS,
		  (uint64_t[EXP_REGION_COLUMNS]){ m->thread, region_path(m, names, apart),
						  from, to, flags });
}

/* Of the thread. */
static void take_region(struct maker *m, char *args)
{
	add_region(m, args, false);
}

static void take_apart(struct maker *m, char *args)
{
	add_region(m, args, true);
}

/* Of the thread; a text is a word. */
static void take_mark(struct maker *m, char *args)
{
	unsigned long long time, kind, type;
	char name[256], value[256] = "0";
	uint64_t domain, text;

	if (sscanf(args, "%llu %llu %255s %llu %255s", &time, &kind, name, &type, value) <
	    4)
		mkexp_fail("mark TIME_NS KIND NAME TYPE [VALUE]", args);
	text = region_name(m, name, &domain);
	mkexp_row(m, EXP_MARKS,
		  (uint64_t[EXP_MARK_COLUMNS]){ m->thread, time, kind, text, domain, type,
						type == EXP_VALUE_TEXT
							? mkexp_string(m, value)
							: strtoull(value, NULL, 0) });
}

/* What was used until then, and counted of event 0; a name is a word. */
static void take_point(struct maker *m, char *args)
{
	unsigned long long time, kind, usage[6], count, enabled, running;
	char name[256];
	uint64_t row;

	if (sscanf(args, "%llu %llu %255s %llu %llu %llu %llu %llu %llu %llu %llu %llu",
		   &time, &kind, name, &usage[0], &usage[1], &usage[2], &usage[3],
		   &usage[4], &usage[5], &count, &enabled, &running) != 12)
		mkexp_fail("point TIME_NS KIND NAME|- USER_NS SYSTEM_NS MINOR MAJOR "
			   "VOLUNTARY INVOLUNTARY COUNT ENABLED_NS RUNNING_NS",
			   args);
	row = mkexp_row(m, EXP_POINTS,
			(uint64_t[EXP_POINT_COLUMNS]){
				time, kind, strcmp(name, "-") ? mkexp_string(m, name) : 0,
				EXP_KNOWN_TIMES | EXP_KNOWN_SWITCHES, usage[0], usage[1],
				usage[2], usage[3], usage[4], usage[5] });
	mkexp_row(m, EXP_POINT_COUNTS,
		  (uint64_t[EXP_POINT_COUNT_COLUMNS]){ row, 0, count, enabled, running });
}

/* The recording went on: of a paused one. */
static void take_span(struct maker *m, char *args)
{
	unsigned long long from, to;

	if (sscanf(args, "%llu %llu", &from, &to) != 2)
		mkexp_fail("span FROM_NS TO_NS", args);
	mkexp_row(m, EXP_SPANS, (uint64_t[EXP_SPAN_COLUMNS]){ from, to });
}

static void take_region_fault(struct maker *m, char *args)
{
	unsigned long long kind, count;

	if (sscanf(args, "%llu %llu", &kind, &count) != 2)
		mkexp_fail("regionfault KIND COUNT", args);
	mkexp_row(m, EXP_REGION_FAULTS, (uint64_t[]){ kind, count });
}

static void take_on(struct maker *m, char *args)
{
	for (m->event = 0; m->event < m->log.events.len; m->event++)
		if (!strcmp(m->log.events.data[m->event].metric, args)) {
			m->weight = m->log.events.data[m->event].period;
			return;
		}
	mkexp_fail("no such event", args);
}

static void take_thread(struct maker *m, char *args)
{
	unsigned long long pid, tid;
	char name[64];

	if (sscanf(args, "%llu %llu %63[^\n]", &pid, &tid, name) != 3)
		mkexp_fail("thread PID TID NAME", args);
	mkexp_set_thread(m, pid, tid, name);
}

/* The arguments of the thread's process, by blanks; a '.' is an empty one. */
static void take_args(struct maker *m, char *args)
{
	uint32_t process = m->counts[EXP_PROCESSES] - 1;
	char *save = NULL;

	for (char *at = strtok_r(args, " ", &save); at; at = strtok_r(NULL, " ", &save))
		mkexp_row(m, EXP_ARGUMENTS,
			  (uint64_t[]){ process,
					mkexp_string(m, strcmp(at, ".") ? at : ""), 0 });
}

/* The control group of the newest thread. */
static void take_group(struct maker *m, char *args)
{
	mkexp_row(m, EXP_GROUPS,
		  (uint64_t[]){ m->counts[EXP_THREADS] - 1, mkexp_string(m, args) });
}

static void take_cpu(struct maker *m, char *args)
{
	m->cpu = strtoull(args, NULL, 0);
}

static void take_weight(struct maker *m, char *args)
{
	m->weight = strtoull(args, NULL, 0);
}

static void take_address(struct maker *m, char *args)
{
	m->address = strtoull(args, NULL, 0);
}

static void take_waker(struct maker *m, char *args)
{
	m->waker = strtoull(args, NULL, 0);
}

static void take_wakes(struct maker *m, char *args)
{
	uint64_t kind = strtoull(args, &args, 0);

	mkexp_row(m, EXP_WAKERS,
		  (uint64_t[]){ kind, m->thread, *args ? mkexp_node(m, args + 1) : 0 });
}

static void take_time(struct maker *m, char *args)
{
	m->time_ns = strtoull(args, NULL, 0);
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

/* Who ended waits was recorded, though perhaps of none. */
static void take_wakers(struct maker *m, char *args)
{
	(void)args;
	m->log.wakers = 1;
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
	mkexp_row(m, EXP_LOSSES,
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
		mkexp_fail("note SEVERITY TEXT", args);
	*space = '\0';
	exp_log_note(&m->log, args, space + 1);
}

static void take_command(struct maker *m, char *args)
{
	*vec_push(&m->log.command) = xstrdup(args);
}

/* Of the recording, as collect --label. */
static void take_label(struct maker *m, char *args)
{
	if (exp_log_label(&m->log, args))
		mkexp_fail("label KEY=VALUE", args);
}

static void take_host(struct maker *m, char *args)
{
	free(m->log.hostname);
	m->log.hostname = xstrdup(args);
}

static void take_started(struct maker *m, char *args)
{
	free(m->log.started);
	m->log.started = xstrdup(args);
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
		mkexp_fail(m->dir, "cannot be written");
}

static const struct {
	const char *name;
	void (*take)(struct maker *m, char *args);
} directives[] = {
	{ "event", take_event }, /* METRIC UNIT PERIOD [HZ [SCALE [LABEL]]] */
	{ "state", take_state }, /* NAME: an event whose stacks are waits */
	{ "life", take_life },   /* FROM_NS TO_NS [FLAGS]: of this thread */
	/* /NAME[/NAME…] BEGIN END [FLAGS]: of this thread; NAME may be DOMAIN|NAME */
	{ "region", take_region },
	{ "apart", take_apart }, /* the same for a region apart */
	{ "mark", take_mark },   /* TIME KIND NAME TYPE [VALUE]: of this thread */
	{ "regionfault", take_region_fault }, /* KIND COUNT */
	/* TIME KIND NAME|- USER SYSTEM MINOR MAJOR VOLUNTARY INVOLUNTARY COUNT ENABLED RUNNING */
	{ "point", take_point },
	{ "span", take_span },       /* FROM_NS TO_NS: it was recorded then */
	{ "on", take_on },           /* METRIC: back to an event that is there */
	{ "thread", take_thread },   /* PID TID NAME */
	{ "args", take_args },       /* WORD…: the command line of the newest process */
	{ "group", take_group },     /* PATH: the control group of the newest thread */
	{ "cpu", take_cpu },         /* N */
	{ "weight", take_weight },   /* N: the weight of a sample */
	{ "address", take_address }, /* N: of the data of a sample; 0: not known */
	/* KIND [STACK]: the next waker, from 1; of kind 1 it is this thread */
	{ "wakes", take_wakes },
	{ "waker", take_waker },   /* N: who ended a wait; 0: not known */
	{ "time", take_time },     /* NS: of the sample before the next */
	{ "step", take_step },     /* NS from a sample to the next; 0: no times */
	{ "rusage", take_rusage }, /* SECONDS of CPU time */
	{ "lost", take_lost },     /* N */
	{ "lost-records", take_lost_records },
	{ "wakers", take_wakers },       /* they were recorded, if only of no wait */
	{ "scope", take_scope },         /* WORD */
	{ "loss", take_loss },           /* N: now, while this thread runs */
	{ "throttled", take_throttled }, /* N */
	{ "end", take_end },             /* REASON N: stacks that ended so */
	{ "note", take_note },           /* SEVERITY TEXT */
	{ "arg", take_command },         /* WORD of the target's command */
	{ "module", take_module },   /* MODULE=PATH or MODULE#BUILD-ID, before its use */
	{ "label", take_label },     /* KEY=VALUE */
	{ "host", take_host },       /* NAME of the machine */
	{ "started", take_started }, /* as 2026-01-02T03:04:05Z */
	{ "running", take_running }, /* the collector was killed: no names are kept */
	{ "flush", take_flush },
};

#define DIRECTIVES (sizeof(directives) / sizeof(directives[0]))

bool mkexp_take_directive(struct maker *m, char *line)
{
	size_t len = strcspn(line, " ");

	for (size_t i = 0; i < DIRECTIVES; i++)
		if (strlen(directives[i].name) == len &&
		    !strncmp(directives[i].name, line, len)) {
			directives[i].take(m, line + len + (line[len] == ' '));
			return true;
		}
	return false;
}
