/* SPDX-License-Identifier: Apache-2.0 */
/* export: the call tree, or the samples, for other programs. */
#include "config.h"

#include "export/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "render/whole_file.h"
#include "views/views.h"

void export_stack_of(const struct tree *tree, size_t node, struct export_stack *stack)
{
	const struct tree_node *nodes = tree->nodes.data;
	size_t depth = nodes[node].depth;

	vec_clear(stack);
	vec_reserve(stack, depth);
	stack->len = depth;
	for (; node != TREE_ROOT; node = nodes[node].parent)
		stack->data[--depth] = nodes[node].function;
}

void export_end_frame(struct strbuf *stack, size_t start_of_name)
{
	for (size_t i = start_of_name; i < stack->len; i++)
		if (stack->data[i] == ';')
			stack->data[i] = ':';
}

/* The forms by their words, as in export_…. */
#ifdef HAVE_PPROF
#define PPROF(FORM) FORM(pprof)
#else
#define PPROF(FORM)
#endif
#ifdef HAVE_SQLITE
#define SQLITE(FORM) FORM(sqlite)
#else
#define SQLITE(FORM)
#endif
#define ALL_FORMS(FORM)                                                                  \
	FORM(collapsed)                                                                  \
	FORM(speedscope)                                                                 \
	FORM(firefox)                                                                    \
	PPROF(FORM)                                                                      \
	FORM(callgrind)                                                                  \
	SQLITE(FORM) FORM(csv) FORM(tables) FORM(openmetrics) FORM(samples)

#define ROW(word)  { #word, &export_##word },
#define WORD(word) " " #word

static const struct {
	const char *word;
	const struct export_format *format;
} forms[] = { ALL_FORMS(ROW) };

static const char words[] = ALL_FORMS(WORD);

#define FORMS (sizeof(forms) / sizeof(forms[0]))

static int write_stdout(struct session *s, const struct export_format *format)
{
	struct stream out;
	int error;

	stream_init_file(&out, stdout);
	format->write(s, &out);
	error = stream_end(&out);
	return fflush(stdout) && !error ? -errno : error;
}

static int write_new(struct session *s, const struct export_format *format,
		     const char *path)
{
	struct stream out;
	int error;

	error = stream_create(&out, path);
	if (error)
		return error;
	format->write(s, &out);
	return stream_close(&out);
}

static int write_whole(struct session *s, const struct export_format *format,
		       const char *path)
{
	struct whole_file file;
	int error = whole_file_create(&file, path);

	if (error)
		return error;
	format->write(s, &file.out);
	return whole_file_close(&file);
}

static int write_file(struct session *s, const struct export_format *format,
		      const char *path)
{
	if (!strcmp(path, "-"))
		return write_stdout(s, format);
	return format->whole ? write_whole(s, format, path) : write_new(s, format, path);
}

static int write_database(struct session *s, const struct export_format *format,
			  const char *path, struct strbuf *err)
{
	if (strcmp(path, "-") != 0)
		return format->write_file(s, path, err);
	strbuf_addstr(err, "it is no stream: name the file or folder");
	return CMD_FAILED;
}

static const struct export_format *format_of(const char *word)
{
	for (size_t i = 0; i < FORMS; i++)
		if (!strcmp(forms[i].word, word))
			return forms[i].format;
	return NULL;
}

static void refuse(const char *word, struct strbuf *err)
{
	strbuf_addstr(err, "export writes ");
	for (size_t i = 0; i < FORMS; i++)
		strbuf_addf(err, "%s%s",
			    !i              ? ""
			    : i + 1 < FORMS ? ", "
					    : " or ",
			    forms[i].word);
	strbuf_addf(err, ", not '%s'", word);
#ifndef HAVE_PPROF
	if (!strcmp(word, "pprof"))
		strbuf_addstr(err, ": it was built without protobuf-c");
#endif
#ifndef HAVE_SQLITE
	if (!strcmp(word, "sqlite"))
		strbuf_addstr(err, ": it was built without SQLite");
#endif
}

/* As command_run refuses commands. */
static int refuse_sum(const char *word, struct strbuf *err)
{
	strbuf_addf(err,
		    "export %s cannot compare: it would write the sum of both sides; "
		    "use functions or calltree, or compare off before it",
		    word);
	return CMD_FAILED;
}

static int run_export(struct session *s, int argc, char **argv, struct strbuf *err)
{
	const struct export_format *format = format_of(argv[0]);

	(void)argc;
	if (format && s->set.compare && !format->apart)
		return refuse_sum(argv[0], err);
	if (format && !s->model.metrics.len) {
		strbuf_addf(err,
			    "the recording has no metric: there is nothing to export");
		return CMD_FAILED;
	}
	if (format && format->write_file)
		return write_database(s, format, argv[1], err);
	if (format)
		return command_status(write_file(s, format, argv[1]),
				      strcmp(argv[1], "-") ? argv[1] : "standard output",
				      err);
	refuse(argv[0], err);
	return CMD_USAGE;
}

const struct cmd cmd_export = {
	.name = "export",
	.args = "FORM FILE",
	.help = "the tree, or all samples, for other programs",
	.values = words + 1, /* no blank first */
	.group = GROUP_EXPORT,
	.example = "export collapsed out.folded",
	.run = run_export,
};
