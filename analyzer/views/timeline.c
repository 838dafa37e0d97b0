/* SPDX-License-Identifier: Apache-2.0 */
/* timeline: what each thread did from the start of the recording to its end. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/life_parts.h"
#include "model/region_parts.h"
#include "model/regions.h"
#include "rows/state_columns.h"
#include "views/views.h"

/* The parts of a line: on no terminal, the fewest, and the most. */
enum { PARTS_DEFAULT = 80, PARTS_MIN = 10, PARTS_MAX = 1000 };

/* Terminals' columns beside the line. */
enum { BESIDE = 44 };

/* The most parts of all threads in memory at once: 64 MiB. */
enum { CELLS_MAX = 1 << 19 };

struct threads {
	uint32_t *data;
	size_t len, cap;
};

struct timelines {
	struct session *session;
	bool text; /* a line for each thread, else a row for each part */
	size_t parts;
	uint32_t source;
	struct life_parts times;
	struct thread_time used;  /* in what was added */
	bool in_regions;          /* there are any */
	struct open_regions open; /* of the source */
	uint32_t *paths;          /* by part, of the thread */
	VEC(uint32_t) branches;   /* by letter, in the model's strings */
	struct table table;
};

/* ---- a line of characters ---- */

/* The state with most of TIME; EXP_STATES: it had a CPU. */
static unsigned main_state(const struct thread_time *time)
{
	unsigned most = EXP_STATES;
	uint64_t ns = time->cpu_ns;

	for (unsigned s = 0; s < EXP_STATES; s++)
		if (time->state_ns[s] > ns) {
			most = s;
			ns = time->state_ns[s];
		}
	return most;
}

/* Blocks are as high as the CPU's share. */
static void put_cpu(const struct timelines *t, const struct thread_time *time,
		    struct strbuf *out)
{
	static const char *const blocks[] = {
		"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
		"\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88",
	};
	double share = (double)time->cpu_ns / (double)time->life_ns;
	int height = (int)(share * 8 + 0.5);

	if (t->session->out.style.ascii)
		strbuf_addch(out, '#');
	else
		strbuf_addstr(out, blocks[height > 1 ? height - 1 : 0]);
}

static void put_line(struct timelines *t, const struct thread_time *times,
		     struct strbuf *out)
{
	for (size_t i = 0; i < t->parts; i++) {
		unsigned state = main_state(&times[i]);

		if (!times[i].life_ns)
			strbuf_addch(out, ' ');
		else if (state == EXP_STATES)
			put_cpu(t, &times[i], out);
		else
			strbuf_addch(out, state_letter((enum exp_state)state));
		if (times[i].life_ns && state < EXP_STATES)
			t->used.state_ns[state] = 1;
	}
	/* the end of the recording is the end of the line */
	strbuf_addch(out, '|');
}

/* ---- a line of regions ---- */

/* The branch's name, in the model's strings. */
static uint32_t branch_of(const struct timelines *t, uint32_t path)
{
	struct model *model = &t->session->model;
	struct strbuf name = { 0 };
	uint32_t branch;

	region_path_put(model->sources.data[t->source].exp, path, &name);
	branch = strtab_intern(&model->strings, strbuf_str(&name));
	strbuf_release(&name);
	return branch;
}

/* Branches behind the 26th have none of their own. */
static char letter_of(struct timelines *t, uint32_t path)
{
	const uint32_t branch = branch_of(t, path);
	size_t i = 0;

	while (i < t->branches.len && t->branches.data[i] != branch)
		i++;
	if (i > 'z' - 'a')
		return '*';
	if (i == t->branches.len)
		*vec_push(&t->branches) = branch;
	return (char)('a' + i);
}

/* A path comes many times in a row. */
static void put_band(struct timelines *t, struct strbuf *out)
{
	uint32_t last = 0;
	char letter = ' ';

	for (size_t i = 0; i < t->parts; i++) {
		if (t->paths[i] != last)
			letter = t->paths[i] ? letter_of(t, t->paths[i]) : ' ';
		last = t->paths[i];
		strbuf_addch(out, letter);
	}
	strbuf_addch(out, '|');
}

