/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The destination and form of answers.
 *
 * Text, CSV and HTML are written table by table; an HTML page begins with the first table,
 * or continues the page in an existing file.  JSON is one document: tables are collected,
 * and the document is written when the output closes (the end of the session, another
 * file, another form), which also ends a page.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/model.h"
#include "render/mistakes.h"
#include "render/pager.h"
#include "render/render.h"
#include "render/report.h"
#include "tables/table.h"

enum print_mode { PRINT_TEXT, PRINT_CSV, PRINT_JSON, PRINT_HTML };

struct output {
	FILE *file;
	char *path; /* NULL: stdout */
	enum print_mode mode;
	char separator;          /* of PRINT_CSV */
	struct text_style style; /* of the terminal, if stdout is one */
	bool paging;             /* use a pager on a terminal */
	struct pager pager;
	bool page;             /* a page of HTML has begun, and must be ended */
	bool started;          /* something was written: a blank line precedes the next */
	struct report *report; /* views so far; NULL: none */
	struct mistakes mistakes; /* for the next report */
	int write_error;          /* the first of these answers; 0 or a negative errno */
	bool spool_failed;        /* a view that waited was lost; writing did not fail */
};

void output_init(struct output *out);

/* Whether tables become part of a page of HTML, which has room for more columns. */
static inline bool output_is_page(const struct output *out)
{
	return out->mode == PRINT_HTML;
}

/* Closes the file without checking for errors: call output_finish before. */
void output_release(struct output *out);

/* 0 or a negative errno. */
int output_table(struct output *out, const struct model *model, struct table *table)
	__attribute__((warn_unused_result));

/*
 * Writes everything held back to the file; the next answers start anew.  0 or a negative
 * errno.
 */
int output_finish(struct output *out, const struct model *model)
	__attribute__((warn_unused_result));

/* The answer on a terminal is complete: waits for the pager.  0 or a negative errno. */
int output_end_page(struct output *out) __attribute__((warn_unused_result));

/*
 * Where later answers may go: PATH, or stdout if that is NULL.  0 or a negative errno.
 * An existing file keeps its content, as it may be the one that answers go to now, until
 * the caller passes *FILE to output_redirect.
 */
int output_open(const char *path, bool append, FILE **file)
	__attribute__((warn_unused_result));

/* Later answers go to FILE of output_open for PATH, which is emptied unless APPEND. */
int output_redirect(struct output *out, const char *path, bool append, FILE *file)
	__attribute__((warn_unused_result));

/*
 * For messages: "standard output", the file's path, or the directory for views that wait.
 */
const char *output_name(const struct output *out);

#endif
