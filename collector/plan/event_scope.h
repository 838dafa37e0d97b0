/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a recording's events for its target: chooses their scope, and ensures that no
 * thread of a running process is missed.
 */
#ifndef EVENT_SCOPE_H
#define EVENT_SCOPE_H

#include "sample/cgroup.h"
#include "sample/evlist.h"
#include "sample/ladder.h"
#include "options/options.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "target/target.h"

struct event_scope {
	const struct sys *sys;
	const struct options *opt;
	const struct ladder *ladder;
	struct target *target;
	unsigned cpus;               /* of the machine */
	const struct waking *waking; /* as evlist_setup's */
	uint32_t waking_event;
	bool chains; /* the kernel also follows frame pointers */
};

/*
 * Makes the GROUP for a program's events before the program is forked, so it can be born
 * there.  There may be none: see event_scope_open.
 */
void event_scope_make_group(const struct event_scope *o, struct cgroup *group);

/*
 * 0, or a negative errno with one sentence in ERR.  Release GROUP and EVLIST either way,
 * in the order: target, group, evlist.
 */
int event_scope_open(const struct event_scope *o, struct cgroup *group,
		     struct evlist *evlist, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
