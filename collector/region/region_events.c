/* SPDX-License-Identifier: Apache-2.0 */
#include "region/region_events.h"

#include <errno.h>
#include <stdlib.h>

#include "experiment/write.h"

/* Stands for names that are not known, or beyond the limits. */
#define OTHER_NAMES "<Other names>"

void region_events_init(struct region_events *e, struct intern *in, struct tasks *tasks,
			uint64_t start_ns)
{
	*e = (struct region_events){
		.in = in,
		.tasks = tasks,
		.start_ns = start_ns,
		.branches_max = REGION_BRANCHES_MAX,
		.labels_max = REGION_LABELS_MAX,
		.texts_max = REGION_TEXTS_MAX,
		.other_names = STRTAB_NONE,
	};
}

void region_events_release(struct region_events *e)
{
	idmap_release(&e->label_ids);
	idmap_release(&e->branches);
	vec_release(&e->labels);
}

void region_process_release(struct region_process *process)
{
	vec_for_each(struct region_thread, thread, &process->threads)
		nest_release(&thread->nest);
	vec_release(&process->threads);
	idmap_release(&process->labels);
	apart_release(&process->apart);
	vec_release(&process->turns);
}

/* What an event is about. */
struct taking {
	struct region_events *events;
	struct region_process *process;
	const struct channel_file *channel;
	struct region_thread *thread;
	uint64_t now_ns; /* from the start of the recording */
};

/* ---- names ---- */

static uint32_t other_names(struct region_events *e)
{
	if (e->other_names == STRTAB_NONE)
		e->other_names = intern_string(e->in, OTHER_NAMES);
	return e->other_names;
}

/* A string that was seen before costs nothing, and stays the same. */
static uint32_t string_of(const struct taking *t, uint32_t name, uint32_t *domain)
{
	struct region_events *e = t->events;
	struct strbuf text = { 0 };
	uint32_t id = STRTAB_NONE;

	*domain = CHANNEL_NO_NAME;
	if (name != CHANNEL_NO_NAME &&
	    !channel_file_name(t->channel, name, domain, &text))
		id = strtab_find(&e->in->strings, strbuf_str(&text));
	else
		strbuf_clear(&text);
	if (id == STRTAB_NONE && text.len && e->text_bytes < e->texts_max) {
		e->text_bytes += text.len;
		id = intern_string(e->in, strbuf_str(&text));
	}
	strbuf_release(&text);
	return id != STRTAB_NONE ? id : other_names(e);
}

/* The id of a label, which has one already, or gets one. */
static uint32_t label_id(struct region_events *e, const struct region_label *label)
{
	const uint32_t next = (uint32_t)e->labels.len,
		       id = idmap_intern(&e->label_ids, label->name, label->domain, next);

	if (id == next)
		*vec_push(&e->labels) = *label;
	return id;
}

/* The label of a name, which stays the same; beyond the limit, that of other names. */
static uint32_t label_of(const struct taking *t, uint32_t name)
{
	struct region_events *e = t->events;
	struct region_label label = { 0 };
	uint32_t id, domain, none;

	if (name >= CHANNEL_NAMES)
		name = CHANNEL_NO_NAME;
	id = idmap_get(&t->process->labels, name, 0);
	if (id != IDMAP_NONE)
		return id;
	label.name = string_of(t, name, &domain);
	if (domain != CHANNEL_NO_NAME)
		label.domain = string_of(t, domain, &none);
	if (e->labels.len >= e->labels_max &&
	    idmap_get(&e->label_ids, label.name, label.domain) == IDMAP_NONE)
		label = (struct region_label){ other_names(e), 0 };
	id = label_id(e, &label);
	idmap_set(&t->process->labels, name, 0, id);
	return id;
}

/*
 * The label of a region that begins.  Those whose process had no room for the name are counted
 * by it.
 */
static uint32_t label_of_begin(const struct taking *t, uint32_t name)
{
	struct region_events *e = t->events;
	const uint32_t id = label_of(t, name);

	if (name != CHANNEL_NO_NAME && e->labels.data[id].name == e->other_names)
		e->faults[EXP_FAULT_UNNAMED]++;
	return id;
}

