/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csingle, cprepend, cappend, crmfirst, crmlast: callers and callees of a function, and
 * of a fragment of a stack, which is built function by function.
 */
#include <stdint.h>

#include "rows/call_table.h"
#include "rows/compare_calls.h"
#include "rows/function_match.h"
#include "views/views.h"

static int show_fragment(struct session *s, struct strbuf *err)
{
	const struct fragment *fragment = &s->fragment;
	const struct tree *tree;
	struct call_table t;
	int error;

	if (s->set.compare)
		return compare_calls_show(s, fragment, err);
	call_table_init(&t, s);
	tree = &session_analysis(s, ANALYSIS_TREE)->tree;
	callers_build_fragment(&t.callers, tree, s->model.functions.len, fragment->data,
			       fragment->len);
	call_table_add(&t, fragment->data, fragment->len, true);
	if (!t.callers.edges.len)
		strbuf_addstr(&t.table.note, "no stack has this sequence");
	error = session_show(s, &t.table);
	call_table_release(&t);
	return command_shown(s, error, err);
}

/*
 * Shows NEXT as the fragment from now on, and empties it; if it cannot be shown, the
 * fragment stays as it was.
 */
static int change_fragment(struct session *s, struct fragment *next, struct strbuf *err)
{
	struct fragment before = s->fragment;
	int status;

	s->fragment = *next;
	status = show_fragment(s, err);
	*next = status ? s->fragment : before;
	if (status)
		s->fragment = before;
	vec_release(next);
	return status;
}

/* Adds the session's fragment to OUT, without the function at SKIPPED. */
static void add_fragment(const struct session *s, size_t skipped, struct fragment *out)
{
	for (size_t i = 0; i < s->fragment.len; i++)
		if (i != skipped)
			*vec_push(out) = s->fragment.data[i];
}

static int run_csingle(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct fragment next = { 0 };
	uint32_t function;
	int status = function_argument(s, argc, argv, &function, err);

	if (status)
		return status;
	*vec_push(&next) = function;
	return change_fragment(s, &next, err);
}

const struct cmd cmd_csingle = {
	.name = "csingle",
	.args = "F [N]",
	.help = "callers and callees of F; N: which of several",
	.group = GROUP_FIND,
	.example = "csingle main",
	.run = run_csingle,
};

/* Adds the function that the words name, BEFORE the fragment or after it. */
static int extend(struct session *s, int argc, char **argv, bool before,
		  struct strbuf *err)
{
	struct fragment next = { 0 };
	uint32_t function;
	int status = function_argument(s, argc, argv, &function, err);

	if (status)
		return status;
	if (before)
		*vec_push(&next) = function;
	add_fragment(s, SIZE_MAX, &next);
	if (!before)
		*vec_push(&next) = function;
	return change_fragment(s, &next, err);
}

static int run_cprepend(struct session *s, int argc, char **argv, struct strbuf *err)
{
	return extend(s, argc, argv, true, err);
}

const struct cmd cmd_cprepend = {
	.name = "cprepend",
	.args = "F [N]",
	.help = "csingle of a stack fragment, with F before it",
	.group = GROUP_FIND,
	.example = "cprepend main",
	.run = run_cprepend,
};

static int run_cappend(struct session *s, int argc, char **argv, struct strbuf *err)
{
	return extend(s, argc, argv, false, err);
}

const struct cmd cmd_cappend = {
	.name = "cappend",
	.args = "F [N]",
	.help = "csingle of a stack fragment, with F after it",
	.group = GROUP_FIND,
	.example = "cappend main",
	.run = run_cappend,
};

/* Removes the function at AT; the last one stays. */
static int take_away(struct session *s, size_t at, struct strbuf *err)
{
	struct fragment next = { 0 };

	if (s->fragment.len < 2) {
		strbuf_addstr(err, s->fragment.len
					   ? "the stack fragment has only one function"
					   : "there is no stack fragment: csingle "
					     "begins one");
		return CMD_FAILED;
	}
	add_fragment(s, at, &next);
	return change_fragment(s, &next, err);
}

static int run_crmfirst(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return take_away(s, 0, err);
}

const struct cmd cmd_crmfirst = {
	.name = "crmfirst",
	.args = "",
	.help = "csingle without the fragment's first function",
	.group = GROUP_FIND,
	.run = run_crmfirst,
};

static int run_crmlast(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return take_away(s, s->fragment.len ? s->fragment.len - 1 : 0, err);
}

const struct cmd cmd_crmlast = {
	.name = "crmlast",
	.args = "",
	.help = "csingle without the fragment's last function",
	.group = GROUP_FIND,
	.run = run_crmlast,
};
