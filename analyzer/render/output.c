/* SPDX-License-Identifier: Apache-2.0 */
#include "render/output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "render/html_page.h"
#include "render/report.h"
#include "base/xalloc.h"

/* Whether FILE is a terminal that can do more than show lines. */
static bool is_capable(FILE *file)
{
	const char *term = getenv("TERM");

	return isatty(fileno(file)) && term && *term && strcmp(term, "dumb");
}

/* By the environment's locale; one that is not installed does not count. */
static bool is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

	if (locale)
		freelocale(locale);
	return utf8;
}

/* A terminal without a window, on a serial line or of a script, says that it has 0 columns. */
static struct text_style style_of(FILE *file)
{
	enum { UNTOLD_COLUMNS = 80 };
	const char *no_color = getenv("NO_COLOR");
	struct text_style style = { 0 };
	struct winsize size;

	if (isatty(fileno(file)) && !ioctl(fileno(file), TIOCGWINSZ, &size))
		style.width = size.ws_col ? size.ws_col : UNTOLD_COLUMNS;
	style.ascii = !is_utf8();
	style.colour = is_capable(file) && !(no_color && *no_color);
	return style;
}

void output_init(struct output *out)
{
	*out = (struct output){
		.file = stdout,
		.separator = ',',
		.style = style_of(stdout),
		.paging = is_capable(stdout),
	};
}

/* An earlier error counts too: the C library forgets what it could not write. */
static int flush(struct output *out)
{
	int error = 0;

	errno = 0;
	if (fflush(out->file) || ferror(out->file))
		error = errno ? -errno : out->write_error ? out->write_error : -EIO;
	clearerr(out->file);
	out->write_error = 0;
	return error;
}

int output_end_page(struct output *out)
{
	int error = flush(out);

	pager_close(&out->pager);
	return error;
}

static void close_file(struct output *out)
{
	pager_close(&out->pager);
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
	mistakes_release(&out->mistakes);
	close_file(out);
}

static int write_all(void *ctx, const char *text, size_t len)
{
	struct output *out = ctx;
	FILE *file = out->file;

	if (out->paging && !out->path && !out->pager.file)
		pager_open(&out->pager);
	if (out->pager.file)
		file = out->pager.file;
	errno = 0;
	if (fwrite(text, 1, len, file) == len)
		return 0;
	out->write_error = errno ? -errno : -EIO;
	return out->write_error;
}

/* The title of a page of all open experiments. */
static void put_page_title(const struct model *model, struct strbuf *out)
{
	vec_for_each(const struct source, source, &model->sources)
		strbuf_addf(out, "%s%s", out->len ? ", " : "", source->exp->path);
	if (!out->len)
		strbuf_addstr(out, "er_print");
}

/*
 * A file that ends like our pages is continued: its end is removed, and will be written
 * again.  0 or a negative errno; *OPEN: whether it is one.
 */
static int reopen_page(struct output *out, bool *open)
{
	struct strbuf end = { 0 }, tail = { 0 };
	struct stat st;
	int error = 0, fd = -1;

	*open = false;
	html_page_end(&end);
	if (!out->path || fflush(out->file) || fstat(fileno(out->file), &st) ||
	    !S_ISREG(st.st_mode) || (size_t)st.st_size < end.len)
		goto out;
	fd = file_open(out->path);
	if (fd < 0 ||
	    pread(fd, strbuf_add_room(&tail, end.len), end.len,
		  st.st_size - (off_t)end.len) != (ssize_t)end.len ||
	    memcmp(tail.data, end.data, end.len))
		goto out;
	if (ftruncate(fileno(out->file), st.st_size - (off_t)end.len) ||
	    fseeko(out->file, 0, SEEK_END))
		error = -errno;
	*open = !error;
out:
	if (fd >= 0)
		close(fd);
	strbuf_release(&end);
	strbuf_release(&tail);
	return error;
}

static int put_page(struct output *out, const struct model *model, struct table *table,
		    struct stream *stream)
{
	struct strbuf title = { 0 };
	int error = out->page ? 0 : reopen_page(out, &out->page);

