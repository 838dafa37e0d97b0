/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a perf.data file says beside its samples that has no place of its own in a log:
 * the cores and the clock of the machine, groups and units of events.
 */
#ifndef IMPORT_NOTES_H
#define IMPORT_NOTES_H

#include "experiment/log.h"
#include "import/import.h"

/* Adds a note for each of them that the file tells. */
void import_notes_add(struct exp_log *log, const struct import *imp);

/* The time of day of the first sample as log->started has it; "": not told.  The caller
 * frees it. */
char *import_started(const struct import *imp);

#endif
