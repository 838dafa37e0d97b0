/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/name_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/operator_name.h"

/* A component of the qualified name: std, vector<int>, push_back<char>. */
struct component {
	size_t from, to;
	size_t word; /* where its identifier ends, and arguments may begin */
};

struct scan {
	const char *name;
	size_t len;
	size_t *partner; /* of a bracket the other one's offset; else NO_PARTNER */
	VEC(struct component) components;
	struct name_parts *out;
};

#define NO_PARTNER SIZE_MAX

/* ---- brackets ---- */

static bool opens(const char *name, size_t i)
{
	bool behind_call = i >= 10 && !strncmp(name + i - 10, "operator()", 10);

	if (name[i] != '<')
		return name[i] && strchr("([{", name[i]);
	/* else less-than, in an expression */
	return (behind_call || !i || name[i - 1] != ')') && name[i + 1] != ' ' &&
	       name[i + 1] != '=';
}

static char opening_of(char closing)
{
	static const char pairs[] = ")(][}{><";
	const char *at = closing ? strchr(pairs, closing) : NULL;

	return at && (at - pairs) % 2 == 0 ? at[1] : '\0';
}

/* Closes the innermost OPENING; less-than signs above it were none of brackets. */
static void close_bracket(struct scan *scan, size_t *stack, size_t *depth, size_t i)
{
	char opening = opening_of(scan->name[i]);
	size_t top = *depth;

	while (opening != '<' && top && scan->name[stack[top - 1]] == '<')
		top--;
	if (!top || scan->name[stack[top - 1]] != opening)
		return;
	*depth = top - 1;
	scan->partner[stack[*depth]] = i;
	scan->partner[i] = stack[*depth];
}

static void find_brackets(struct scan *scan)
{
	size_t *stack = xcalloc(scan->len + 1, sizeof(*stack)), depth = 0;

	for (size_t i = 0; i < scan->len; i++)
		scan->partner[i] = NO_PARTNER;
	for (size_t i = 0; i < scan->len; i++) {
		size_t skip = name_operator_len(scan->name, scan->name + i);

		if (skip)
			i += skip - 1;
		else if (opens(scan->name, i))
			stack[depth++] = i;
		else if (opening_of(scan->name[i]) &&
			 !(scan->name[i] == '>' && i && scan->name[i - 1] == '-'))
			close_bracket(scan, stack, &depth, i);
	}
	free(stack);
}

static bool is_open(const struct scan *scan, size_t i)
{
	return scan->partner[i] != NO_PARTNER && scan->partner[i] > i;
}

static bool is_closed(const struct scan *scan, size_t i)
{
	return scan->partner[i] != NO_PARTNER && scan->partner[i] < i;
}

/* Brackets that are a word of a name. */
static bool is_word_group(const struct scan *scan, size_t i)
{
	return scan->name[i] == '{' ||
	       !strncmp(scan->name + i, "(anonymous namespace)", 21);
}

static void keep_groups(struct scan *scan)
{
	size_t depth = 0;

	for (size_t i = 0; i < scan->len; i++) {
		if (is_closed(scan, i))
			depth--;
		if (!is_open(scan, i))
			continue;
		if (!is_word_group(scan, i))
			*vec_push(&scan->out->groups) =
				(struct name_group){ i, scan->partner[i] + 1, depth };
		depth++;
	}
}

/* ---- the ends of the qualified name ---- */

/* JS:*fib /tmp/w.js:1:13, JS:~run node:internal/timers:499:25, py::fib:/tmp/w.py */
static bool is_place(const struct scan *scan, size_t i)
{
	static const char *const starts[] = { " /",    ":/", " node:", " file:",
					      " http", " [", " + 0x",  ", line " };

	for (size_t k = 0; k < sizeof(starts) / sizeof(starts[0]); k++)
		if (!strncmp(scan->name + i, starts[k], strlen(starts[k])) &&
		    scan->name[i + strlen(starts[k])] != ':') /* node::Start */
			return true;
	return false;
}

