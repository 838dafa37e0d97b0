/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables as bytes.  Renderers know types of columns, not what stands in them, and compute
 * nothing but widths and units.
 */
#ifndef RENDER_H
#define RENDER_H

#include "base/strbuf.h"
#include "tables/table.h"

/*
 * Aligned columns under their headings, in UTF-8.  WIDTH: of the terminal, which lines
 * are made to fit by shortening the widest texts; 0: leave them whole.  ASCII: what was
 * left out is "...", as the terminal does not know "…".  COLOUR: headings are bold, and
 * rows have the colour of their tone.  Control characters of names become '?'.
 */
struct text_style {
	unsigned width;
	bool ascii, colour;
};

void render_text(const struct table *table, struct text_style style, struct strbuf *out);

/* RFC 4180 with a header line of machine names; SEPARATOR in the place of the comma. */
void render_csv(const struct table *table, char separator, struct strbuf *out);

/* A part of a page, which html_page.h begins and ends. */
void render_html(const struct table *table, struct strbuf *out);

/*
 * Objects, one a row, with commas and line ends between them; before the first too, where
 * OUT has some already.  The brackets are the caller's.
 */
void render_json(const struct table *table, struct strbuf *out);

#endif
