/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that an imported recording has brought along. */
#ifndef IMPORT_NAMES_H
#define IMPORT_NAMES_H

#include "process/naming.h"
#include "import/perf_file.h"

/* For naming_write, as long as FILE is open. */
struct naming_carried import_names(struct perf_file *file);

#endif
