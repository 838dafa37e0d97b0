/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/function_spelling.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "elf/demangle.h"
#include "elf/fortran_name.h"

/* A function's names. */
struct names_of {
	const char *raw;
	struct strbuf full, brief, fortran;
};

static void names_of_init(struct names_of *out, const struct session *s,
			  uint32_t function)
{
	const struct function *f = &s->model.functions.data[function];

	*out = (struct names_of){ .raw = model_string(&s->model, f->name) };
	demangle(out->raw, &out->full, DEMANGLE_LONG);
	demangle(out->raw, &out->brief, DEMANGLE_SHORT);
	fortran_name(out->raw, &out->fortran);
}

static void names_of_release(struct names_of *names)
{
	strbuf_release(&names->full);
	strbuf_release(&names->brief);
	strbuf_release(&names->fortran);
}

static bool is_full(const struct names_of *names, const char *text)
{
	return !strcmp(strbuf_str(&names->full), text);
}

/* What a compiler cut off a function, or changed: "run(int) [clone .cold]". */
static bool is_made(const struct names_of *names)
{
	return strstr(strbuf_str(&names->full), " [clone ") != NULL;
}

static bool is_brief(const struct names_of *names, const char *text)
{
	return !is_made(names) && !strcmp(strbuf_str(&names->brief), text);
}

/* Compilers' clones of a function: descend.isra.0, main.cold. */
static bool is_clone(const struct names_of *names, const char *text)
{
	size_t len = strlen(text);

	return (!strncmp(names->raw, text, len) && names->raw[len] == '.') ||
	       (is_made(names) && !strcmp(strbuf_str(&names->brief), text));
}

/* Fortran does not distinguish capitals, and nm's users omit the underscores. */
static bool is_fortran(const struct names_of *names, const char *text)
{
	return !strcasecmp(strbuf_str(&names->fortran), text) ||
	       (names->fortran.len &&
		!strcmp(names->raw + strspn(names->raw, "_"), text));
}

/* ---- parts of names ---- */

typedef char *find_fn(const char *, const char *);

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* Whether no word goes on across AT, which is in or at the end of TEXT. */
static bool is_border(const char *text, const char *at)
{
	return at == text || !is_word(at[-1]) || !is_word(*at);
}

/* The first whole words of NAME that are TEXT, from AT on; NULL if there are none. */
static const char *find_words(const char *name, const char *at, const char *text,
			      find_fn *find)
{
	for (at = find(at, text); at; at = find(at + 1, text))
		if (is_border(name, at) && is_border(name, at + strlen(text)))
			return at;
	return NULL;
}

static bool ends_in(const char *name, const char *text)
{
	size_t len = strlen(name), tail = strlen(text);

	return len >= tail && find_words(name, name + len - tail, text, strstr);
}

static bool is_end(const struct names_of *names, const char *text)
{
	return !is_made(names) && (ends_in(strbuf_str(&names->brief), text) ||
				   ends_in(strbuf_str(&names->fortran), text));
}

static bool has_words(const struct names_of *names, const char *text)
{
	const char *name = strbuf_str(&names->brief);

	return find_words(name, name, text, strstr) != NULL;
}

static bool has_words_in_full(const struct names_of *names, const char *text)
{
	const char *name = strbuf_str(&names->full);

	return find_words(name, name, text, strstr) != NULL;
}

static bool has_letters(const struct names_of *names, const char *text)
{
	return strstr(strbuf_str(&names->brief), text) ||
	       strstr(strbuf_str(&names->full), text);
}

static bool is_any_case(const struct names_of *names, const char *text)
{
	return !strcasecmp(strbuf_str(&names->brief), text) ||
	       !strcasecmp(strbuf_str(&names->full), text);
}

static bool has_words_any_case(const struct names_of *names, const char *text)
{
	const char *name = strbuf_str(&names->brief);

	return find_words(name, name, text, strcasestr) != NULL;
}

static bool has_letters_any_case(const struct names_of *names, const char *text)
{
	return strcasestr(strbuf_str(&names->full), text) != NULL;
}

/* ---- all of them ---- */

static const struct {
	bool (*fits)(const struct names_of *, const char *text);
	const char *note;
} ways[SPELLINGS] = {
	[SPELLING_LONG] = { is_full, NULL },
	[SPELLING_SHORT] = { is_brief, NULL },
	[SPELLING_CLONE] = { is_clone, NULL },
	[SPELLING_FORTRAN] = { is_fortran, NULL },
	[SPELLING_END] = { is_end, NULL },
	[SPELLING_WORD] = { has_words, NULL },
	[SPELLING_ARGUMENT] = { has_words_in_full, NULL },
	[SPELLING_LETTERS] = { has_letters, "only letters within a word" },
	[SPELLING_ANY_CASE] = { is_any_case, "only without regard to case" },
	[SPELLING_WORD_ANY_CASE] = { has_words_any_case, "only without regard to case" },
	[SPELLING_LETTERS_ANY_CASE] = { has_letters_any_case,
					"only letters within a word, "
					"without regard to case" },
};

/* Without making other names: most texts are whole. */
static bool is_whole(struct session *s, uint32_t function, const char *text)
{
	return names_fits(&s->names, &s->model, function, text) ||
	       !strcmp(model_string(&s->model, s->model.functions.data[function].name),
		       text);
}

enum spelling spelling_of(struct session *s, uint32_t function, const char *text,
			  enum spelling limit)
{
	enum spelling way = SPELLING_LONG;
	struct names_of names;

	if (limit > SPELLING_WHOLE && is_whole(s, function, text))
		return SPELLING_WHOLE;
	if (limit <= way || !*text)
		return limit;
	names_of_init(&names, s, function);
	while (way < limit && !ways[way].fits(&names, text))
		way++;
	names_of_release(&names);
	return way;
}

const char *spelling_note(enum spelling spelling)
{
	return ways[spelling].note;
}
