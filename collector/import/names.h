/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that an imported recording has brought along. */
#ifndef IMPORT_NAMES_H
#define IMPORT_NAMES_H

#include "process/symbol_writer.h"
#include "import/perf_file.h"

/* For symbol_writer_run, as long as FILE is open. */
struct carried_symbols import_names(struct perf_file *file);

#endif