static size_t find_place(const struct scan *scan)
{
	for (size_t i = 1; i < scan->len; i++) {
		if (is_place(scan, i))
			return i;
		if (is_open(scan, i))
			i = scan->partner[i];
	}
	return scan->len;
}

/* Swift's result: f(x: Int) -> Int */
static size_t without_result(const struct scan *scan, size_t end)
{
	for (size_t i = 0; i < end; i++) {
		if (i && !strncmp(scan->name + i, " -> ", 4))
			return i;
		if (is_open(scan, i))
			i = scan->partner[i];
	}
	return end;
}

/* The end without what follows parameters: " const", " &&", " (util.c:12)". */
static size_t without_qualifiers(const struct scan *scan, size_t end)
{
	static const char *const words[] = { " const",    " volatile", " restrict",
					     " noexcept", " &&",       " &" };
	size_t before = 0;

	while (before != end) {
		before = end;
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
			size_t len = strlen(words[k]);

			if (end > len && !strncmp(scan->name + end - len, words[k], len))
				end -= len;
		}
		if (end && is_closed(scan, end - 1)) {
			size_t open = scan->partner[end - 1];

			if (open > 1 && scan->name[open] == '(' &&
			    scan->name[open - 1] == ' ')
				end = open - 1;
		}
	}
	return end;
}

/* ---- components ---- */

/* The end of the operator's name at I: operator<<, operator new, operator std::string. */
static size_t operator_end(const struct scan *scan, size_t i, size_t end)
{
	size_t len = name_operator_len(scan->name, scan->name + i);

	if (len) /* "operator< <int>" */
		return i + len +
		       (scan->name[i + len] == ' ' && scan->name[i + len + 1] == '<');
	i += strlen("operator");
	if (scan->name[i] == '[')
		return i + 2 < end ? i + 2 : end;
	while (i < end && scan->name[i] != '(') {
		bool is_sign = !name_is_word(scan->name[i]) && scan->name[i] != ' ';

		if (is_sign && scan->name[i + 1] == '<')
			return i + 1;
		i = is_open(scan, i) ? scan->partner[i] + 1 : i + 1;
	}
	return i;
}

static struct component *last_component(struct scan *scan)
{
	return &scan->components.data[scan->components.len - 1];
}

static void begin_component(struct scan *scan, size_t at)
{
	*vec_push(&scan->components) = (struct component){ at, at, 0 };
}

/* A bracket at I ends the identifier, unless the component begins with it. */
static void pass_group(struct scan *scan, size_t i)
{
	struct component *last = last_component(scan);

	if (last->from != i && !last->word)
		last->word = i;
}

/* Rust's arguments, as in collect::<Vec<u8>>; only <impl T for S> is a component. */
static bool is_turbofish(const struct scan *scan, size_t i)
{
	const char *group = scan->name + i + 2;

	return *group == '<' && is_open(scan, i + 2) && strncmp(group, "<impl ", 6) != 0;
}

/* Splits the chain from START at "::" if it has any, else at dots and slashes. */
static void split(struct scan *scan, size_t start, bool dotted)
{
	size_t end = scan->out->end, i = start;

	begin_component(scan, start);
	while (i < end) {
		if (name_has_operator(scan->name, scan->name + i)) {
			i = operator_end(scan, i, end);
			last_component(scan)->word = i;
		} else if (is_open(scan, i)) {
			pass_group(scan, i);
			i = scan->partner[i] + 1;
		} else if (!dotted && !strncmp(scan->name + i, "::", 2) &&
			   is_turbofish(scan, i)) {
			pass_group(scan, i);
			i += 2;
		} else if (!dotted && !strncmp(scan->name + i, "::", 2)) {
			last_component(scan)->to = i;
			begin_component(scan, i += 2);
		} else if (dotted && strchr("./", scan->name[i])) {
			last_component(scan)->to = i;
			begin_component(scan, ++i);
		} else {
			i++;
		}
	}
	last_component(scan)->to = end;
	vec_for_each(struct component, c, &scan->components)
		c->word = c->word && c->word < c->to ? c->word : c->to;
}

