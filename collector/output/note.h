/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOTE_H
#define NOTE_H

#include "experiment/log.h"

/*
 * Adds a note to LOG and prints it to stderr at once.  SEVERITY is "note", "warning" or
 * "error", as in log.json.
 */
void log_note(struct exp_log *log, const char *severity, const char *text);

#endif
