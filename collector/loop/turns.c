/* SPDX-License-Identifier: Apache-2.0 */
#include "loop/turns.h"

#include "control/rest.h"
#include "sample/merge.h"

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
	const uint64_t until_ns = t->at_ns ? t->at_ns + MERGE_SLACK_NS : t->next_ns;

	return t->every_ns ? rest_until(until_ns, now, rest_ms) : rest_ms;
}
