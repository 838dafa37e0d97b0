/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of sampled processes, from a /proc of the test's own. */
#include "process/command_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "random.h"
#include "scratch.h"
#include "tap.h"
#include "tasks_world.h"

/* The records' clock moves on at each look. */
static uint64_t clock_ns;

static uint64_t tick(void)
{
	return clock_ns++;
}

struct scene {
	struct world w;
	char *proc;
	struct patient patient;
	struct command_lines lines;
};

static void scene_open(struct scene *s)
{
	world_open(&s->w);
	s->proc = scratch_make();
	/* no test waits that long */
	s->patient = (struct patient){ .wait_ms = 3600000 };
	command_lines_init(&s->lines, s->proc, &s->patient, &s->w.tasks);
	clock_ns = 1000;
}

static void scene_close(struct scene *s)
{
	command_lines_release(&s->lines);
	patient_release(&s->patient);
	scratch_remove(s->proc);
	world_close(&s->w);
}

static void set_line(struct scene *s, uint32_t pid, const char *text, size_t len)
{
	char *status = xasprintf("proc/%u/status", pid);
	char *line = xasprintf("proc/%u/cmdline", pid);
	char *uid = xasprintf("Uid:\t%u\t%u\t%u\t%u\nGid:\t0\t0\t0\t0\nGroups:\t\n"
			      "CapPrm:\t0\nCapEff:\t0\n",
			      geteuid(), geteuid(), geteuid(), geteuid());

	scratch_text(s->proc, status, uid);
	scratch_write(s->proc, line, text, len);
	free(uid);
	free(line);
	free(status);
}

/* A sample of PID, and the end of its round. */
static uint32_t sample(struct scene *s, uint32_t pid)
{
	hit(&s->w, pid, pid);
	command_lines_want(&s->lines, tasks_index(&s->w.tasks, pid));
	command_lines_read(&s->lines, tick);
	return tasks_process(&s->w.tasks, pid)->id;
}

/* The arguments of a process's ROW, each in <>; a "+" if they go on. */
static char *line_of(const struct scene *s, uint32_t row)
{
	const struct experiment *exp = s->w.exp;
	const struct exp_process *p = &exp->processes.data[row];
	struct strbuf out = { 0 };

	strbuf_addstr(&out, "");
	for (uint32_t i = 0; i < p->arguments; i++)
		strbuf_addf(&out, "<%s>",
			    name_of(&s->w, exp->arguments.data[p->argument + i]));
	if (p->cut)
		strbuf_addch(&out, '+');
	return strbuf_detach(&out);
}

static void is_line(const struct scene *s, uint32_t row, const char *want,
		    const char *what)
{
	char *got = line_of(s, row);

	is_str(got, want, "%s", what);
	free(got);
}

#define TEXT(text) text, sizeof(text) - 1

static void test_text(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *want, *what;
	} rows[] = {
		{ TEXT("cc\0-c\0a b.c\0"), "<cc><-c><a b.c>", "arguments" },
		{ TEXT("cc\0\0-c\0\0\0x\0"), "<cc><><-c><><><x>", "empty ones between" },
		{ TEXT("cc\0x\0\0\0"), "<cc><x><><>", "empty ones at the end" },
		{ TEXT("cc\0\0"), "<cc><>", "a single empty one" },
		{ TEXT("nginx: worker process\0\0\0\0\0"), "<nginx: worker process>",
		  "a title, padded with NULs" },
		{ TEXT("a b\0\0"), "<a b>", "a title and one NUL" },
		{ TEXT("sendmail: idle     \0"), "<sendmail: idle>",
		  "padded with spaces" },
		{ TEXT("sendmail: x  \0\0\0"), "<sendmail: x>", "with both" },
		{ TEXT("title without an end"), "<title without an end>", "no NUL" },
		{ TEXT("\0x\0"), "<><x>", "an empty name" },
		{ TEXT(""), "", "a thread of the kernel" },
		{ TEXT("\0\0\0"), "", "nothing but padding" },
	};
	enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
	uint32_t ids[ROWS];
	struct scene s;

	scene_open(&s);
	for (uint32_t i = 0; i < ROWS; i++) {
		set_line(&s, 100 + i, rows[i].text, rows[i].len);
		ids[i] = sample(&s, 100 + i);
	}
	command_lines_settle_all(&s.lines);
	world_read(&s.w);
	for (uint32_t i = 0; i < ROWS; i++)
		is_line(&s, ids[i], rows[i].want, rows[i].what);
	scene_close(&s);
}

