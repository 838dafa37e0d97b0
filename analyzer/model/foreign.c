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

/* What spreadsheets take for the beginning of a formula; they know the wide forms, too. */
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

/* A tab at the beginning is a formula's, too, and a separator's elsewhere. */
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

json_object *foreign_json(struct foreign text)
{
	struct strbuf clean = { 0 };
	json_object *value;

	utf8_clean(&clean, text.inside);
	value = json_object_new_string(strbuf_str(&clean));
	strbuf_release(&clean);
	return value;
}

void foreign_json_add(json_object *object, struct foreign key, json_object *value)
{
	struct strbuf clean = { 0 };

	utf8_clean(&clean, key.inside);
	json_object_object_add(object, strbuf_str(&clean), value);
	strbuf_release(&clean);
}

void foreign_put_json(struct strbuf *out, json_object *value, int flags)
{
	utf8_escape(out, json_object_to_json_string_ext(value, flags));
}
