/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/regex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "filter/regex_cost.h"

static bool refers_back(const char *text)
{
	for (; *text; text++)
		if (*text == '\\' && *++text && isdigit((unsigned char)*text))
			return true;
		else if (!*text)
			return false;
	return false;
}

/* WHOLE is what regcomp gets for TEXT, whose parentheses may join those around it. */
static const char *refusal(const char *text, const char *whole)
{
	struct regex_cost cost;

	if (strlen(text) > FILTER_REGEX_MAX)
		return "is too long";
	if (refers_back(text))
		return "refers back to a part of itself";
	cost = regex_cost(whole);
	if (cost.too_deep)
		return "has too many parentheses within others";
	if (cost.loops_nothing)
		return "repeats what may be empty";
	if (cost.parts > REGEX_PARTS_MAX || cost.ways > REGEX_WAYS_MAX)
		return "repeats too much";
	return NULL;
}

regex_t *filter_regex(const char *text, struct strbuf *err)
{
	char *whole = xasprintf("^(%s)$", text);
	const char *why = refusal(text, whole);
	regex_t *regex;
	char reason[128];
	int code;

	if (why) {
		strbuf_addf(err, "the regex '%.60s' %s", text, why);
		free(whole);
		return NULL;
	}
	regex = xmalloc(sizeof(*regex));
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
