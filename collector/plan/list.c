/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/counters.h"
#include "base/diag.h"
#include "events/event.h"
#include "sample/ladder.h"
#include "base/strbuf.h"
#include "base/exit_status.h"

static void print_list(const struct options *opt, const struct counter_list *list,
		       const struct counter_probe *probe, bool one, struct strbuf *out)
{
	if (opt->json)
		counter_list_json(list, probe, out);
	else if (one)
		counter_text(&list->data[0], out);
	else
		counter_list_text(list, probe, out);
}

/*
 * A counter that no table lists is looked up by name, as with a program; of patterns only
 * those of tracepoints are valid there.  A word that is none may be a part of names.
 */
static int explain(const struct events *events, const char *name,
		   struct counter_list *list)
{
	struct strbuf err = { 0 };
	int error = -ENOENT;

	if (strpbrk(name, "*?[") && !strchr(name, ':'))
		diag_error("no counter matches %s; collect -h lists them all", name);
	else
		error = counter_list_explain(events, name, list, &err);
	if (err.len && !strpbrk(name, "*?[:")) {
		counter_list_release(list);
		counter_list_search(events, name, list);
		error = list->len ? 0 : error;
	}
	if (error && err.len)
		diag_error("%s", err.data);
	strbuf_release(&err);
	return error;
}

static int list_of(const struct options *opt, const struct sys *sys,
		   const struct events *events)
{
	const char *pattern = opt->counters.len ? opt->counters.data[0] : NULL;
	struct strbuf why = { 0 }, out = { 0 };
	struct counter_probe probe = { .instead = "the CPU clock" };
	struct counter_list list = { 0 };
	int status = 0;

	if (ladder_probe_counters(sys, &why))
		probe.reason = strbuf_str(&why);
	counter_list_init(events, pattern, &list);
	if (pattern && !list.len && explain(events, pattern, &list)) {
		status = EXIT_USAGE;
	} else {
		print_list(opt, &list, &probe, pattern && list.len == 1, &out);
		if (fputs(strbuf_str(&out), stdout) == EOF || fflush(stdout) == EOF)
			status = EXIT_FAILED;
	}
	counter_list_release(&list);
	strbuf_release(&why);
	strbuf_release(&out);
	return status;
}

int list_counters(const struct options *opt, const struct sys *sys)
{
	struct strbuf err = { 0 };
	struct events *events = events_open(sys->root, &err);
	int status = EXIT_FAILED;

	if (events)
		status = list_of(opt, sys, events);
	else
		diag_error("%s", strbuf_str(&err));
	events_close(events);
	strbuf_release(&err);
	return status;
}
