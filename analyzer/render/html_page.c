/* SPDX-License-Identifier: Apache-2.0 */
#include "render/html_page.h"

#include "model/foreign.h"

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";

void html_page_begin(const char *title, struct strbuf *out)
{
	strbuf_addstr(out, head);
	strbuf_addstr(out, "<style>\n");
	strbuf_addstr(out, html_page_style);
	strbuf_addstr(out, "</style>\n<title>");
	foreign_put_html(out, foreign(title));
	strbuf_addstr(out, "</title>\n</head>\n<body>\n<h1>");
	foreign_put_html(out, foreign(title));
	strbuf_addstr(out, "</h1>\n<nav></nav>\n");
}

void html_page_end(struct strbuf *out)
{
	strbuf_addstr(out, "<script>\n");
	strbuf_addstr(out, html_page_script);
	strbuf_addstr(out, "</script>\n</body>\n</html>\n");
}
