/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Renders tables, row by row.  Renderers know types of columns, not their meaning, and
 * compute only widths and units.  They stop at the stream's first error.
 */
#ifndef RENDER_H
#define RENDER_H

#include "render/stream.h"
#include "tables/table.h"

/*
 * Aligned columns under their headings, in UTF-8.  WIDTH: of the terminal; the widest
 * texts are shortened so that lines fit; 0: lines stay whole.  ASCII: "..." marks an
 * omission, as the terminal lacks "…".  COLOUR: headings are bold, and rows have the
 * colour of their tone.  WHOLE_NAMES: those of functions are not shortened.  Control characters of names become '?'.
 */
struct text_style {
	unsigned width;
	bool ascii, colour, whole_names;
};

void render_text(struct table *table, struct text_style style, struct stream *out);

/* RFC 4180 with a header line of machine names; SEPARATOR instead of the comma. */
void render_csv(struct table *table, char separator, struct stream *out);

/* The same in two parts. */
void render_csv_header(const struct table *table, char separator, struct stream *out);
void render_csv_rows(struct table *table, char separator, struct stream *out);

/*
 * A part of a page, which html_page.h begins and ends.  WHOLE_NAMES: as above; else long
 * ones are shortened, and whole in a tooltip.
 */
void render_html(struct table *table, bool whole_names, struct stream *out);

/*
 * Objects, one a row, with commas and line ends between them; GOES_ON: before the first
 * too.  The caller writes the brackets.
 */
void render_json(struct table *table, bool goes_on, struct stream *out);

#endif
