/* SPDX-License-Identifier: Apache-2.0 */
/* Where to look for the file of an experiment's module. */
#ifndef MODULE_PLACE_H
#define MODULE_PLACE_H

#include <stdbool.h>

#include "experiment/read.h"
#include "elf/object_file.h"

/* False for a module without a file.  OUT borrows from the experiment and SEARCH. */
bool module_place(const struct experiment *exp, uint32_t module,
		  const struct object_search *search, struct object_place *out);

#endif
