/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/regex_cost.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct scan {
	const char *at;
	int depth;
	bool too_deep;
};

static struct regex_cost alternatives(struct scan *scan);

/* Far above the limits, and far below an overflow when multiplied by another such. */
static unsigned long bounded(unsigned long n)
{
	return n < 1UL << 20 ? n : 1UL << 20;
}

/* One after the other. */
static struct regex_cost both(struct regex_cost a, struct regex_cost b)
{
	return (struct regex_cost){
		.parts = bounded(a.parts + b.parts),
		.ways = bounded(a.ways * b.ways),
		.empty = a.empty && b.empty,
		.loops_nothing = a.loops_nothing || b.loops_nothing,
	};
}

/* One or the other. */
static struct regex_cost either(struct regex_cost a, struct regex_cost b)
{
	struct regex_cost cost = both(a, b);

	cost.parts++;
	cost.ways = a.ways > b.ways ? a.ways : b.ways;
	if (a.empty && b.empty)
		cost.ways = bounded(a.ways + b.ways);
	cost.empty = a.empty || b.empty;
	return cost;
}

static struct regex_cost optional(struct regex_cost of)
{
	of.ways += of.empty;
	of.empty = true;
	return of;
}

static struct regex_cost star(struct regex_cost of)
{
	of.loops_nothing |= of.empty;
	return optional(of);
}

/*
 * {N,M}; where LEAST is less than MOST the rest is optional, each within the one before.
 * Of x{0} nothing is left, but x was compiled.
 */
static struct regex_cost copies(struct regex_cost of, unsigned long least,
				unsigned long most)
{
	unsigned long count = most > least ? most : least;
	struct regex_cost cost = of;

	if (count > least || !count)
		cost = optional(cost);
	for (unsigned long i = count; i > 1 && cost.parts <= REGEX_PARTS_MAX; i--) {
		cost = both(of, cost);
		if (i - 1 > least)
			cost = optional(cost);
	}
	return cost;
}

/* Behind the set that begins at AT, "[^]a-c[:digit:]]": a first ] is a member. */
static const char *after_set(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	at += *at == ']';
	for (; *at && *at != ']'; at++) {
		if (*at == '[' && at[1] && strchr(":.=", at[1])) {
			const char end[] = { at[1], ']', '\0' };
			const char *close = strstr(at + 2, end);

			if (close)
				at = close + 1;
		}
	}
	return *at ? at + 1 : at;
}

/* Behind the backslash: a character, a class of them, or a place such as \< . */
static struct regex_cost escaped(struct scan *scan)
{
	struct regex_cost cost = { .parts = 1, .ways = 1 };

	cost.empty = !*scan->at || strchr("<>bB`'", *scan->at);
	scan->at += *scan->at != '\0';
	return cost;
}

static struct regex_cost group(struct scan *scan)
{
	struct regex_cost cost = { .parts = 1, .ways = 1, .empty = true };

	if (++scan->depth > REGEX_DEPTH_MAX)
		scan->too_deep = true;
	if (!scan->too_deep)
		cost = both(cost, alternatives(scan));
	scan->depth--;
	scan->at += *scan->at == ')';
	return cost;
}

static struct regex_cost atom(struct scan *scan)
{
	char c = *scan->at;

	if (c == '[') {
		scan->at = after_set(scan->at);
		return (struct regex_cost){ .parts = 1, .ways = 1 };
	}
	scan->at++;
	if (c == '(')
		return group(scan);
	if (c == '\\')
		return escaped(scan);
	return (struct regex_cost){ .parts = 1,
				    .ways = 1,
				    .empty = c == '^' || c == '$' };
}

/* {N}, {N,} or {N,M}, at the brace. */
static struct regex_cost interval(struct scan *scan, struct regex_cost of)
{
	char *end;
	unsigned long least = strtoul(scan->at + 1, &end, 10), most = least;
	bool unbounded = end[0] == ',' && !isdigit((unsigned char)end[1]);
	struct regex_cost cost;

	if (*end == ',' && !unbounded)
		most = strtoul(end + 1, &end, 10);
	cost = copies(of, least, most);
	scan->at = end + strcspn(end, "}");
	scan->at += *scan->at == '}';
	return unbounded ? both(cost, star(of)) : cost;
}

static struct regex_cost repeated(struct scan *scan, struct regex_cost cost)
{
	while (*scan->at && strchr("*+?{", *scan->at)) {
		if (*scan->at == '{') {
			cost = interval(scan, cost);
			continue;
		}
		if (*scan->at == '+')
			cost = both(cost, star(cost));
		else if (*scan->at == '*')
			cost = star(cost);
		else
			cost = optional(cost);
		scan->at++;
	}
	return cost;
}

static struct regex_cost sequence(struct scan *scan)
{
	struct regex_cost cost = { .ways = 1, .empty = true };

	while (!scan->too_deep && *scan->at && *scan->at != '|' && *scan->at != ')')
		cost = both(cost, repeated(scan, atom(scan)));
	return cost;
}

static struct regex_cost alternatives(struct scan *scan)
{
	struct regex_cost cost = sequence(scan);

	while (!scan->too_deep && *scan->at == '|') {
		scan->at++;
		cost = either(cost, sequence(scan));
	}
	return cost;
}

struct regex_cost regex_cost(const char *text)
{
	struct scan scan = { .at = text };
	struct regex_cost cost = { .ways = 1, .empty = true };

	/* A ) without its ( is a character. */
	while (!scan.too_deep && *scan.at) {
		cost = both(cost, alternatives(&scan));
		if (*scan.at == ')')
			scan.at++;
	}
	cost.too_deep = scan.too_deep;
	return cost;
}
