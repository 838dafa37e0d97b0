/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of collect whose arguments have a syntax of their own.  Each parses the
 * argument into OPT: 0, or -EINVAL with one sentence in ERR.
 */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "options/options.h"
#include "base/strbuf.h"

int take_archive(struct options *opt, const char *text, struct strbuf *err); /* -A */
int take_cgroup(struct options *opt, const char *text, struct strbuf *err); /* --cgroup */
int take_duration(struct options *opt, const char *text, struct strbuf *err); /* -t */
int take_every(struct options *opt, const char *text, struct strbuf *err);
int take_keep(struct options *opt, const char *text, struct strbuf *err);
int take_keep_mb(struct options *opt, const char *text, struct strbuf *err);
int take_from(struct options *opt, const char *text, struct strbuf *err);
int take_to(struct options *opt, const char *text, struct strbuf *err);
int take_pause_signal(struct options *opt, const char *text, struct strbuf *err); /* -y */
int take_point_signal(struct options *opt, const char *text, struct strbuf *err); /* -l */
int take_points(struct options *opt, const char *text, struct strbuf *err);       /* -S */
int take_follow(struct options *opt, const char *text, struct strbuf *err);       /* -F */
int take_waits(struct options *opt, const char *text, struct strbuf *err);        /* -w */
int take_regions(struct options *opt, const char *text,
		 struct strbuf *err);                                      /* --regions */
int take_limit(struct options *opt, const char *text, struct strbuf *err); /* -L */
int take_name(struct options *opt, const char *text, struct strbuf *err);  /* -o */
int take_name_over(struct options *opt, const char *text, struct strbuf *err); /* -O */
int take_pid(struct options *opt, const char *text, struct strbuf *err);       /* -P */
int take_label(struct options *opt, const char *text, struct strbuf *err);
int take_report(struct options *opt, const char *text, struct strbuf *err);
int take_scope(struct options *opt, const char *text, struct strbuf *err); /* --scope */
int take_stack(struct options *opt, const char *text, struct strbuf *err); /* --stack */
int take_readers(struct options *opt, const char *text, struct strbuf *err);
int take_stack_size(struct options *opt, const char *text, struct strbuf *err);

#endif
