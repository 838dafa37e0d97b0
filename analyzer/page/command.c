/* SPDX-License-Identifier: Apache-2.0 */
/* report: the recording as one page to look at. */
#include "page/page.h"

#include "views/views.h"

static int write_file(struct session *s, const char *path)
{
	struct stream out;
	int error = stream_create(&out, path);

	if (error)
		return error;
	page_write(s, &out);
	return stream_close(&out);
}

static int run_report(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	return command_status(write_file(s, argv[0]), argv[0], err);
}

const struct cmd cmd_report = {
	.name = "report",
	.args = "FILE",
	.help = "one HTML page: flame graph, functions, time",
	.group = GROUP_EXPORT,
	.example = "report out.html",
	.run = run_report,
	.comparable = "functions",
};
