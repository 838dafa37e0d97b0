/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/lex.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "filter/names.h"

/* A longer sign before its own prefixes. */
static const char *const signs[] = {
	"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*",
	"/",  "%",  "&",  "|",  "^",  "~",  "!",  "?",  ":", "(", ")", ",",
};

#define SIGNS (sizeof(signs) / sizeof(signs[0]))

static const struct unit {
	const char *word;
	int64_t ns;
} units[] = {
	{ "", 1 },         { "ns", 1 },         { "us", 1000 },
	{ "ms", 1000000 }, { "s", 1000000000 }, { "m", 60 * INT64_C(1000000000) },
};

#define UNITS (sizeof(units) / sizeof(units[0]))

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *text)
{
	size_t len = 0;

	while (is_word_char(text[len]))
		len++;
	return len;
}

/* Digits of BASE at *AT, which is moved behind them.  False if there are too many. */
static bool take_digits(const char **at, int base, int64_t *out)
{
	*out = 0;
	for (; base == 16 ? isxdigit((unsigned char)**at) : isdigit((unsigned char)**at);
	     ++*at) {
		int c = tolower((unsigned char)**at);
		int digit = isdigit(c) ? c - '0' : c - 'a' + 10;

		if (__builtin_mul_overflow(*out, base, out) ||
		    __builtin_add_overflow(*out, digit, out))
			return false;
	}
	return true;
}

/* The unit called WORD; NULL: none. */
static const struct unit *find_unit(const char *word)
{
	for (size_t i = 0; i < UNITS; i++)
		if (strlen(units[i].word) == word_length(word) &&
		    !strncmp(units[i].word, word, word_length(word)))
			return &units[i];
	return NULL;
}

/* Digits behind a point, as a part of WHOLE, truncated to a whole number. */
static int64_t fraction_of(const char *digits, size_t len, int64_t whole)
{
	int64_t sum = 0;

	for (size_t i = 0; i < len && whole; i++) {
		whole /= 10;
		sum += (digits[i] - '0') * whole;
	}
	return sum;
}

/* "20", "0x14", "20ms", "1.5s", "0.99": a fraction is of a unit, or of 1. */
static void take_number(struct filter_token *token)
{
	bool hex = token->at[0] == '0' && (token->at[1] | ' ') == 'x';
	const char *at = token->at + (hex ? 2 : 0), *digits = at, *part = at;
	const struct unit *unit;
	size_t len = 0;
	int64_t scale;
	bool good = take_digits(&at, hex ? 16 : 10, &token->number) && at > digits;

	if (good && !hex && at[0] == '.' && isdigit((unsigned char)at[1])) {
		part = at + 1;
		len = strspn(part, "0123456789");
		at = part + len;
	}
	token->kind = TOKEN_BAD;
	token->len = (size_t)(at - token->at) + word_length(at);
	unit = find_unit(at);
	token->share = len && unit && !*unit->word;
	scale = token->share ? FILTER_SHARE : unit ? unit->ns : 0;
	if (good && unit &&
	    !__builtin_mul_overflow(token->number, scale, &token->number) &&
	    !__builtin_add_overflow(token->number, fraction_of(part, len, scale),
				    &token->number))
		token->kind = TOKEN_NUMBER;
}

static void take_string(struct filter_token *token)
{
	char quote = *token->at;
	size_t len = 1;

	while (token->at[len] && token->at[len] != quote)
		len += token->at[len] == '\\' && token->at[len + 1] ? 2 : 1;
	token->kind = token->at[len] ? TOKEN_STRING : TOKEN_BAD;
	token->len = len + (token->at[len] != '\0');
}

static void take_sign(struct filter_token *token)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (!strncmp(token->at, signs[i], strlen(signs[i]))) {
			token->kind = TOKEN_SIGN;
			token->len = strlen(signs[i]);
			return;
		}
	token->kind = TOKEN_BAD;
	token->len = 1;
}

struct filter_token filter_next(const char *text)
{
	struct filter_token token = { .kind = TOKEN_END };

	text += strspn(text, " \t\r\n");
	token.at = text;
	if (isdigit((unsigned char)*text)) {
		take_number(&token);
	} else if (is_word_char(*text)) {
		token.kind = TOKEN_WORD;
		token.len = word_length(text);
	} else if (*text == '"' || *text == '\'') {
		take_string(&token);
	} else if (*text) {
		take_sign(&token);
	}
	return token;
}

int filter_token_is(const struct filter_token *token, const char *text)
{
	return (token->kind == TOKEN_SIGN || token->kind == TOKEN_WORD) &&
	       token->len == strlen(text) && !strncmp(token->at, text, token->len);
}

void filter_token_string(const struct filter_token *token, struct strbuf *out)
{
	char quote = *token->at;

	strbuf_clear(out);
	for (size_t i = 1; i + 1 < token->len; i++) {
		i += token->at[i] == '\\' && token->at[i + 1] == quote;
		strbuf_addch(out, token->at[i]);
	}
}