/* Finds it or makes it. */
static uint32_t branch_id(struct region_events *e, uint32_t parent, uint32_t label,
			  bool apart)
{
	const struct region_label *l = &e->labels.data[label];
	const uint32_t next = e->branch_count + 1,
		       id = idmap_intern(&e->branches, parent, label * 2 + apart, next);

	if (id != next)
		return id;
	exp_write_row(
		e->in->writer, EXP_REGION_PATHS,
		(uint64_t[EXP_REGION_PATH_COLUMNS]){ parent, l->name, l->domain, apart });
	e->branch_count++;
	return id;
}

/*
 * Beyond the limit each branch can have one more, <Other names>, which is also the branch of
 * all in it.
 */
static uint32_t branch_of(struct region_events *e, uint32_t parent, uint32_t label,
			  bool apart)
{
	struct region_label other = { 0 };

	if (e->branch_count < e->branches_max ||
	    idmap_get(&e->branches, parent, label * 2 + apart) != IDMAP_NONE)
		return branch_id(e, parent, label, apart);
	e->faults[EXP_FAULT_UNNAMED]++;
	if (parent > e->branches_max)
		return parent;
	other.name = other_names(e);
	return branch_id(e, parent, label_id(e, &other), apart);
}

/* ---- threads and rows ---- */

/* The thread as the records have it; NULL: they do not know it, or it is another's. */
static struct thread *thread_of(const struct taking *t)
{
	struct tasks *tasks = t->events->tasks;
	struct thread *th = t->channel->foreign
				    ? NULL
				    : tasks_find_thread(tasks, t->thread->tid);

	if (!th || tasks->processes.data[th->process].pid != t->channel->pid) {
		t->events->faults[EXP_FAULT_NO_THREAD]++;
		return NULL;
	}
	return th;
}

static void write_instance(struct region_events *e, uint32_t thread, uint32_t branch,
			   uint64_t begin_ns, uint64_t end_ns, unsigned flags)
{
	exp_write_row(e->in->writer, EXP_REGIONS,
		      (uint64_t[EXP_REGION_COLUMNS]){ thread, branch, begin_ns, end_ns,
						      flags });
	e->instances++;
}

static uint32_t nest_branch(void *ctx, uint32_t parent, uint32_t label)
{
	return branch_of(((const struct taking *)ctx)->events, parent, label, false);
}

static void nest_instance(void *ctx, uint32_t branch, uint64_t begin_ns, uint64_t end_ns,
			  unsigned flags)
{
	const struct taking *t = ctx;
	struct thread *th = thread_of(t);

	if (th)
		write_instance(t->events, tasks_thread_id(t->events->tasks, th), branch,
			       begin_ns, end_ns, flags);
}

static struct nest_sink sink_of(struct taking *t)
{
	return (struct nest_sink){ t, nest_branch, nest_instance, t->events->faults };
}

/* ---- an event of each kind ---- */

static void take_begin(struct taking *t, uint32_t value)
{
	const struct nest_sink sink = sink_of(t);

	nest_begin(&t->thread->nest, &sink, label_of_begin(t, value), t->now_ns);
}

static void take_end(struct taking *t, uint32_t value)
{
	const struct nest_sink sink = sink_of(t);

	if (value == CHANNEL_INNERMOST)
		nest_end_innermost(&t->thread->nest, &sink, t->now_ns);
	else
		nest_end(&t->thread->nest, &sink, label_of(t, value), t->now_ns);
}

static void take_leave(struct taking *t, uint32_t value)
{
	const struct nest_sink sink = sink_of(t);

	(void)value;
	nest_finish(&t->thread->nest, &sink, t->now_ns);
}

static void take_thread(struct taking *t, uint32_t value)
{
	take_leave(t, 0);
	t->thread->tid = value;
}

