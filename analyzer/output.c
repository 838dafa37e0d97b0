/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "render.h"
#include "report.h"
#include "xalloc.h"

static unsigned terminal_width(FILE *file)
{
	struct winsize size;

	if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

void output_init(struct output *out)
{
	*out = (struct output){
		.file = stdout,
		.separator = ',',
		.width = terminal_width(stdout),
	};
}

static void close_file(struct output *out)
{
	if (out->path)
		fclose(out->file);
	free(out->path);
	out->path = NULL;
	out->file = stdout;
}

void output_release(struct output *out)
{
	report_free(out->report);
	out->report = NULL;
	close_file(out);
}

static int write_all(struct output *out, const char *text, size_t len)
{
	errno = 0;
	if (fwrite(text, 1, len, out->file) != len)
		return errno ? -errno : -EIO;
	return 0;
}

int output_table(struct output *out, const struct model *model, const struct table *table)
{
	struct strbuf text = { 0 };
	int error;

	if (out->mode == PRINT_JSON) {
		if (!out->report)
			out->report = report_new(model);
		report_add(out->report, table);
		return 0;
	}
	if (out->started)
		strbuf_addch(&text, '\n');
	if (out->mode == PRINT_CSV)
		render_csv(table, out->separator, &text);
	else
		render_text(table, out->width, &text);
	error = write_all(out, strbuf_str(&text), text.len);
	out->started = true;
	strbuf_release(&text);
	return error;
}

static int write_report(struct output *out)
{
	struct strbuf text = { 0 };
	int error;

	report_write(out->report, &text);
	report_free(out->report);
	out->report = NULL;
	error = write_all(out, text.data, text.len);
	strbuf_release(&text);
	return error;
}

int output_finish(struct output *out, const struct model *model)
{
	int error = 0;

	if (out->mode == PRINT_JSON && !out->report)
		out->report = report_new(model);
	if (out->report)
		error = write_report(out);
	errno = 0;
	if (fflush(out->file) && !error)
		error = errno ? -errno : -EIO;
	return error;
}

int output_redirect(struct output *out, const char *path, bool append)
{
	FILE *file = path ? fopen(path, append ? "ae" : "we") : stdout;

	if (!file)
		return -errno;
	close_file(out);
	out->file = file;
	out->path = path ? xstrdup(path) : NULL;
	out->width = terminal_width(file);
	out->started = false;
	return 0;
}

const char *output_name(const struct output *out)
{
	return out->path ? out->path : "standard output";
}
