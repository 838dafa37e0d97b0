/* SPDX-License-Identifier: Apache-2.0 */
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include "model/foreign.h"
#include "model/run.h"
#include "page/base64.h"
#include "page/base85.h"
#include "page/data.h"
#include "page/encode.h"
#include "page/sha256.h"
#include "page/summary.h"
#include "render/gzip.h"

/* As a policy names a script: 'sha256-…'. */
static void put_digest(const char *text, struct strbuf *out)
{
	unsigned char digest[SHA256_BYTES];

	sha256(text, strlen(text), digest);
	strbuf_addstr(out, "'sha256-");
	base64_put(digest, sizeof(digest), out);
	strbuf_addch(out, '\'');
}

/* An icon of no bytes: or browsers ask a server for one. */
static void put_head(const char *title, struct strbuf *out)
{
	strbuf_addstr(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			   "<meta charset=\"utf-8\">\n"
			   "<meta http-equiv=\"Content-Security-Policy\" content=\""
			   "default-src 'none'; base-uri 'none'; form-action 'none'; "
			   "img-src data:; script-src ");
	put_digest(page_script, out);
	strbuf_addstr(out, "; style-src ");
	put_digest(page_style, out);
	strbuf_addstr(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
			   "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n"
			   "<title>");
	foreign_put_html(out, foreign(title));
	strbuf_addstr(out, "</title>\n<style>");
	strbuf_addstr(out, page_style);
	strbuf_addstr(out, "</style>\n</head>\n");
}

static void put_body(const char *title, const struct page_data *data, struct strbuf *out)
{
	strbuf_addstr(out, "<body>\n<header><h1>");
	foreign_put_html(out, foreign(title));
	strbuf_addstr(out,
		      "</h1></header>\n<main id=\"app\">\n<section id=\"summary\">\n");
	page_summary(data, out);
	strbuf_addstr(out, "</section>\n</main>\n");
}

static void put_data(const struct page_data *data, struct stream *out)
{
	struct base85 base85 = { .out = out };
	struct stream packed = { .write = base85_write, .ctx = &base85 };
	struct gzip gzip;

	strbuf_addstr(&out->text,
		      "<script type=\"application/octet-stream\" id=\"data\">");
	gzip_begin(&gzip, &packed);
	page_encode(data, &gzip);
	gzip_end(&gzip);
	/* an error stays with OUT */
	(void)!stream_end(&packed);
	base85_end(&base85);
	strbuf_addstr(&out->text, "</script>\n");
}

/* "Profile of ./a.out", or of several; some recordings lack the command. */
static void make_title(const struct model *model, struct page_strip *strip,
		       struct strbuf *out)
{
	struct run run;
	char *subject;

	strbuf_addstr(out, "Profile of ");
	if (model->sources.len > 1)
		strbuf_addf(out, "%zu experiments: ", model->sources.len);
	run_read(&run, model, 0);
	subject = run_subject(&run);
	strbuf_addstr(out, *subject ? page_strip_command(strip, subject)
				    : page_strip_path(strip, run.exp->path));
	if (model->sources.len > 1)
		strbuf_addstr(out, ", …");
	free(subject);
	run_release(&run);
}

void page_write(struct session *s, struct stream *out, bool strip)
{
	struct strbuf title = { 0 };
	struct page_data data;

	page_data_read(&data, s, strip);
	make_title(&s->model, &data.strip, &title);
	put_head(strbuf_str(&title), &out->text);
	put_body(strbuf_str(&title), &data, &out->text);
	put_data(&data, out);
	strbuf_addstr(&out->text, "<script>");
	strbuf_addstr(&out->text, page_script);
	strbuf_addstr(&out->text, "</script>\n</body>\n</html>\n");
	stream_pass(out);
	page_data_release(&data);
	strbuf_release(&title);
}