static void write_apart(const struct taking *t, const struct apart_region *region,
			bool ended)
{
	if (!ended)
		t->events->faults[EXP_FAULT_UNENDED]++;
	write_instance(t->events, region->thread, region->branch, region->begin_ns,
		       t->now_ns > region->begin_ns ? t->now_ns : region->begin_ns,
		       ended ? 0 : EXP_REGION_UNENDED);
}

static struct region_turn *add_turn(struct taking *t)
{
	struct region_turn *turn = vec_push(&t->process->turns);

	*turn = (struct region_turn){
		.time_ns = t->now_ns,
		.number = t->thread->data,
		.order = (uint32_t)t->process->turns.len,
	};
	return turn;
}

/* The branch and the thread of a region apart; false: the thread is not known. */
static bool place_apart(struct taking *t, uint32_t name, uint32_t *branch,
			uint32_t *thread)
{
	struct thread *th = thread_of(t);

	if (!th)
		return false;
	*thread = tasks_thread_id(t->events->tasks, th);
	*branch = branch_of(t->events, 0, label_of_begin(t, name), true);
	return true;
}

static void take_open(struct taking *t, uint32_t value)
{
	uint32_t branch, thread;
	struct region_turn *turn;

	if (!place_apart(t, value, &branch, &thread))
		return;
	turn = add_turn(t);
	turn->branch = branch;
	turn->thread = thread;
}

static void take_close(struct taking *t, uint32_t value)
{
	(void)value;
	add_turn(t);
}

static void take_since(struct taking *t, uint32_t value)
{
	(void)value;
	t->thread->since_ns = t->now_ns;
}

static void take_whole(struct taking *t, uint32_t value)
{
	struct apart_region region = { .begin_ns = t->thread->since_ns };

	if (place_apart(t, value, &region.branch, &region.thread))
		write_apart(t, &region, true);
}

static void write_mark(struct taking *t, enum exp_mark_kind kind, uint32_t name)
{
	static const enum exp_value_type types[] = {
		[CHANNEL_UNSIGNED] = EXP_VALUE_UNSIGNED,
		[CHANNEL_SIGNED] = EXP_VALUE_SIGNED,
		[CHANNEL_REAL] = EXP_VALUE_REAL,
		[CHANNEL_TEXT] = EXP_VALUE_TEXT,
	};
	struct region_events *e = t->events;
	const uint32_t type = t->thread->type;
	struct thread *th = thread_of(t);
	const struct region_label *label;
	uint64_t row[EXP_MARK_COLUMNS] = { 0 };
	uint32_t id, none;

	if (!th)
		return;
	if (e->marks == REGION_MARKS_MAX) {
		e->faults[EXP_FAULT_LOST]++;
		return;
	}
	id = label_of(t, name); /* may move the labels */
	label = &e->labels.data[id];
	row[EXP_MARK_THREAD] = tasks_thread_id(e->tasks, th);
	row[EXP_MARK_TIME_NS] = t->now_ns;
	row[EXP_MARK_KIND] = kind;
	row[EXP_MARK_NAME] = label->name;
	row[EXP_MARK_DOMAIN] = label->domain;
	row[EXP_MARK_TYPE] = type < sizeof(types) / sizeof(*types) ? types[type] : 0;
	row[EXP_MARK_VALUE] = t->thread->data;
	if (row[EXP_MARK_TYPE] == EXP_VALUE_TEXT)
		row[EXP_MARK_VALUE] = string_of(t, (uint32_t)t->thread->data, &none);
	exp_write_row(e->in->writer, EXP_MARKS, row);
	e->marks++;
}

static void take_marker(struct taking *t, uint32_t value)
{
	write_mark(t, EXP_MARK_MARKER, value);
}

static void take_counter(struct taking *t, uint32_t value)
{
	write_mark(t, EXP_MARK_COUNTER, value);
}

static void take_note(struct taking *t, uint32_t value)
{
	write_mark(t, EXP_MARK_NOTE, value);
}

/* Cuts it between two characters of UTF-8. */
static void cut_name(struct strbuf *name)
{
	size_t len = REGION_THREAD_NAME_MAX;

	if (name->len <= len)
		return;
	while (len && ((unsigned char)name->data[len] & 0xc0) == 0x80)
		len--;
	strbuf_truncate(name, len);
}

