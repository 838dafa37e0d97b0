/* SPDX-License-Identifier: Apache-2.0 */
/* How often to sample: the RATE of -h. */
#ifndef EVENTS_RATE_H
#define EVENTS_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "events/event.h"
#include "base/strbuf.h"

/* The rate in samples a second that `auto` asks the kernel to keep. */
#define RATE_AUTO_HZ 997

/* Whether TEXT, after a comma, can only be a rate, not a counter. */
bool rate_looks_like(const char *text);

/*
 * The period in TEXT: a number of events, or of samples a second if *FREQ.  NORMAL is the
 * counter's default, also called "" and "on".  COUNTER is for the sentence in ERR.
 */
int rate_parse(const char *text, const char *counter, uint64_t normal, uint64_t *period,
	       bool *freq, struct strbuf *err) __attribute__((warn_unused_result));

/*
 * Whether EVENT, which the user called COUNTER, is a clock that would have to tick faster
 * than it can.
 */
int rate_check_clock(const char *counter, const struct event *event, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The largest prime that is not above N, which is at least 2. */
uint64_t rate_prime(uint64_t n);

#endif
