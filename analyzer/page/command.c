/* SPDX-License-Identifier: Apache-2.0 */
/* report: the recording as one page to look at. */
#include "page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "page/browse.h"
#include "render/whole_file.h"
#include "views/views.h"

#define ENDING ".html"

static int write_file(struct session *s, const char *path, bool strip)
{
	struct whole_file file;
	int error = whole_file_create(&file, path);

	if (error)
		return error;
	page_write(s, &file.out, strip);
	return whole_file_close(&file);
}

/* "test.1.html" of "test.1.er", beside it. */
static char *usual_path(const struct session *s)
{
	const char *path = s->model.sources.data[0].exp->path;
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	if (len > strlen(".er") &&
	    !strncmp(path + len - strlen(".er"), ".er", strlen(".er")))
		len -= strlen(".er");
	return xasprintf("%.*s%s", (int)len, path, ENDING);
}

/* Where it is, and in a browser if the user wants that. */
static void show_page(const struct session *s, const char *path, bool named)
{
	int error;

	if (!named)
		diag_note("the page is %s", path);
	if (!s->set.open_page && (named || !browse_is_expected()))
		return;
	error = browse_open(path);
	if (error)
		diag_warn("%s cannot be opened with xdg-open: %s", path,
			  error == -ENOENT ? "there is none; open it in a browser"
					   : strerror(-error));
}

static int make_page(struct session *s, const char *named, bool strip, struct strbuf *err)
{
	char *path = named ? xstrdup(named) : usual_path(s);
	int status = command_status(write_file(s, path, strip), path, err);

	s->compare_due &= status != 0;
	if (!status)
		show_page(s, path, named != NULL);
	free(path);
	return status;
}

static int run_report(struct session *s, int argc, char **argv, struct strbuf *err)
{
	return make_page(s, argc ? argv[0] : NULL, false, err);
}

static int run_report_strip(struct session *s, int argc, char **argv, struct strbuf *err)
{
	return make_page(s, argc ? argv[0] : NULL, true, err);
}

const struct cmd cmd_report = {
	.name = "report",
	.args = "[FILE]",
	.help = "one HTML page: flame graph, functions, time",
	.group = GROUP_EXPORT,
	.example = "report out.html",
	.ending = ENDING,
	.run = run_report,
};

const struct cmd cmd_report_strip = {
	.name = "report-strip",
	.args = "[FILE]",
	.help = "the page of report without folders and users",
	.group = GROUP_EXPORT,
	.example = "report-strip out.html",
	.ending = ENDING,
	.run = run_report_strip,
};
