/* SPDX-License-Identifier: Apache-2.0 */
#include "process/command_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void command_lines_init(struct command_lines *c, const char *root,
			struct patient *patient, struct tasks *tasks)
{
	*c = (struct command_lines){ .root = root, .patient = patient, .tasks = tasks };
	quota_init(&c->quota, (uint64_t)COMMAND_LINES_MIB << 20);
}

void command_lines_release(struct command_lines *c)
{
	vec_release(&c->wanted);
	quota_release(&c->quota);
}

void command_lines_want(struct command_lines *c, uint32_t process)
{
	struct process *p = &c->tasks->processes.data[process];

	if (p->command_wanted)
		return;
	p->command_wanted = true;
	if (!c->root)
		return;
	tasks_hold(c->tasks, process);
	*vec_push(&c->wanted) = process;
}

/* ---- reading ---- */

size_t command_line_trim(const char *text, size_t len)
{
	size_t end = len, first = strnlen(text, len);

	while (end && !text[end - 1])
		end--;
	if (end > first) /* other arguments have text too */
		return len && !text[len - 1] ? len - 1 : len;
	/* `prog ""` has an empty argument; titles mostly have several words */
	if (len - end == 2 && !memchr(text, ' ', end))
		return len - 1;
	while (end && text[end - 1] == ' ')
		end--;
	return end;
}

/* The text that is not empty, or NULL. */
static struct command_line *make(const struct strbuf *text, bool cut)
{
	size_t len = command_line_trim(text->data, text->len);
	struct command_line *line;

	if (!len)
		return NULL;
	line = xcalloc(1, sizeof(*line) + len + 1);
	line->len = len;
	line->cut = cut && len + 1 >= text->len;
	memcpy(line->text, text->data, len);
	return line;
}

static void read_one(struct command_lines *c, struct process *p, uint64_t (*now)(void))
{
	struct patient_process of = patient_process_find(c->root, (pid_t)p->pid);
	char *path = xasprintf("%s/proc/%u/cmdline", c->root, (unsigned)p->pid);
	struct strbuf text = { 0 };
	struct command_line *line = NULL;
	int error = patient_read_little(c->patient, &of, path, COMMAND_LINE_MAX, &text);

	c->left_out += error == -ETIMEDOUT || error == -EINPROGRESS;
	if (text.len && (!error || error == -EFBIG))
		line = make(&text, error == -EFBIG);
	if (line && !quota_take(&c->quota, of.user, line->len)) {
		c->left_out++;
		free(line);
		line = NULL;
	}
	if (line) {
		line->user = of.user;
		line->read_ns = now();
		p->command = line;
	}
	strbuf_release(&text);
	free(path);
}

void command_lines_read(struct command_lines *c, uint64_t (*now)(void))
{
	uint64_t until_ns;

	if (!c->wanted.len)
		return;
	until_ns = now() + COMMAND_LINES_ROUND_NS;
	while (c->wanted.len && now() < until_ns) {
		uint32_t index = c->wanted.data[--c->wanted.len];
		struct process *p = &c->tasks->processes.data[index];

		if (p->live && tasks_is_current(c->tasks, index))
			read_one(c, p, now);
		tasks_let_go(c->tasks, index);
	}
}

/* ---- writing ---- */

/* Calls TAKE for each argument; LAST: no other follows. */
static void each_argument(struct command_lines *c, const struct process *p,
			  void (*take)(struct command_lines *c, const struct process *p,
				       const char *argument, bool last))
{
	const struct command_line *line = p->command;

	for (size_t at = 0, len; at <= line->len; at += len + 1) {
		len = strlen(line->text + at);
		take(c, p, line->text + at, at + len >= line->len);
	}
}

static void add_cost(struct command_lines *c, const struct process *p,
		     const char *argument, bool last)
{
	(void)p;
	(void)last;
	c->cost += sizeof(uint32_t);
	if (strtab_find(&c->tasks->in->strings, argument) == STRTAB_NONE)
		c->cost += strlen(argument) + 1;
}

static void write_argument(struct command_lines *c, const struct process *p,
			   const char *argument, bool last)
{
	struct intern *in = c->tasks->in;

	exp_write_row(in->writer, EXP_ARGUMENTS,
		      (uint64_t[]){ p->id, intern_string(in, argument),
				    last && p->command->cut });
}

static void settle(struct command_lines *c, struct process *p, uint64_t time_ns)
{
	struct command_line *line = p->command;

	if (!line)
		return;
	quota_give_back(&c->quota, line->user, line->len);
	c->cost = 0;
	if (line->read_ns <= time_ns)
		each_argument(c, p, add_cost);
	if (!quota_take(&c->quota, line->user, c->cost))
		c->left_out++;
	else if (c->cost)
		each_argument(c, p, write_argument);
	free(line);
	p->command = NULL;
}

void command_lines_settle(struct command_lines *c, uint32_t pid, uint64_t time_ns)
{
	struct process *p = tasks_known_process(c->tasks, pid);

	if (p)
		settle(c, p, time_ns);
}

void command_lines_settle_all(struct command_lines *c)
{
	vec_for_each(struct process, p, &c->tasks->processes)
		settle(c, p, UINT64_MAX);
}

void command_lines_turn(struct command_lines *c, uint64_t time_ns)
{
	vec_for_each(struct process, p, &c->tasks->processes)
		settle(c, p, time_ns);
	while (c->wanted.len)
		tasks_let_go(c->tasks, c->wanted.data[--c->wanted.len]);
	quota_release(&c->quota);
	quota_init(&c->quota, (uint64_t)COMMAND_LINES_MIB << 20);
	c->left_out = 0;
}
