/* SPDX-License-Identifier: Apache-2.0 */
#include "control/points.h"

#include "experiment/write.h"

void points_init(struct points *p, const struct points_setup *setup,
		 struct recording *rec, const struct evlist *evlist)
{
	*p = (struct points){ .setup = *setup, .rec = rec, .evlist = evlist };
}

static void write_counts(struct points *p, bool none)
{
	for (size_t e = 0; e < p->evlist->events; e++) {
		struct evlist_total total = { 0 };

		if (!none)
			total = evlist_total(p->evlist, e);
		exp_write_row(p->rec->writer, EXP_POINT_COUNTS,
			      (uint64_t[EXP_POINT_COUNT_COLUMNS]){
				      p->count, e, total.value, total.enabled_ns,
				      total.running_ns });
	}
	p->count++;
}

static void write_point(struct points *p, enum exp_point_kind kind, uint64_t time_ns,
			const char *name, const struct usage *usage)
{
	struct recording *rec = p->rec;

	exp_write_row(rec->writer, EXP_POINTS,
		      (uint64_t[EXP_POINT_COLUMNS]){
			      time_ns, kind, name ? intern_string(&rec->in, name) : 0,
			      usage->known, usage->user_ns, usage->system_ns,
			      usage->minor_faults, usage->major_faults, usage->voluntary,
			      usage->involuntary });
	write_counts(p, kind == EXP_POINT_BEGIN);
}

static void read_usage(const struct points_setup *setup, const struct tasks *tasks,
		       struct usage *usage)
{
	*usage = (struct usage){ 0 };
	if (!setup->everyone)
		usage_read(usage, tasks, setup->root);
}

void points_begin(struct points_setup *setup, const struct tasks *tasks)
{
	if (setup->wanted)
		read_usage(setup, tasks, &setup->first);
}

static void add(struct points *p, enum exp_point_kind kind, uint64_t time_ns,
		const char *name, const struct usage *usage)
{
	const uint64_t start = p->rec->start_ns;

	time_ns = time_ns > start ? time_ns - start : 0;
	if (time_ns < p->last_ns) /* of two requests at once */
		time_ns = p->last_ns;
	p->last_ns = time_ns;
	if (!p->count)
		write_point(p, EXP_POINT_BEGIN, 0, NULL, &p->setup.first);
	write_point(p, kind, time_ns, name, usage);
}

void points_add(struct points *p, enum exp_point_kind kind, uint64_t time_ns,
		const char *name)
{
	struct usage usage;

	if (!p->setup.wanted || p->count >= POINTS_MAX)
		return;
	read_usage(&p->setup, &p->rec->tasks, &usage);
	add(p, kind, time_ns, name, &usage);
}

void points_end(struct points *p, uint64_t time_ns, const struct usage *last)
{
	if (p->ended)
		return;
	p->ended = true;
	if (p->count && last && !p->setup.everyone)
		add(p, EXP_POINT_END, time_ns, NULL, last);
	else if (p->count)
		points_add(p, EXP_POINT_END, time_ns, NULL);
}
