/* SPDX-License-Identifier: Apache-2.0 */
/* source: a file with the metrics of its lines. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rows/annotated.h"
#include "elf/debuginfod.h"
#include "rows/function_match.h"
#include "rows/source_file.h"
#include "rows/source_open.h"
#include "views/views.h"
#include "base/xalloc.h"

/* ---- the file ---- */

static int no_lines(struct session *s, const struct sites *sites, uint32_t function,
		    struct strbuf *err)
{
	strbuf_addf(err, "there are no lines of '%s': ", session_function(s, function));
	sites_explain(sites, &s->model, s->model.functions.data[function].object, err);
	return CMD_FAILED;
}

static struct source_wanted wanted_of(const struct session *s, const struct sites *sites,
				      uint32_t function, uint32_t file)
{
	uint32_t object = s->model.functions.data[function].object;

	return (struct source_wanted){
		model_string(&s->model, file),
		model_string(&s->model, sites->objects.data[object].build_id),
	};
}

static int no_source(const struct session *s, const char *recorded, struct strbuf *err)
{
	const char *trouble = debuginfod_trouble(s->model.search.online);

	strbuf_addf(err,
		    "the source file %s does not exist; name the directory above it by "
		    "'setpath DIR', or its directory's new place by 'pathmap OLD NEW'",
		    recorded);
	if (trouble)
		strbuf_addf(err, "; the server in DEBUGINFOD_URLS %s", trouble);
	return CMD_FAILED;
}

static int not_shown(const char *path, int error, struct strbuf *err)
{
	strbuf_addf(err, "%s, which the recording names, is not shown: %s", path,
		    error == -EILSEQ ? "it is not text"
				     : "not everybody may read it, and you are root; "
				       "--trust shows it");
	return CMD_FAILED;
}

static int read_source(struct session *s, const struct source_wanted *wanted,
		       struct strbuf *path, struct source_text *text, struct strbuf *err)
{
	int fd = source_open(s, wanted, path), error = fd;

	if (fd == -ENOENT)
		return no_source(s, wanted->recorded, err);
	if (fd == -EPERM || fd == -EILSEQ)
		return not_shown(path->data, fd, err);
	if (fd >= 0) {
		error = source_text_read(text, fd);
		close(fd);
	}
	return command_status(error, path->data, err);
}

/* ---- its lines ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * While two sides are compared, FILE may have another path in the other's build: one with
 * the same last part, and lines of functions that match some with lines here.
 */
static void find_counterparts(const struct session *s, const struct sites *sites,
			      uint32_t file, bool *of_file)
{
	const char *name = base_name(model_string(&s->model, file));
	struct counterparts functions;
	bool *here;

	counterparts_functions(&functions, &s->model);
	here = xcalloc(counterparts_rows(&functions) + 1, sizeof(*here));
	vec_for_each(const struct site, site, &sites->sites)
		here[functions.row.data[site->function]] |= site->file == file;
	for (size_t g = 0; g < sites->sites.len; g++) {
		const struct site *site = &sites->sites.data[g];

		of_file[g] |= here[functions.row.data[site->function]] &&
			      !strcmp(base_name(model_string(&s->model, site->file)),
				      name);
	}
	counterparts_release(&functions);
	free(here);
}

/* Whether each site is of FILE.  The caller frees it. */
static bool *sites_of_file(const struct session *s, const struct sites *sites,
			   uint32_t file)
{
	bool *of_file = xcalloc(sites->sites.len + 1, sizeof(*of_file));

	for (size_t g = 0; g < sites->sites.len; g++)
		of_file[g] = sites->sites.data[g].file == file;
	if (s->set.compare)
		find_counterparts(s, sites, file, of_file);
	return of_file;
}

/*
 * Group 0 is everything but this file's lines.  Lines beyond the text, as in a changed
 * file, must not enlarge the table.
 */
static void sum_lines(const struct session *s, const struct sites *sites,
		      const struct source_text *text, uint32_t file, struct sums *out)
{
	uint32_t *line_of = xcalloc(sites->sites.len + 1, sizeof(*line_of));
	bool *of_file = sites_of_file(s, sites, file);

	for (size_t g = 0; g < sites->sites.len; g++) {
		uint32_t line = sites->sites.data[g].line;

		line_of[g] = of_file[g] && line <= text->lines.len ? line : 0;
	}
	sums_build_grouped(out, &s->model, &sites->map, line_of, text->lines.len + 1,
			   s->set.compare != COMPARE_OFF);
	free(of_file);
	free(line_of);
}

static int show_source(struct session *s, const struct source_text *text,
		       const struct sums *sums, const char *path, uint32_t object,
		       struct strbuf *err)
{
	static const struct annotated_kind kind = { "source", "compare_source" };
	struct annotated a;
	struct strbuf line = { 0 };
	int status = annotated_init(&a, s, &kind, sums, s->set.source_threshold, err);

	if (status)
		return status;
	table_column(a.table, "line", "Line", COLUMN_NUMBER);
	table_code_column(a.table, "text", "Source");
	annotated_end_columns(&a);
	table_set_title(a.table, xasprintf("Source of %s", path));
	for (uint32_t n = 1; n <= text->lines.len; n++) {
		annotated_begin(&a, n);
		source_text_line(text, n, &line);
		table_add_number(a.table, n);
		table_add_text(a.table, strbuf_str(&line));
		annotated_end(&a, n);
	}
	if (source_is_newer(path, &s->model.sources.data[0].exp->log))
		strbuf_addf(&a.table->note, "the file was changed after the recording "
					    "began: metrics may be on wrong lines");
	if (s->set.compare)
		counterparts_note_builds(&s->model, object, &a.table->note);
	strbuf_release(&line);
	return annotated_show(&a, err);
}

/* A function, which names its file, or a file with any of its functions. */
static int source_argument(struct session *s, const struct sites *sites, int argc,
			   char **argv, uint32_t *function, uint32_t *file,
			   struct strbuf *err)
{
	int status = argc > 1 ? 0
			      : source_file_named(s, sites, argv[0], file, function, err);

	if (status || (argc < 2 && *file))
		return status ? CMD_FAILED : 0;
	status = function_argument(s, argc, argv, function, err);
	if (!status)
		*file = source_file_of(s, sites, *function);
	return status;
}

static int run_source(struct session *s, int argc, char **argv, struct strbuf *err)
{
	const struct sites *sites = &session_analysis(s, ANALYSIS_SITES)->sites;
	struct source_text text = { 0 };
	struct strbuf path = { 0 };
	struct sums sums;
	struct source_wanted wanted;
	uint32_t function, file;
	int status = source_argument(s, sites, argc, argv, &function, &file, err);

	if (status)
		return status;
	wanted = wanted_of(s, sites, function, file);
	if (!file)
		status = no_lines(s, sites, function, err);
	else
		status = read_source(s, &wanted, &path, &text, err);
	if (!status) {
		sum_lines(s, sites, &text, file, &sums);
		status = show_source(s, &text, &sums, path.data,
				     s->model.functions.data[function].object, err);
		sums_release(&sums);
	}
	source_text_release(&text);
	strbuf_release(&path);
	return status;
}

const struct cmd cmd_source = {
	.name = "source",
	.args = "F [N]",
	.help = "the source file of F, or called F, with its metrics",
	.group = GROUP_FIND,
	.example = "source main",
	.run = run_source,
};