static void test_length(void)
{
	char text[COMMAND_LINE_MAX + 2], *got;
	uint32_t whole, cut, padded;
	struct scene s;

	scene_open(&s);
	memset(text, 'x', sizeof(text));
	text[2] = '\0';
	text[COMMAND_LINE_MAX - 1] = '\0';
	set_line(&s, 10, text, COMMAND_LINE_MAX);
	whole = sample(&s, 10);
	set_line(&s, 11, text, sizeof(text));
	text[COMMAND_LINE_MAX - 1] = 'x';
	set_line(&s, 12, text, sizeof(text));
	cut = sample(&s, 12);
	memset(text + 3, 0, sizeof(text) - 3);
	text[2] = ' ';
	set_line(&s, 13, text, sizeof(text));
	padded = sample(&s, 13);
	command_lines_settle_all(&s.lines);
	world_read(&s.w);
	got = line_of(&s, whole);
	is_u64(strlen(got), COMMAND_LINE_MAX + 2, "the longest is whole");
	ok(!strchr(got, '+'), "and not said to go on");
	free(got);
	got = line_of(&s, cut);
	is_u64(strlen(got), COMMAND_LINE_MAX + 4, "a longer one is cut");
	ok(strchr(got, '+') != NULL, "and said to go on");
	free(got);
	is_line(&s, padded, "<xx>", "not if only its padding was cut");
	scene_close(&s);
}

/* Records are late: what they say about the time of the reading decides. */
static void test_times(void)
{
	uint32_t before, after, ended, reused, next;
	struct scene s;

	scene_open(&s);
	tasks_fork(&s.w.tasks, 10, 1, 10, 5);
	set_line(&s, 10, TEXT("first\0"));
	before = sample(&s, 10);
	command_lines_settle(&s.lines, 10, clock_ns + 5);
	tasks_exec(&s.w.tasks, 10, "second", clock_ns + 5);
	set_line(&s, 10, TEXT("third\0"));
	after = sample(&s, 10);
	/* it had executed the third program before the reading */
	command_lines_settle(&s.lines, 10, clock_ns - 4);
	tasks_exec(&s.w.tasks, 10, "third", clock_ns - 4);
	next = sample(&s, 10);

	tasks_fork(&s.w.tasks, 20, 1, 20, 5);
	set_line(&s, 20, TEXT("stranger\0"));
	hit(&s.w, 20, 20);
	command_lines_want(&s.lines, tasks_index(&s.w.tasks, 20));
	ended = tasks_process(&s.w.tasks, 20)->id;
	tasks_exit(&s.w.tasks, 20);
	command_lines_read(&s.lines, tick);

	tasks_fork(&s.w.tasks, 30, 1, 30, 5);
	set_line(&s, 30, TEXT("another\0"));
	reused = sample(&s, 30);
	command_lines_settle(&s.lines, 30, clock_ns - 4);
	tasks_exit(&s.w.tasks, 30);
	command_lines_settle_all(&s.lines);
	world_read(&s.w);
	is_line(&s, before, "<first>", "read before another program was executed");
	is_line(&s, after, "", "read after that: it may be the other's");
	is_line(&s, next, "<third>", "which is read in its turn");
	is_line(&s, ended, "", "a process that has ended is not looked at");
	is_line(&s, reused, "", "nor one believed that has ended before the reading");
	is_u64(s.lines.left_out, 0, "none of this is left out");
	scene_close(&s);
}

