/* SPDX-License-Identifier: Apache-2.0 */
#include "model/foreign.h"

#include <string.h>

#include "base/utf8.h"

bool foreign_same(struct foreign a, struct foreign b)
{
	return !strcmp(a.inside, b.inside);
}

void foreign_put(struct strbuf *out, struct foreign text)
{
	utf8_printable(out, text.inside);
}

/* ---- HTML ---- */

static const char *reference_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void foreign_put_html(struct strbuf *out, struct foreign text)
{
	struct strbuf clean = { 0 };

	foreign_put(&clean, text);
	for (size_t i = 0; i < clean.len; i++) {
		const char *reference = reference_of(clean.data[i]);

		if (reference)
			strbuf_addstr(out, reference);
		else
			strbuf_addch(out, clean.data[i]);
	}
	strbuf_release(&clean);
}

/* ---- CSV ---- */

/* The characters that begin a formula in spreadsheets, also in their wide forms. */
static bool is_formula(const char *text)
{
	static const char *const starts[] = { "=",
					      "+",
					      "-",
					      "@",
					      "\xef\xbc\x9d",
					      "\xef\xbc\x8b",
					      "\xef\xbc\x8d",
					      "\xef\xbc\xa0" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (!strncmp(text, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* A leading tab may also begin a formula, and elsewhere be a separator. */
static bool is_risky(struct foreign text, const char *clean)
{
	return is_formula(clean) || *text.inside == '\t' || *text.inside == '\r';
}

void foreign_put_csv(struct strbuf *out, struct foreign text, char separator)
{
	const char special[] = { separator, '"', '\0' };
	struct strbuf clean = { 0 };
	const char *at;
	bool quoted;

	foreign_put(&clean, text);
	at = strbuf_str(&clean);
	quoted = at[strcspn(at, special)];
	if (quoted)
		strbuf_addch(out, '"');
	if (is_risky(text, at))
		strbuf_addch(out, '\'');
	for (; *at; at++) {
		if (*at == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, *at);
	}
	if (quoted)
		strbuf_addch(out, '"');
	strbuf_release(&clean);
}

/* ---- JSON ---- */

static bool is_plain_json(char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Escapes an ASCII character that JSON's strings cannot hold otherwise. */
static void put_json_escape(struct strbuf *out, char c)
{
	static const char letters[] = "\bb\nn\rr\tt\ff\"\"\\\\";

	for (size_t i = 0; letters[i]; i += 2)
		if (letters[i] == c) {
			strbuf_addch(out, '\\');
			strbuf_addch(out, letters[i + 1]);
			return;
		}
	strbuf_addf(out, "\\u%04x", (unsigned char)c);
}

void foreign_put_json(struct strbuf *out, struct foreign text)
{
	struct strbuf wide = { 0 };

	strbuf_addch(out, '"');
	for (const char *at = text.inside; *at;) {
		size_t len = 0;

		while (is_plain_json(at[len]))
			len++;
		strbuf_add(out, at, len);
		at += len;
		for (; *at && !is_plain_json(*at) && (unsigned char)*at < 0x80; at++)
			put_json_escape(out, *at);
		for (len = 0; (unsigned char)at[len] >= 0x80;)
			len++;
		strbuf_clear(&wide);
		strbuf_add(&wide, at, len);
		utf8_escape(out, strbuf_str(&wide));
		at += len;
	}
	strbuf_addch(out, '"');
	strbuf_release(&wide);
}
