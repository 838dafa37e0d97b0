/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions of filters: whatever is accepted compiles at once.  No time is
 * measured: this process ends if it takes minutes of CPU time, as one pattern of ten
 * characters can.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "filter/regex.h"
#include "tap.h"

enum { DRAWN = 20000, LONGEST = 24 };

static const struct {
	const char *text;
	bool accepted;
} known[] = {
	{ "main", true },
	{ "std::.*<.*>.*", true },
	{ ".*(alloc|free|copy).*", true },
	{ "(.*)*x", false },
	{ ".*?", true },
	{ "a{0,200}", true },
	{ "(a?){500}", true },
	{ "[^]*+?{9999}]+", true },
	{ "((ab?)+c)+", true },
	{ "operator\\+\\+\\+\\+\\+\\+\\+", true },
	{ "a?", true },
	{ "(a|b?c)+", true },
	{ "(a|b?)+", false },
	{ "a?+", false },
	{ "a?{2,}", false },
	{ "a?{2,3}", true },
	{ "a?+++++", false },
	{ "((((a?)+)+)+)+", false },
	{ "((a*)+){20}", false },
	{ "((a|)+){15}", false },
	{ "(|a)++++", false },
	{ "(\\b)+", false },
	{ "a?)++++|(b", false },
	{ "([]]?)++++", false },
	{ "(a?+b?+c?+d?+e?+f?+g?+h?+)+", false },
	{ "x((a*)+){20}y", false },
	{ "(\\b)*++*(|a*b", false },
	{ "a*++(a?a*++\\b)*|", false },
	{ "(\\bword\\b)*", true },
	{ "(a?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1}?{1})++",
	  false },
	{ ".*?a.*?b.*?c.*?d", true },
	{ "a{2000}", false },
	{ "((a{90}){90}){90}", false },
	{ "a{18446744073709551615}", false },
	{ "a{0}{18446744073709551615}b", false },
	{ "a++++++++++++++++++++++++++++{0}", false },
	{ "a++++++++++++++++++++++++++++{{+", false },
	{ "(a{0}|b)+", false },
	{ "((a?b?c?d?){127})+", false },
	{ "(){90}){9,}", false },
	{ "(){,100}", true },
	{ "(){,900}", false },
	{ "){,900}", false },
	{ "(^){,300}", false },
};

/* Whether TEXT is accepted, and so has been compiled. */
static bool accepted(const char *text)
{
	struct strbuf err = { 0 };
	regex_t *regex = filter_regex(text, &err);
	bool is = regex != NULL;

	if (regex)
		regfree(regex);
	free(regex);
	strbuf_release(&err);
	return is;
}

static void draw(char *text)
{
	static const char letters[] = "ab?**+++++{{}()()||[]^$\\20,.";
	static const char *const shapes[] = { "(a?", ")+",  "?+", "++",
					      "a*",  "{2}", "(|", "b)*" };
	size_t len = (size_t)(rand() % LONGEST) + 1;

	for (*text = '\0'; strlen(text) < len;) {
		const char one[] = { letters[(size_t)rand() % (sizeof(letters) - 1)],
				     '\0' };

		strcat(text, rand() % 2 ? one
					: shapes[(size_t)rand() %
						 (sizeof(shapes) / sizeof(*shapes))]);
	}
}

int main(void)
{
	const struct rlimit limit = { 300, 300 };
	char text[LONGEST + 8];
	unsigned compiled = 0;

	setrlimit(RLIMIT_CPU, &limit);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		ok(accepted(known[i].text) == known[i].accepted, "%s: %s", known[i].text,
		   known[i].accepted ? "accepted" : "refused");
	srand(1);
	for (unsigned i = 0; i < DRAWN; i++) {
		draw(text);
		compiled += accepted(text);
	}
	ok(compiled > DRAWN / 20, "of %u drawn ones %u compiled", DRAWN, compiled);
	return done_testing();
}
