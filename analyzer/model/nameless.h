/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in functions of a file that lack names, because it was stripped. */
#ifndef NAMELESS_H
#define NAMELESS_H

#include "base/strbuf.h"
#include "model/model.h"

/*
 * Adds a sentence to OUT about the file with most of SOURCE's samples in such functions,
 * with the package or server that has their names, unless they are few.
 */
void nameless_advise(const struct model *model, const struct source *source,
		     struct strbuf *out);

#endif
