/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in functions of a file that lack names, because it was stripped. */
#ifndef NAMELESS_H
#define NAMELESS_H

#include <stdint.h>

#include "base/strbuf.h"
#include "process/module.h"
#include "process/space.h"

/* A sample at IP in a process with that SPACE. */
void nameless_take(struct module_table *modules, const struct space *space, uint64_t ip);

/*
 * Once symbols are written: the samples in functions without names of the file with most
 * of them, and a sentence about it for OUT; 0 if they are few of SAMPLES, or er_print
 * looks for the names by itself.  The system's own files are read below ROOT.
 */
uint64_t nameless_advise(const struct module_table *modules, uint64_t samples,
			 const char *root, struct strbuf *out);

#endif
