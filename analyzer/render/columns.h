/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a table in columns below their headings, for a terminal; text.c adds the
 * text around them.
 *
 * A column is a group of parts, one for each shown part of an estimate, and as wide as
 * its title, its unit and its widest cell.  If a line is too long for the terminal, texts
 * are shortened, the widest first; numbers and headings never are.
 */
#ifndef RENDER_COLUMNS_H
#define RENDER_COLUMNS_H

#include "render/render.h"

void render_columns(struct table *table, struct text_style style, struct stream *out);

#endif
