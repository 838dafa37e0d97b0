/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of the log that are known only at the end: how the target ended, what each
 * event counted, how many samples there are and were lost.
 */
#ifndef CLOSING_FIGURES_H
#define CLOSING_FIGURES_H

#include "collector/closing.h"

/* All but what collect itself took. */
void closing_figures(const struct closing *c);

/* What collect has taken so far. */
void closing_collector(struct exp_log *log);

/* The CPU time that the kernel's books have of the target. */
double closing_rusage_s(const struct exp_log *log);

#endif
