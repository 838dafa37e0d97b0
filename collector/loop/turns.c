/* SPDX-License-Identifier: Apache-2.0 */
#include "loop/turns.h"

#include "sample/merge.h"

#define MS_NS 1000000u

bool turns_are_due(const struct turns *t, uint64_t now)
{
	return t->every_ns && !t->at_ns && now >= t->next_ns;
}

void turns_mark(struct turns *t, struct evlist *evlist, uint64_t now)
{
	t->at_ns = now;
	while (t->next_ns <= now)
		t->next_ns += t->every_ns;
	evlist_mark(evlist);
}

bool turns_may_take(const struct turns *t, uint64_t now)
{
	return t->at_ns && now >= t->at_ns + MERGE_SLACK_NS;
}

uint64_t turns_merge_until(const struct turns *t)
{
	return t->at_ns - 1 + MERGE_SLACK_NS;
}

void turns_take(struct turns *t, struct evlist *evlist)
{
	if (t->turn(t->ctx, t->at_ns))
		evlist_begin_at_mark(evlist);
	else
		evlist_unmark(evlist);
	t->at_ns = 0;
}

void turns_end(struct turns *t, struct evlist *evlist)
{
	evlist_unmark(evlist);
	t->every_ns = t->at_ns = 0;
}

int turns_rest_ms(const struct turns *t, uint64_t now, int rest_ms)
{
	uint64_t until_ns = t->at_ns ? t->at_ns + MERGE_SLACK_NS : t->next_ns, ms;

	if (!t->every_ns)
		return rest_ms;
	ms = until_ns > now ? (until_ns - now + MS_NS - 1) / MS_NS : 0;
	return ms < (uint64_t)rest_ms ? (int)ms : rest_ms;
}
