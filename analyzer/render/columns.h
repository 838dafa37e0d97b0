/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a table in columns below their headings, as a terminal shows them; what
 * stands around them is render_text.c's.
 *
 * A column is a group of parts, as many as an estimate shows of itself, and as wide as
 * its title, its unit and its widest cell.  Where a line is too long for the terminal,
 * texts give way, the widest first; numbers and headings never do.
 */
#ifndef RENDER_COLUMNS_H
#define RENDER_COLUMNS_H

#include "render/render.h"

void render_columns(struct table *table, struct text_style style, struct stream *out);

#endif
