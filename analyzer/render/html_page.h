/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTML page around tables, with its own style and script, which loads nothing from
 * elsewhere, and is forbidden to.  Light or dark by the browser's setting; a click on a
 * heading sorts by its column, branches of trees fold, and functions are found by links
 * and a search.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "base/strbuf.h"

/* Everything up to the first table; TITLE may be any bytes. */
void html_page_begin(const char *title, struct strbuf *out);

void html_page_end(struct strbuf *out);

/* Of page.css and page.js: the build makes page_files.c of them. */
extern const char html_page_style[], html_page_script[];

#endif
