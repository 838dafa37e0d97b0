/* SPDX-License-Identifier: Apache-2.0 */
/* The operand of -h taken apart, before anything is looked up. */
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
	char *asked;    /* all but the rate */
	char *name;     /* CTR */
	bool addresses; /* +CTR */
	VEC(struct spec_attr) attrs;
	int reg;    /* or EVENT_NO_REGISTER */
	char *rate; /* "" where none was given */
};

void spec_release(struct spec *spec);

/*
 * Takes the next counter and its rate off *TEXT, which is then at the one after it, or at
 * its end.  On failure SPEC holds nothing.
 */
int spec_next(const char **text, struct spec *spec, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
