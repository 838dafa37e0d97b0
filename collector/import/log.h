/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of an imported experiment: the file's description of the machine and the
 * events, and warnings.
 */
#ifndef IMPORT_LOG_H
#define IMPORT_LOG_H

#include "experiment/log.h"
#include "import/import.h"

/* Fills LOG, which is empty, once all records are in the recording; PATH: the file's. */
void import_log_fill(struct exp_log *log, const struct import *imp, const char *path,
		     const char *comment);

#endif
