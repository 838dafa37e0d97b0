/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/regex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Whether the quantifier AT follows another, or a group, which may have one. */
static bool repeats_more(const char *text, const char *at)
{
	return at > text && strchr("*+?})", at[-1]) && (at < text + 2 || at[-2] != '\\');
}

/*
 * The factor by which the quantifier AT can increase the compiler's work: x+ is copied,
 * and all ways through (x?)? are walked.
 */
static unsigned long growth(const char *text, const char *at)
{
	unsigned long most = 1;

	if (*at != '{')
		return repeats_more(text, at) ? 2 : 1;
	for (const char *p = at + 1; *p && *p != '}'; p++) {
		unsigned long n = isdigit((unsigned char)*p) ? strtoul(p, NULL, 10) : 0;

		most = n > most ? n : most;
		if (*p == ',' && p[1] == '}') /* no upper bound: one more, and a star */
			most++;
	}
	return most;
}

/* For all of TEXT: nested ones multiply. */
static unsigned long repeats(const char *text)
{
	unsigned long product = 1;

	for (const char *at = strpbrk(text, "{*+?"); at; at = strpbrk(at + 1, "{*+?")) {
		unsigned long most = growth(text, at);

		if (most > FILTER_REPEAT_MAX)
			return most;
		product *= most;
		if (product > FILTER_REPEAT_MAX)
			break;
	}
	return product;
}

static bool refers_back(const char *text)
{
	for (; *text; text++)
		if (*text == '\\' && *++text && isdigit((unsigned char)*text))
			return true;
		else if (!*text)
			return false;
	return false;
}

static const char *refusal(const char *text)
{
	if (strlen(text) > FILTER_REGEX_MAX)
		return "is too long";
	if (refers_back(text))
		return "refers back to a part of itself";
	return repeats(text) > FILTER_REPEAT_MAX ? "repeats too much" : NULL;
}

regex_t *filter_regex(const char *text, struct strbuf *err)
{
	const char *why = refusal(text);
	regex_t *regex;
	char *whole, reason[128];
	int code;

	if (why) {
		strbuf_addf(err, "the regex '%.60s' %s", text, why);
		return NULL;
	}
	regex = xmalloc(sizeof(*regex));
	whole = xasprintf("^(%s)$", text);
	code = regcomp(regex, whole, REG_EXTENDED | REG_NOSUB);
	free(whole);
	if (!code)
		return regex;
	regerror(code, regex, reason, sizeof(reason));
	strbuf_addf(err, "the regex '%.60s' is not right: %s", text, reason);
	free(regex);
	return NULL;
}

bool filter_regex_fits(const regex_t *regex, const char *text)
{
	return !regexec(regex, text, 0, NULL, 0);
}
