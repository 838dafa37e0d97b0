/* SPDX-License-Identifier: Apache-2.0 */
/* Why time that the kernel accounts to a program has no samples. */
#ifndef WHY_UNSAMPLED_H
#define WHY_UNSAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "finish/figures.h"

/*
 * The program's context switches, if NS is time that they can have taken; 0: NS has
 * another cause, or its switches are unknown.
 */
uint64_t switches_behind(const struct summary *c, uint64_t ns);

/* " (20 %: 0.090 s in …)" for event E, the one at INDEX; nothing if the share is small. */
void unsampled_add_why(struct strbuf *out, const struct summary *c,
		       const struct exp_event *e, size_t index);

#endif
