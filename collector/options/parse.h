/* SPDX-License-Identifier: Apache-2.0 */
/* collect's command line. */
#ifndef OPTIONS_PARSE_H
#define OPTIONS_PARSE_H

#include "base/strbuf.h"
#include "options/options.h"

/*
 * 0, or -EINVAL with one sentence in ERR.  OPT is to be released either way.
 */
int options_parse(struct options *opt, int argc, char **argv, struct strbuf *err)
	__attribute__((warn_unused_result));

void options_release(struct options *opt);

/* The text of --help. */
void options_help(struct strbuf *out);

#endif
