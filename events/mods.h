/* SPDX-License-Identifier: Apache-2.0 */
/* What narrows an event: levels of privilege and precision (":u", ":pp"), and
 * ~attributes. */
#ifndef EVENTS_MODS_H
#define EVENTS_MODS_H

#include "events/event.h"
#include "events/spec.h"

struct mods {
	bool user, kernel, hv; /* none: all of them */
	unsigned precise;
	bool precisest; /* the highest available precision */
};

/*
 * Cuts the modifiers off the end of NAME, in place: ":u", ":upp", ":k:u", and "u" after
 * the slash of "cpu/event=1/u".
 */
void mods_cut(char *name, struct mods *mods);

int mods_apply(const struct mods *mods, struct event *event, struct strbuf *err)
	__attribute__((warn_unused_result));

/* ~user, ~system, ~hypervisor, ~precise, and the bits of the register. */
int mods_apply_attr(const struct spec_attr *attr, struct event *event, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Adds ":u", ":kpp", … for EVENT's levels and precision. */
void mods_spell(const struct event *event, struct strbuf *out);

#endif
