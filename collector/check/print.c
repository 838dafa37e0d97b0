/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of collect --check, as text and as JSON. */
#include <json-c/json.h>
#include <string.h>

#include "check/check.h"

enum { WIDTH = 90, NAME_WIDTH = 18, INDENT = 2 + NAME_WIDTH + 8 };

static const char *const answers[] = {
	[CHECK_NO] = "no",
	[CHECK_PARTLY] = "partly",
	[CHECK_YES] = "yes",
};

static enum check_answer answer_to(const struct check *check, const char *name)
{
	vec_for_each(const struct check_line, line, &check->lines)
		if (!strcmp(line->name, name))
			return line->answer;
	return CHECK_NO;
}

/* The verdict in one sentence, with which text and JSON begin. */
static void put_verdict(const struct check *check, struct strbuf *out)
{
	if (!check->usable) {
		strbuf_addstr(out, "nothing can be recorded here");
		return;
	}
	strbuf_addf(out, "programs can be recorded here, by %s, %s",
		    answer_to(check, "counters") ? "hardware counters and the CPU clock"
						 : "the CPU clock",
		    answer_to(check, "kernel samples") ? "the kernel's part too"
						       : "without the kernel's part");
	if (!answer_to(check, "cfi"))
		strbuf_addstr(out, ", with stacks by frame pointers alone");
}

/* Wraps TEXT at words; lines after the first are indented. */
static void add_wrapped(const char *text, size_t at, struct strbuf *out)
{
	while (*text) {
		size_t word = strcspn(text, " ");

		if (at > INDENT && at + 1 + word > WIDTH) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', INDENT);
			at = INDENT;
		} else if (at > INDENT) {
			strbuf_addch(out, ' ');
			at++;
		}
		strbuf_add(out, text, word);
		at += word;
		text += word + strspn(text + word, " ");
	}
	strbuf_addch(out, '\n');
}

static void add_line(const struct check_line *line, struct strbuf *out)
{
	strbuf_addf(out, "  %-*s%-8s", NAME_WIDTH, line->name, answers[line->answer]);
	add_wrapped(strbuf_str(&line->found), INDENT, out);
	if (!line->remedy.len)
		return;
	strbuf_pad(out, ' ', INDENT - 3);
	/* unbroken, for copying */
	strbuf_addf(out, "-> %s\n", strbuf_str(&line->remedy));
}

void check_text(const struct check *check, struct strbuf *out)
{
	const char *group = "";

	put_verdict(check, out);
	strbuf_addstr(out, ".\n");
	vec_for_each(const struct check_line, line, &check->lines) {
		if (strcmp(group, line->group) != 0)
			strbuf_addf(out, "\n%s\n", line->group);
		group = line->group;
		add_line(line, out);
	}
}

static void put_text(json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, json_object_new_string(text));
}

void check_json(const struct check *check, struct strbuf *out)
{
	const int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			  JSON_C_TO_STRING_NOSLASHESCAPE;
	json_object *doc = json_object_new_object(), *lines = json_object_new_array();
	struct strbuf verdict = { 0 };

	put_verdict(check, &verdict);
	put_text(doc, "schema", "ringprof-check/1");
	json_object_object_add(doc, "usable", json_object_new_boolean(check->usable));
	put_text(doc, "verdict", strbuf_str(&verdict));
	vec_for_each(const struct check_line, line, &check->lines) {
		json_object *o = json_object_new_object();

		put_text(o, "group", line->group);
		put_text(o, "name", line->name);
		put_text(o, "answer", answers[line->answer]);
		put_text(o, "found", strbuf_str(&line->found));
		put_text(o, "remedy", strbuf_str(&line->remedy));
		json_object_array_add(lines, o);
	}
	json_object_object_add(doc, "checks", lines);
	strbuf_addf(out, "%s\n", json_object_to_json_string_ext(doc, flags));
	json_object_put(doc);
	strbuf_release(&verdict);
}