static void take_rename(struct taking *t, uint32_t value)
{
	struct thread *th = thread_of(t);
	struct strbuf name = { 0 };
	uint32_t domain;

	if (th && !channel_file_name(t->channel, value, &domain, &name))
		cut_name(&name);
	if (name.len)
		tasks_name_thread(t->events->tasks, th, strbuf_str(&name));
	strbuf_release(&name);
}

static int take_one(struct taking *t, const struct channel_event *event)
{
	static void (*const takers[])(struct taking * t, uint32_t value) = {
		[CHANNEL_THREAD] = take_thread, [CHANNEL_BEGIN] = take_begin,
		[CHANNEL_END] = take_end,       [CHANNEL_LEAVE] = take_leave,
		[CHANNEL_OPEN] = take_open,     [CHANNEL_CLOSE] = take_close,
		[CHANNEL_SINCE] = take_since,   [CHANNEL_WHOLE] = take_whole,
		[CHANNEL_MARKER] = take_marker, [CHANNEL_COUNTER] = take_counter,
		[CHANNEL_NOTE] = take_note,     [CHANNEL_RENAME] = take_rename,
	};

	if (event->kind >= sizeof(takers) / sizeof(*takers) || !takers[event->kind])
		return -EBADMSG;
	takers[event->kind](t, event->value);
	return 0;
}

int region_events_take(struct region_events *e, struct region_process *process,
		       const struct channel_file *channel, uint32_t slot,
		       const struct channel_event *event)
{
	struct taking t = { .events = e, .process = process, .channel = channel };
	int error;

	while (process->threads.len <= slot)
		*vec_push(&process->threads) = (struct region_thread){ 0 };
	t.thread = &process->threads.data[slot];
	if (event->kind == CHANNEL_DATA) {
		t.thread->data = event->time;
		t.thread->type = event->value;
		return 0;
	}
	if (event->time > e->start_ns)
		t.now_ns = event->time - e->start_ns;
	error = take_one(&t, event);
	t.thread->data = t.thread->type = 0;
	return error;
}

/* ---- what belongs to no thread ---- */

static int by_time(const void *va, const void *vb)
{
	const struct region_turn *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void take_turn(struct taking *t, const struct region_turn *turn)
{
	struct apart *apart = &t->process->apart;
	struct apart_region region = { turn->number, turn->time_ns, turn->branch,
				       turn->thread, true };

	t->now_ns = turn->time_ns;
	if (turn->branch) {
		if (!apart_open(apart, &region))
			t->events->faults[EXP_FAULT_TOO_DEEP]++;
	} else if (apart_close(apart, turn->number, &region)) {
		write_apart(t, &region, true);
	} else if (!apart_was_ignored(apart, turn->number) &&
		   !channel_file_lost(t->channel)) { /* else its begin may be lost */
		t->events->faults[EXP_FAULT_STRAY_END]++;
	}
}

/* Threads are read one after another, and one may close what another opened. */
void region_events_settle(struct region_events *e, struct region_process *process,
			  const struct channel_file *channel)
{
	struct taking t = { .events = e, .process = process, .channel = channel };

	if (!process->turns.len)
		return;
	qsort(process->turns.data, process->turns.len, sizeof(*process->turns.data),
	      by_time);
	vec_for_each(const struct region_turn, turn, &process->turns)
		take_turn(&t, turn);
	vec_clear(&process->turns);
}

void region_events_finish(struct region_events *e, struct region_process *process,
			  const struct channel_file *channel, uint64_t now_ns)
{
	struct taking t = { .events = e, .process = process, .channel = channel };
	struct apart_region region;

	t.now_ns = now_ns > e->start_ns ? now_ns - e->start_ns : 0;
	vec_for_each(struct region_thread, thread, &process->threads) {
		t.thread = thread;
		take_leave(&t, 0);
	}
	while (apart_close_any(&process->apart, &region))
		write_apart(&t, &region, false);
}