	if (error)
		return error;
	if (!out->page) {
		put_page_title(model, &title);
		html_page_begin(title.data, &stream->text);
		strbuf_release(&title);
	}
	out->page = true;
	render_html(table, out->style.whole_names, stream);
	return 0;
}

static void put_lines(struct output *out, struct table *table, struct stream *stream)
{
	if (out->started)
		strbuf_addstr(&stream->text, out->mode == PRINT_CSV ? "\r\n" : "\n");
	if (out->mode == PRINT_CSV)
		render_csv(table, out->separator, stream);
	else
		render_text(table, out->style, stream);
	out->started = true;
}

/* Whoever reads through a pager may end it at any time: that alone is no failure. */
static int status_of(const struct output *out, int error)
{
	return out->pager.file && out->write_error == -EPIPE ? 0 : error;
}

int output_table(struct output *out, const struct model *model, struct table *table)
{
	struct stream stream = { .write = write_all, .ctx = out };
	int error = 0, ended;

	out->spool_failed = false;
	if (out->mode == PRINT_JSON) {
		if (!out->report)
			out->report = report_new(model);
		return report_add(out->report, table);
	}
	if (out->mode == PRINT_HTML)
		error = put_page(out, model, table, &stream);
	else
		put_lines(out, table, &stream);
	ended = stream_end(&stream);
	return error ? error : status_of(out, ended);
}

/* The commands that failed: whoever gets the page has not seen the messages. */
static void put_mistakes(const struct mistakes *mistakes, struct strbuf *out)
{
	if (!mistakes->len)
		return;
	strbuf_addstr(out, "<section>\n<h2>Errors</h2>\n<table>\n");
	vec_for_each(const struct mistake, mistake, mistakes) {
		strbuf_addstr(out, "<tr class=\"worse\"><th class=\"label\">");
		if (mistake->command)
			foreign_put_html(out, foreign(mistake->command));
		strbuf_addstr(out, "</th><td>");
		foreign_put_html(out, foreign(mistake->text));
		strbuf_addstr(out, "</td></tr>\n");
	}
	strbuf_addstr(out, "</table>\n</section>\n");
}

static int end_page(struct output *out)
{
	struct stream stream = { .write = write_all, .ctx = out };

	put_mistakes(&out->mistakes, &stream.text);
	mistakes_clear(&out->mistakes);
	html_page_end(&stream.text);
	out->page = false;
	return status_of(out, stream_end(&stream));
}

static int write_report(struct output *out)
{
	/* a view that could not be stored was reported then */
	int error = out->report->error
			    ? 0
			    : report_write(out->report, &out->mistakes, write_all, out);

	report_free(out->report);
	out->report = NULL;
	mistakes_clear(&out->mistakes);
	out->spool_failed = error && !out->write_error;
	return status_of(out, error);
}

int output_finish(struct output *out, const struct model *model)
{
	int error = 0, flushed;

	out->spool_failed = false;
	if (out->mode == PRINT_JSON && !out->report)
		out->report = report_new(model);
	if (out->report)
		error = write_report(out);
	if (out->page)
		error = end_page(out);
	flushed = output_end_page(out);
	return error ? error : flushed;
}

int output_open(const char *path, bool append, FILE **file)
{
	int fd, error;

	*file = stdout;
	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : 0), 0666);
	if (fd < 0)
		return -errno;
	*file = fdopen(fd, append ? "a" : "w");
	if (*file)
		return 0;
	error = -errno;
	close(fd);
	return error;
}

static int make_empty(FILE *file)
{
	struct stat st;

	if (fstat(fileno(file), &st))
		return -errno;
	return S_ISREG(st.st_mode) && ftruncate(fileno(file), 0) ? -errno : 0;
}

int output_redirect(struct output *out, const char *path, bool append, FILE *file)
{
	close_file(out);
	out->file = file;
	out->path = path ? xstrdup(path) : NULL;
	out->style = style_of(file);
	out->started = false;
	out->page = false;
	return path && !append ? make_empty(file) : 0;
}

const char *output_name(const struct output *out)
{
	if (out->spool_failed || (out->report && out->report->error))
		return spool_folder();
	return out->path ? out->path : "standard output";
}
