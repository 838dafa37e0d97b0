/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions from an imported recording. */
#ifndef IMPORT_NAMES_H
#define IMPORT_NAMES_H

#include "process/symbol_writer.h"
#include "import/perf_file.h"

/* For symbol_writer_run, as long as FILE is open. */
struct carried_symbols import_names(struct perf_file *file);

#endif
