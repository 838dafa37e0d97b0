/* SPDX-License-Identifier: Apache-2.0 */
/* collect: runs a program and records where it spends its time.  See collect(1). */
#include <stdio.h>

#include "config.h"
#include "base/diag.h"
#include "base/program.h"
#include "import/import.h"
#include "options/parse.h"
#include "plan/list.h"
#include "run/session.h"
#include "base/strbuf.h"
#include "base/streams.h"
#include "sample/sys.h"
#include "base/exit_status.h"
#include "check/check.h"

static int print(const char *text)
{
	if (fputs(text, stdout) != EOF && fflush(stdout) != EOF)
		return 0;
	diag_error("cannot write to standard output");
	return EXIT_FAILED;
}

static int help(void)
{
	struct strbuf text = { 0 };
	int status;

	options_help(&text);
	status = print(strbuf_str(&text));
	strbuf_release(&text);
	return status;
}

static int run(const struct options *opt)
{
	switch (opt->action) {
	case ACTION_HELP:
		return help();
	case ACTION_VERSION:
		return print("collect (ringprof) " PACKAGE_VERSION "\n");
	case ACTION_LIST:
		return list_counters(opt, &sys_kernel);
	case ACTION_CHECK:
		return check_main(&sys_kernel, opt->json);
	case ACTION_IMPORT:
		return import_run(opt);
	case ACTION_RECORD:
		return session_run(opt, &sys_kernel);
	}
	return EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct strbuf err = { 0 };
	struct options opt;
	int status;

	streams_hold();
	program_set_name("collect");
	if (options_parse(&opt, argc, argv, &err)) {
		diag_error("%s", strbuf_str(&err));
		status = EXIT_USAGE;
	} else {
		status = run(&opt);
	}
	options_release(&opt);
	strbuf_release(&err);
	return status;
}
