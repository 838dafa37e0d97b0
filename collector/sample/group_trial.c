/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/group_trial.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>

#include "sample/refusal.h"

/* A group during the trial: its open events. */
struct trial {
	const struct sys *sys;
	const struct ladder *ladder;
	size_t first, end; /* events of the ladder */
	VEC(int) fds;
};

static size_t group_end(const struct ladder *ladder, size_t first)
{
	size_t end = first + 1;

	while (end < ladder->rungs.len && ladder->rungs.data[end].event.member)
		end++;
	return end;
}

void group_spell(const struct ladder *ladder, size_t first, struct strbuf *out)
{
	size_t end = group_end(ladder, first);

	for (size_t i = first; i < end; i++)
		strbuf_addf(out, "%c%s", i == first ? '{' : ',',
			    ladder->rungs.data[i].event.asked);
	strbuf_addch(out, '}');
}

/*
 * Opens on ourselves, on any CPU.  Arm's PMUs notice a lack of counters only if the
 * leader is enabled.
 */
static int open_next(struct trial *t)
{
	const struct rung *rung = &t->ladder->rungs.data[t->first + t->fds.len];
	int leader = t->fds.len ? t->fds.data[0] : -1, fd;
	struct perf_event_attr attr = { 0 };

	event_attr(&rung->event, &attr);
	attr.pinned = leader < 0;
	fd = t->sys->perf_event_open(&attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	*vec_push(&t->fds) = fd;
	return 0;
}

static int no_room(const struct trial *t, int error, struct strbuf *err)
{
	const struct event *event = &t->ladder->rungs.data[t->first + t->fds.len].event;

	group_spell(t->ladder, t->first, err);
	if (error != -EINVAL || !t->fds.len) {
		strbuf_addf(err, " cannot be counted together: %s: ", event->asked);
		refusal_explain(t->sys, event, error, err);
		return error;
	}
	strbuf_addf(err,
		    " can never be counted together: beside the %zu before it this CPU "
		    "has no register left for %s; name that after the brace, to sample "
		    "it by itself",
		    t->fds.len, event->asked);
	return error;
}

/* Reading a pinned group that found no counters gives end of file. */
static int held(const struct trial *t, struct strbuf *err)
{
	uint64_t words[5];

	if (t->sys->read(t->fds.data[0], words, sizeof(words)))
		return 0;
	group_spell(t->ladder, t->first, err);
	strbuf_addstr(err, " cannot be counted together now: ");
	refusal_explain(t->sys, &t->ladder->rungs.data[t->first].event, -EBUSY, err);
	return -EBUSY;
}

static int try_group(struct trial *t, struct strbuf *err)
{
	int error = 0;

	while (!error && t->first + t->fds.len < t->end)
		error = open_next(t);
	error = error ? no_room(t, error, err) : held(t, err);
	vec_for_each(const int, fd, &t->fds)
		t->sys->close(*fd);
	vec_release(&t->fds);
	return error;
}

int group_trial(const struct sys *sys, const struct ladder *ladder, struct strbuf *err)
{
	int error = 0;

	for (size_t i = 0; i < ladder->rungs.len && !error; i++) {
		const struct event *event = &ladder->rungs.data[i].event;
		struct trial t = { .sys = sys,
				   .ladder = ladder,
				   .first = i,
				   .end = group_end(ladder, i) };

		if (event->group && !event->member)
			error = try_group(&t, err);
	}
	return error;
}
