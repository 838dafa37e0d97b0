/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts in a perf.data file that have no field of their own in a log: the cores and the
 * clock of the machine, groups and units of events.
 */
#ifndef IMPORT_NOTES_H
#define IMPORT_NOTES_H

#include "experiment/log.h"
#include "import/import.h"

/* Adds a note for each that the file has. */
void import_notes_add(struct exp_log *log, const struct import *imp);

/*
 * The time of day of the first sample in log->started's form; "": unknown.  The caller
 * frees it.
 */
char *import_started(const struct import *imp);

#endif
