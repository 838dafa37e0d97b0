/* SPDX-License-Identifier: Apache-2.0 */
#include "shell/greeting.h"

#include "base/utf8.h"
#include "model/run.h"
#include "render/text_fit.h"

#include <stdlib.h>

/* Experiments with a line of their own; columns if the terminal does not tell; the least. */
enum { SHOWN_MAX = 5, WIDTH_DEFAULT = 100, WIDTH_MIN = 20 };

/* "test.1.er: ./a.out -x, 3.215 s, 1234 samples": a long command line is cut. */
static void put_source(const struct session *s, size_t source, struct strbuf *out)
{
	struct text_style style = s->out.style;
	struct strbuf before = { 0 }, after = { 0 }, subject = { 0 };
	struct run run;
	char *text;
	size_t room = style.width ? style.width : WIDTH_DEFAULT, used;

	run_read(&run, &s->model, source);
	text = run_subject(&run);
	utf8_printable(&before, run.exp->path);
	strbuf_addstr(&before, ": ");
	utf8_printable(&subject, text);
	strbuf_addf(&after, ", %.3f s, ", run.duration_s);
	run_put_samples(&run, &after);
	used = utf8_length(before.data) + utf8_length(after.data);
	room = used + WIDTH_MIN < room ? room - used : WIDTH_MIN;
	strbuf_addstr(out, before.data);
	text_put_shortened(
		out, strbuf_str(&subject), room,
		(struct text_cut){ .at_end = true, .mark = style.ascii ? "..." : "…" });
	strbuf_addf(out, "%s\n", after.data);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&subject);
	free(text);
	run_release(&run);
}

void greeting_put(const struct session *s, struct strbuf *out)
{
	size_t sources = s->model.sources.len;
	size_t shown = sources <= SHOWN_MAX ? sources : SHOWN_MAX - 1;

	for (size_t i = 0; i < shown; i++)
		put_source(s, i, out);
	if (shown < sources)
		strbuf_addf(out, "and %zu more; see experiment_list\n", sources - shown);
	strbuf_addstr(out, sources ? "Begin with overview, functions or calltree; help "
				     "lists all commands.\n"
				   : "No experiment is open; add_exp NAME opens one.\n");
}