/* Below the thread's own line; the thread is the same. */
static void add_band(struct timelines *t)
{
	struct strbuf line = { 0 };

	for (int c = 0; c < 3; c++)
		table_add_absent(&t->table);
	table_add_text(&t->table, "");
	table_add_absent(&t->table);
	put_band(t, &line);
	table_add_text(&t->table, line.data);
	strbuf_release(&line);
}

/* ---- rows ---- */

static void add_ids(struct timelines *t, uint32_t thread)
{
	const struct experiment *exp = t->session->model.sources.data[t->source].exp;
	const struct exp_thread *th = &exp->threads.data[thread];

	table_add_number(&t->table, (uint64_t)exp->processes.data[th->process].pid);
	table_add_number(&t->table, (uint64_t)th->tid);
	table_add_number(&t->table, th->number);
	table_add_text(&t->table, experiment_string(exp, th->name));
	table_add_number(&t->table, t->source + 1);
}

static void add_region(struct timelines *t, uint32_t path)
{
	if (path)
		table_add_text(&t->table,
			       model_string(&t->session->model, branch_of(t, path)));
	else
		table_add_absent(&t->table);
}

/* INDEX: of the thread in t->times. */
static void add_thread(struct timelines *t, uint32_t thread, size_t index)
{
	const struct experiment *exp = t->session->model.sources.data[t->source].exp;
	const struct thread_time *times = &t->times.times[index * t->parts];
	struct strbuf line = { 0 };
	bool any = t->in_regions &&
		   region_parts_read(&t->open, exp->threads.data[thread].number,
				     t->times.from_ns, t->times.part_ns, t->parts,
				     t->paths);

	if (t->text) {
		add_ids(t, thread);
		put_line(t, times, &line);
		table_add_text(&t->table, line.data);
		strbuf_release(&line);
		if (any)
			add_band(t);
		return;
	}
	for (size_t i = 0; i < t->parts; i++) {
		if (!times[i].life_ns)
			continue;
		add_ids(t, thread);
		table_add_real(&t->table,
			       (double)(t->times.from_ns + i * t->times.part_ns));
		if (t->in_regions)
			add_region(t, any ? t->paths[i] : 0);
		state_cells(&t->table, &times[i]);
	}
}

static void add_columns(struct timelines *t)
{
	table_column(&t->table, "process", "Process", COLUMN_NUMBER);
	table_column(&t->table, "thread", "Thread", COLUMN_NUMBER);
	table_machine_column(&t->table, "thrid", COLUMN_NUMBER);
	table_column(&t->table, "name", "Name", COLUMN_TEXT);
	table_machine_column(&t->table, "experiment", COLUMN_NUMBER);
	if (t->text) {
		table_code_column(&t->table, "line", "Time");
	} else {
		ns_column(&t->table, "from_ns", "From");
		if (t->in_regions)
			table_column(&t->table, "region", "Region", COLUMN_TEXT);
		state_columns(&t->table, &t->used);
	}
}

/* The last rows of the threads that the filter and the limit admit. */
static void find_threads(const struct timelines *t, size_t *left, struct threads *out)
{
	const struct source *source = &t->session->model.sources.data[t->source];
	bool *admitted = threads_admitted(&t->session->model, source);
	bool *alive = threads_alive(source->exp);

	for (uint32_t i = 0; i < source->exp->threads.len && *left; i++) {
		if (!admitted[i] || !alive[i])
			continue;
		*vec_push(out) = i;
		--*left;
	}
	free(alive);
	free(admitted);
}

