/* SPDX-License-Identifier: Apache-2.0 */
/* Where the file of an experiment's module is to be looked for. */
#ifndef MODULE_PLACE_H
#define MODULE_PLACE_H

#include <stdbool.h>

#include "experiment/read.h"
#include "elf/object_file.h"

/* False for what is no file of its own.  OUT's texts are the experiment's.  ONLINE: see
 * object_file.h. */
bool module_place(const struct experiment *exp, uint32_t module,
		  struct debuginfod *online, struct object_place *out);

#endif
