/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many rounds of one attempt in this process's children, each round drawn from its
 * number: the death of a child is reported with the number of its round, and the next
 * child continues after it.  Round N is the same in every run.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* ---- drawing ---- */

/* Numbers that follow from a seed (splitmix64). */
struct draw {
	uint64_t state;
};

uint64_t draw_bits(struct draw *d);
uint64_t draw_below(struct draw *d, uint64_t bound); /* 0 for a bound of 0 */
bool draw_one_in(struct draw *d, unsigned n);

/* A number as attackers write it: at a limit of some type, small, close to OLD, or any. */
uint64_t draw_number(struct draw *d, uint64_t old);

/* Bytes as attackers write them into names, appended to OUT; at most 300. */
void draw_text(struct draw *d, struct strbuf *out);

/* ---- running ---- */

struct campaign {
	const char *name;
	uint64_t first, rounds;
	/* its standard output and error are temporary files; what it finds wrong it says
	 * on standard error, and ends the process */
	void (*round)(void *ctx, struct draw *d);
	void *ctx;
};

/* For rounds: reports what is wrong and ends the process. */
_Noreturn void campaign_fail(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Prints the failures and their number.  The exit status: 0, or 1 if there were any. */
int campaign_run(const struct campaign *c);

#endif
