/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recording begins with one region of a name, and ends with one (collect --from, --to).
 * They are counted in each process, over all of its threads; a forked child begins anew.
 */
#ifndef RUNTIME_TRIGGER_H
#define RUNTIME_TRIGGER_H

#include <stdbool.h>

extern bool trigger_is_set;

/* Once, before any other call: what the environment says. */
void trigger_init(void);

/* A region begins, whose name may be NULL.  Whether its end may be the one of --to. */
bool trigger_begin(const char *name);

/* It ended, and is in no other one of these. */
void trigger_end(void);

#endif
