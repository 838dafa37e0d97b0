/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the operand of -h, before any name is looked up. */
#ifndef EVENTS_SPEC_H
#define EVENTS_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct spec_attr {
	char *key;
	uint64_t value;
};

/* [+]CTR[~attr=val…][/REG][,RATE] */
struct spec {
	char *asked;    /* all except the rate */
	char *name;     /* CTR */
	bool addresses; /* +CTR */
	VEC(struct spec_attr) attrs;
	int reg;    /* or EVENT_NO_REGISTER */
	char *rate; /* "" if none was given */
};

void spec_release(struct spec *spec);

/*
 * Takes the next counter and its rate off *TEXT, which then points to the one after it,
 * or to its end.  On failure SPEC is empty.
 */
int spec_next(const char **text, struct spec *spec, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