/* One user cannot take all the room; what is said again takes little. */
static void test_room(bool same)
{
	enum { PROCESSES = 600, ROOM = 1 << 20 };
	char text[COMMAND_LINE_MAX];
	size_t known = 0;
	struct scene s;

	scene_open(&s);
	quota_init(&s.lines.quota, ROOM);
	memset(text, 'x', sizeof(text));
	for (uint32_t i = 0; i < PROCESSES; i++) {
		if (!same)
			memcpy(text, &(uint32_t){ i | 0x80808080 }, sizeof(i));
		set_line(&s, 100, text, sizeof(text));
		tasks_fork(&s.w.tasks, 100, 1, 100, 5);
		sample(&s, 100);
		command_lines_settle(&s.lines, 100, UINT64_MAX);
		tasks_exit(&s.w.tasks, 100);
	}
	world_read(&s.w);
	vec_for_each(const struct exp_process, p, &s.w.exp->processes)
		known += p->arguments > 0;
	ok(same ? known == PROCESSES : known && known * sizeof(text) < ROOM,
	   "%zu KiB of %s text are kept", known * sizeof(text) >> 10,
	   same ? "equal" : "different");
	is_u64(known + s.lines.left_out, PROCESSES, "the rest is counted");
	scene_close(&s);
}

/* Random arguments come back as they were. */
static void test_random(uint64_t seed)
{
	enum { PROCESSES = 500, ARGUMENTS = 12, LONGEST = 9 };
	uint32_t ids[PROCESSES], wrong = 0;
	char *want[PROCESSES];
	struct scene s;

	scene_open(&s);
	for (uint32_t i = 0; i < PROCESSES; i++) {
		struct strbuf text = { 0 }, expected = { 0 };
		uint32_t count = 2 + random_below(&seed, ARGUMENTS);

		for (uint32_t a = 0; a < count; a++) {
			char one[LONGEST + 1] = "";
			/* two have text: no padding */
			uint32_t len = a < 2 ? 1 : 0;

			len += random_below(&seed, LONGEST - 1);
			for (uint32_t k = 0; k < len; k++)
				one[k] = (char)(1 + random_below(&seed, 255));
			strbuf_add(&text, one, len + 1);
			strbuf_addf(&expected, "<%s>", one);
		}
		set_line(&s, 100 + i, text.data, text.len);
		ids[i] = sample(&s, 100 + i);
		want[i] = strbuf_detach(&expected);
		strbuf_release(&text);
	}
	command_lines_settle_all(&s.lines);
	world_read(&s.w);
	for (uint32_t i = 0; i < PROCESSES; i++) {
		char *got = line_of(&s, ids[i]);

		wrong += strcmp(got, want[i]) != 0;
		free(got);
		free(want[i]);
	}
	is_u64(wrong, 0, "%d random command lines are as they were", PROCESSES);
	scene_close(&s);
}

static void test_parents(void)
{
	struct world w;

	world_open(&w);
	for (uint32_t pid = 1; pid < 5; pid++)
		tasks_thread(&w.tasks, pid, pid);
	tasks_found_parent(&w.tasks, 2, 1);
	tasks_found_parent(&w.tasks, 3, 2);
	tasks_found_parent(&w.tasks, 1, 3); /* a number that was reused meanwhile */
	tasks_found_parent(&w.tasks, 3, 1); /* it is known */
	tasks_found_parent(&w.tasks, 4, 99);
	hit(&w, 3, 3);
	hit(&w, 4, 4);
	world_read(&w);
	is_u64(w.exp->processes.len, 4, "a sampled process and its parents");
	if (w.exp->processes.len == 4) {
		is_i64(w.exp->processes.data[2].pid, 3, "the child");
		is_u64(w.exp->processes.data[2].parent, 2, "its parent");
		is_u64(w.exp->processes.data[1].parent, 1, "its grandparent");
		is_u64(w.exp->processes.data[0].parent, 0, "the first has no parent");
		is_u64(w.exp->processes.data[3].parent, 0, "an unknown parent is none");
	}
	world_close(&w);
}

int main(void)
{
	uint64_t seed = RANDOM_SEED;

	test_text();
	test_length();
	test_times();
	test_room(true);
	test_room(false);
	test_random(seed);
	test_parents();
	return done_testing();
}