/* Where the qualified name starts, and whether it has "::". */
static size_t find_chain(const struct scan *scan, bool *scoped)
{
	size_t chain = 0, i = 0;

	*scoped = false;
	while (i < scan->out->end) {
		if (name_has_operator(scan->name, scan->name + i)) {
			i = operator_end(scan, i, scan->out->end);
		} else if (is_open(scan, i)) {
			i = scan->partner[i] + 1;
		} else if (scan->name[i] == ' ' && i + 1 < scan->out->end) {
			chain = ++i;
			*scoped = false;
		} else {
			*scoped |= i > chain && !strncmp(scan->name + i, "::", 2);
			i++;
		}
	}
	return chain;
}

/* A component that names nothing alone: {lambda()#1}, Go's func1, gcc's isra and 0. */
static bool needs_previous(const struct scan *scan, const struct component *c,
			   bool dotted)
{
	static const char *const suffixes[] = { "func", "gowrap",   "deferwrap",
						"isra", "part",     "constprop",
						"cold", "lto_priv", "llvm",
						"clone" };
	const char *text = scan->name + c->from;
	size_t len = c->to - c->from;

	if (!dotted)
		return *text == '{' || !strncmp(text, "operator()", 10);
	for (size_t k = 0; k < sizeof(suffixes) / sizeof(suffixes[0]); k++) {
		size_t word = strlen(suffixes[k]);

		if (len >= word && !strncmp(text, suffixes[k], word))
			return word + strspn(text + word, "0123456789-") >= len;
	}
	return strspn(text, "0123456789") >= len;
}

/* The identifier; of {lambda(int)#1} without the parameters. */
static void add_own(struct scan *scan, size_t from, const struct component *c)
{
	struct name_parts *out = scan->out;
	size_t open = c->from;

	while (scan->name[c->from] == '{' && open < c->word && scan->name[open] != '(')
		open++;
	if (open > c->from && open < c->word && is_open(scan, open)) {
		*vec_push(&out->own) = (struct name_range){ from, open + 1 };
		*vec_push(&out->own) = (struct name_range){ scan->partner[open],
							    c->word };
	} else {
		*vec_push(&out->own) = (struct name_range){ from, c->word };
	}
}

static void take_own(struct scan *scan, bool dotted)
{
	size_t first = scan->components.len - 1;
	struct component *all = scan->components.data;

	while (first && needs_previous(scan, &all[first], dotted))
		first--;
	for (size_t i = 0; i < first; i++)
		*vec_push(&scan->out->scopes) = all[i].to;
	for (size_t i = first; i < scan->components.len; i++)
		add_own(scan, i > first ? all[i - 1].to : all[i].from, &all[i]);
}

/* -[Class method:with:]: the selector. */
static bool take_objective_c(struct scan *scan)
{
	const char *blank = strchr(scan->name, ' ');

	if (!strchr("+-", *scan->name) || scan->name[1] != '[' || !blank ||
	    scan->name[scan->len - 1] != ']')
		return false;
	*vec_push(&scan->out->own) =
		(struct name_range){ (size_t)(blank + 1 - scan->name), scan->len - 1 };
	*vec_push(&scan->out->scopes) = (size_t)(blank - scan->name);
	scan->out->end = scan->out->place = scan->len;
	return true;
}

void name_parts_init(struct name_parts *out, const char *name)
{
	struct scan scan = { .name = name, .len = strlen(name), .out = out };
	bool scoped;

	*out = (struct name_parts){ 0 };
	scan.partner = xcalloc(scan.len + 1, sizeof(*scan.partner));
	if (!*name || !take_objective_c(&scan)) {
		find_brackets(&scan);
		keep_groups(&scan);
		out->place = find_place(&scan);
		out->end = without_qualifiers(&scan, without_result(&scan, out->place));
		out->chain = find_chain(&scan, &scoped);
		split(&scan, out->chain, !scoped);
		take_own(&scan, !scoped);
	}
	vec_release(&scan.components);
	free(scan.partner);
}

void name_parts_release(struct name_parts *parts)
{
	vec_release(&parts->own);
	vec_release(&parts->scopes);
	vec_release(&parts->groups);
}
