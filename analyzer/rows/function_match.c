/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/function_match.h"

#include <string.h>

#include "session/cmd.h"
#include "rows/function_spelling.h"
#include "rows/function_table.h"
#include "base/nearest.h"

/* A longer list of candidates helps nobody. */
#define CANDIDATES_MAX 9

struct matches {
	uint32_t *data;
	size_t len, cap;
};

/* Those that TEXT names by the strictest spelling that any has. */
static enum spelling find_all(struct session *s, const struct ranks *functions,
			      const char *text, struct matches *out)
{
	enum spelling strictest = SPELLINGS;

	/* those that are named whole need no other look */
	vec_for_each(const struct rank, f, functions)
		if (spelling_of(s, f->id, text, SPELLING_WHOLE + 1) == SPELLING_WHOLE) {
			strictest = SPELLING_WHOLE;
			*vec_push(out) = f->id;
		}
	if (strictest == SPELLING_WHOLE)
		return strictest;
	vec_for_each(const struct rank, f, functions) {
		enum spelling spelling = strictest;

		/* the limit includes the strictest so far */
		if (spelling < SPELLINGS)
			spelling++;
		spelling = spelling_of(s, f->id, text, spelling);
		if (spelling > strictest || spelling == SPELLINGS)
			continue;
		if (spelling < strictest)
			out->len = 0;
		strictest = spelling;
		*vec_push(out) = f->id;
	}
	return strictest;
}

static const char *place_of(const struct session *s)
{
	if (hidden_any(&s->set.hidden))
		return "among those shown";
	return filter_is_set(&s->model.filter) ? "in the samples that are selected"
					       : "in the recording";
}

static int none_found(struct session *s, const struct ranks *functions, const char *text,
		      struct strbuf *err)
{
	struct nearest near;

	if (!strcmp(text, "<Total>")) {
		strbuf_addf(err, "%s stands for everything, and is not a function", text);
		return CMD_FAILED;
	}
	nearest_init(&near, text);
	vec_for_each(const struct rank, f, functions)
		nearest_offer(&near, session_function(s, f->id));
	strbuf_addf(err, "there is no function '%s' %s", text, place_of(s));
	if (near.count) {
		strbuf_addstr(err, "; did you mean ");
		nearest_join(&near, err);
		strbuf_addch(err, '?');
	} else if (hidden_any(&s->set.hidden)) {
		strbuf_addstr(
			err,
			"; functions of objects are merged, and 'object_show all' shows "
			"them");
	} else if (filter_is_set(&s->model.filter)) {
		strbuf_addstr(err, "; 'filters' shows which");
	} else {
		strbuf_addstr(err, "; 'functions' lists them all");
	}
	nearest_release(&near);
	return CMD_FAILED;
}

/* "init (libx.so)": its object, too, unless the name has it. */
static void put_candidate(struct session *s, uint32_t function, struct strbuf *out)
{
	const char *object = object_name(&s->model,
					 s->model.functions.data[function].object);
	const char *name = session_function(s, function), *tell = strrchr(name, '(');
	size_t len = strlen(object);

	strbuf_addstr(out, name);
	if (!tell || strncmp(tell + 1, object, len) != 0 ||
	    strcmp(tell + 1 + len, ")") != 0)
		strbuf_addf(out, " (%s)", object);
}

static int several_found(struct session *s, const struct matches *matches,
			 const char *text, struct strbuf *err)
{
	strbuf_addf(err, "'%s' matches %zu function%s; choose one by its number:", text,
		    matches->len, matches->len > 1 ? "s" : " alone");
	for (size_t i = 0; i < matches->len && i < CANDIDATES_MAX; i++) {
		strbuf_addf(err, "%s %zu ", i ? "," : "", i + 1);
		put_candidate(s, matches->data[i], err);
	}
	return CMD_FAILED;
}

/* While two sides are compared, functions that correspond are one. */
static void merge_counterparts(struct session *s, struct matches *matches)
{
	struct counterparts parts;
	size_t kept = 0;

	counterparts_functions(&parts, &s->model);
	for (size_t i = 0; i < matches->len; i++) {
		uint32_t row = parts.row.data[matches->data[i]];
		size_t j = 0;

		while (j < kept && parts.row.data[matches->data[j]] != row)
			j++;
		if (j == kept)
			matches->data[kept++] = matches->data[i];
	}
	matches->len = kept;
	counterparts_release(&parts);
}

/* As function_argument, of F and N; WHICH 0: not given. */
static int match_function(struct session *s, const char *text, size_t which,
			  uint32_t *out, struct strbuf *err)
{
	struct ranks functions;
	struct matches matches = { 0 };
	enum spelling spelling;
	int status = 0;

	strbuf_clear(&s->next_note);
	functions_ranked(s, &session_analysis(s, ANALYSIS_SUMS)->sums, NULL, &functions);
	spelling = find_all(s, &functions, text, &matches);
	if (s->set.compare)
		merge_counterparts(s, &matches);
	if (!matches.len)
		status = none_found(s, &functions, text, err);
	else if (which > matches.len || (!which && matches.len > 1))
		status = several_found(s, &matches, text, err);
	else
		*out = matches.data[which ? which - 1 : 0];
	if (!status && spelling_note(spelling))
		strbuf_addf(&s->next_note, "'%s' fits %s", text, spelling_note(spelling));
	vec_release(&functions);
	vec_release(&matches);
	return status;
}

int function_argument(struct session *s, int argc, char **argv, uint32_t *out,
		      struct strbuf *err)
{
	size_t which = 0;

	if (argc > 1 && (!command_number(argv[1], &which) || !which)) {
		strbuf_addf(err,
			    "choose one of the functions '%s' by a number from 1, not "
			    "'%s'; quote a name with blanks",
			    argv[0], argv[1]);
		return CMD_USAGE;
	}
	return match_function(s, argv[0], which, out, err);
}
