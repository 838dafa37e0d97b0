/* SPDX-License-Identifier: Apache-2.0 */
/* Why time that the kernel accounts to a program has no samples. */
#ifndef WHY_UNSAMPLED_H
#define WHY_UNSAMPLED_H

#include <stddef.h>
#include <stdint.h>

#include "finish/figures.h"

/*
 * The program's context switches, if NS is time that they can have taken; 0: NS has
 * another cause, or its switches are unknown.
 */
uint64_t switches_behind(const struct summary *c, uint64_t ns);

/* The part of what the event at INDEX stands for that has no sample. */
double unsampled_share(const struct summary *c, size_t index);

/* Puts the reason for it into the log, unless the share is small. */
void unsampled_find_why(const struct summary *c, size_t index);

#endif
