/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the frames that were seen, written into the experiment when the recording
 * ends: so it reads the same on another machine, and after a rebuild.  Only objects that
 * have frames are opened.
 */
#ifndef NAMING_H
#define NAMING_H

#include "intern.h"
#include "kernel_map.h"
#include "module.h"

/*
 * Writes the symbols of all frames in IN.  What has no name gets a label.  ROOT is put
 * before /proc.
 */
void naming_write(struct intern *in, struct module_table *modules,
		  const struct kernel_map *kernel, const char *root);

#endif