/* As many threads at once as CELLS_MAX allows: each time the whole recording is read. */
static void read_source(struct timelines *t, size_t *left)
{
	const struct source *source = &t->session->model.sources.data[t->source];
	size_t most = CELLS_MAX / t->parts;
	struct threads threads = { 0 };

	find_threads(t, left, &threads);
	if (t->in_regions)
		open_regions_init(&t->open, source->exp);
	for (size_t at = 0; at < threads.len; at += most) {
		size_t count = threads.len - at < most ? threads.len - at : most;

		life_parts_read(&t->times, source, life_span(source), t->parts,
				&threads.data[at], count);
		for (size_t i = 0; i < count; i++)
			add_thread(t, threads.data[at + i], i);
		life_parts_release(&t->times);
	}
	open_regions_release(&t->open);
	vec_release(&threads);
}

/* "a character is 12.5 ms": of each experiment. */
static void add_scales(const struct timelines *t, struct strbuf *note)
{
	const struct model *model = &t->session->model;

	for (size_t i = 0; i < model->sources.len; i++) {
		struct life_span span = life_span(&model->sources.data[i]);

		if (model->sources.len > 1)
			strbuf_addf(note, "experiment %zu: ", i + 1);
		strbuf_addf(note, "a character is %.4g ms; ",
			    (double)(span.to_ns - span.from_ns) / 1e6 / (double)t->parts);
	}
}

/* "a character is 12.5 ms; most of it is # CPU, L User Lock" */
static void add_note(struct timelines *t)
{
	struct strbuf *note = &t->table.note;

	if (!t->text)
		return;
	add_scales(t, note);
	strbuf_addf(note, "most of it is %s CPU",
		    t->session->out.style.ascii ? "#" : "\xe2\x96\x88");
	for (int s = 0; s < EXP_STATES; s++)
		if (t->used.state_ns[s])
			strbuf_addf(note, ", %c %s", state_letter((enum exp_state)s),
				    state_title((enum exp_state)s));
	for (size_t i = 0; i < t->branches.len; i++)
		strbuf_addf(note, "%s %c %s",
			    i ? "," : "; below, the region:", (char)('a' + i),
			    model_string(&t->session->model, t->branches.data[i]));
}

static int find_parts(struct timelines *t, const char *word, struct strbuf *err)
{
	unsigned width = t->session->out.style.width;

	t->parts = PARTS_DEFAULT;
	if (t->text && width)
		t->parts = width > BESIDE + PARTS_MIN ? width - BESIDE : PARTS_MIN;
	if (t->parts > PARTS_MAX)
		t->parts = PARTS_MAX;
	if (!word)
		return 0;
	if (command_number(word, &t->parts) && t->parts && t->parts <= PARTS_MAX)
		return 0;
	strbuf_addf(err, "timeline takes a number of parts, 1 to %d, not '%s'", PARTS_MAX,
		    word);
	return CMD_USAGE;
}

static int run_timeline(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct timelines t = {
		.session = s,
		.text = s->out.mode == PRINT_TEXT || s->out.mode == PRINT_HTML,
		.table = { .key = "timeline" },
	};
	size_t left = s->set.limit ? s->set.limit : SIZE_MAX;

	if (find_parts(&t, argc ? argv[0] : NULL, err))
		return CMD_USAGE;
	if (!model_has_lives(&s->model, err))
		return CMD_FAILED;
	t.in_regions = model_has_regions(&s->model);
	t.paths = xcalloc(t.parts, sizeof(*t.paths));
	table_set_title(&t.table, xstrdup("Timeline of threads"));
	add_columns(&t);
	for (t.source = 0; t.source < s->model.sources.len; t.source++)
		read_source(&t, &left);
	add_note(&t);
	state_note_filter(&t.table, &s->model);
	free(t.paths);
	vec_release(&t.branches);
	return command_show(s, &t.table, err);
}

const struct cmd cmd_timeline = {
	.name = "timeline",
	.args = "[PARTS]",
	.help = "what each thread did, from the start to the end",
	.example = "timeline 60",
	.run = run_timeline,
	.comparable = "threads",
};
