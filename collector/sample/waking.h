/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect -w wakers: the tracepoint sched:sched_waking, which has a sample where one thread
 * ends another one's wait, or an interrupt does.  The sample is of the one that ends it; its
 * data (events/sched/sched_waking/format in tracefs) name the other.
 *
 * Anybody may end a wait.  So the tracepoint is opened for CPUs, whatever the other events of a
 * recording are opened for, and its samples go to the same rings.
 */
#ifndef WAKING_H
#define WAKING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "events/event.h"
#include "sample/record.h"
#include "sample/sys.h"
#include "sample/trace_format.h"

/*
 * A stack costs far more than the sample.  So there are two events: if wakings come fast, more
 * have a sample than a stack.
 */
enum waking_kind {
	WAKING_BARE,    /* without a stack */
	WAKING_STACKED, /* its sample comes before the bare one of the same waking */
	WAKING_KINDS
};

struct waking {
	struct event event;
	struct trace_field pid, flags;
	bool swapped; /* the data are of the other byte order */
};

/* Reads FORMAT, the kernel's text, which is hostile. */
bool waking_format(struct waking *w, const char *format);

/* Finds and tries it.  False: it cannot be had here, and WHY has the reason and the remedy. */
bool waking_find(struct waking *w, const struct sys *sys, struct strbuf *why);
void waking_release(struct waking *w);

/* What a sample says. */
struct waking_said {
	uint32_t tid; /* of the thread that waits */
	/* Its waker runs an interrupt, or a softirq, of an interrupt or of a thread's call. */
	bool interrupt, softirq;
};
bool waking_read(const struct waking *w, const struct record_sample *sample,
		 struct waking_said *out);

#endif
