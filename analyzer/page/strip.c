/* SPDX-License-Identifier: Apache-2.0 */
#include "page/strip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

#define STOPS ",:;\"'()<>[]|="
#define LINUX_HOMES                                                                      \
	"/home"                                                                          \
	"/"
#define INSTEAD "…"

/* A shorter one may mean anything else. */
enum { HOST_LEAST = 2, USER_LEAST = 3 };

/* ---- names of hosts and users ---- */

static const char *const home_folders[] = { LINUX_HOMES, "/Users/", "\\Users\\" };

static void add_word(struct page_strip *strip, const char *word, size_t len, size_t least)
{
	char *copy;

	if (len < least || (len == 4 && !strncmp(word, "root", 4)))
		return;
	copy = xstrndup(word, len);
	vec_for_each(char *, known, &strip->words) {
		if (strcmp(*known, copy) != 0)
			continue;
		free(copy);
		return;
	}
	*vec_push(&strip->words) = copy;
}

/* The folder below one of these. */
static void add_users(struct page_strip *strip, const char *path)
{
	for (size_t i = 0; i < sizeof(home_folders) / sizeof(*home_folders); i++) {
		const char *at = path ? strstr(path, home_folders[i]) : NULL;

		if (at)
			add_word(strip, at + strlen(home_folders[i]),
				 strcspn(at + strlen(home_folders[i]), "/\\"),
				 USER_LEAST);
	}
}

static void add_own_user(struct page_strip *strip)
{
	const char *user = getenv("USER");

	add_users(strip, getenv("HOME"));
	if (user)
		add_word(strip, user, strlen(user), USER_LEAST);
}

static void add_words(struct page_strip *strip, const struct model *model)
{
	vec_for_each(const struct source, source, &model->sources) {
		const struct experiment *exp = source->exp;
		const char *host = exp->log.hostname;

		if (host) {
			add_word(strip, host, strlen(host), HOST_LEAST);
			add_word(strip, host, strcspn(host, "."), HOST_LEAST);
		}
		add_users(strip, exp->log.cwd);
		add_users(strip, exp->path);
	}
	for (uint32_t o = 0; o < model->objects.len; o++)
		add_users(strip, object_path(model, o));
	add_own_user(strip);
}

void page_strip_init(struct page_strip *out, const struct model *model, bool on)
{
	*out = (struct page_strip){ .on = on };
	strtab_init(&out->texts);
	if (on)
		add_words(out, model);
}

void page_strip_release(struct page_strip *strip)
{
	strtab_release(&strip->texts);
	vec_for_each(char *, word, &strip->words)
		free(*word);
	vec_release(&strip->words);
}

/* ---- texts ---- */

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* What a user's or host's name ends at is also '_': bob_worker. */
static bool is_name_char(char c)
{
	return is_word_char(c) && c != '_';
}

static bool is_folder_char(char c)
{
	return is_word_char(c) || (c && strchr(".-+~@%", c));
}

/* Where the folders before the slash at AT begin; FROM or later. */
static size_t folder_start(const char *text, size_t from, size_t at)
{
	while (at > from && is_folder_char(text[at - 1]))
		at--;
	return at;
}

/* C++'s division. */
static bool is_operator(const char *text, size_t start, size_t slash)
{
	return slash - start == strlen("operator") &&
	       !strncmp(text + start, "operator", slash - start);
}

/* Where what stands before a path's first slash begins: a name, and its host ("me@host:"). */
static size_t host_start(const char *text, size_t from, size_t slash)
{
	size_t at = slash;

	if (at == from || text[at - 1] != ':' || text[slash + 1] == '/')
		return slash;
	at--;
	while (at > from && is_folder_char(text[at - 1]))
		at--;
	return at;
}

/* Windows' paths, of a drive or a host: up to the last of their folders. */
static size_t windows_folders(const char *text, size_t at)
{
	bool drive = isalpha((unsigned char)text[at]) && text[at + 1] == ':' &&
		     text[at + 2] == '\\';
	bool host = text[at] == '\\' && text[at + 1] == '\\' &&
		    is_word_char(text[at + 2]);
	size_t last = at;

	if ((!drive && !host) || (at && is_word_char(text[at - 1])))
		return 0;
	for (size_t end = at + 2; text[end] && !strchr(STOPS, text[end]); end++)
		if (strchr("/\\", text[end]))
			last = end;
	return last > at ? last + 1 - at : 0;
}

static void put_without_windows_folders(struct strbuf *out, const char *text)
{
	for (size_t at = 0; text[at];) {
		size_t folders = windows_folders(text, at);

		if (!folders)
			strbuf_addch(out, text[at++]);
		at += folders;
	}
}

/* RELATIVE: also paths that begin with a folder's name, and no hosts before paths. */
static void put_without_folders(struct strbuf *out, const char *text, bool relative)
{
	size_t from = 0;

	for (size_t at = 0; text[at]; at++) {
		size_t start, last = at;

		if (text[at] != '/')
			continue;
		start = folder_start(text, from, at);
		if (!relative && start == at)
			start = host_start(text, from, at);
		if (is_operator(text, start, at) ||
		    (!relative && start < at && text[at - 1] != ':' &&
		     text[start] != '.' && text[start] != '~'))
			continue;
		for (size_t end = at; text[end] && !strchr(STOPS, text[end]); end++)
			if (text[end] == '/')
				last = end;
		strbuf_add(out, text + from, start - from);
		from = last + 1;
		at = last;
	}
	strbuf_addstr(out, text + from);
}

/* "~jane", where a word begins. */
static size_t home_length(const char *text, const char *at)
{
	size_t len = 1;

	if (*at != '~' || (at > text && !strchr(" =\"'", at[-1])))
		return 0;
	while (is_word_char(at[len]) || at[len] == '-')
		len++;
	return len > 1 ? len : 0;
}

static void put_without_words(const struct page_strip *strip, struct strbuf *out,
			      const char *text)
{
	const char *at = text;

	while (*at) {
		size_t len = home_length(text, at);

		if (at == text || !is_name_char(at[-1]))
			vec_for_each(char *, word, &strip->words)
				if (!strncmp(at, *word, strlen(*word)) &&
				    !is_name_char(at[strlen(*word)]) &&
				    strlen(*word) > len)
					len = strlen(*word);
		if (len)
			strbuf_addstr(out, INSTEAD);
		else
			strbuf_addch(out, *at);
		at += len ? len : 1;
	}
}

static const char *keep(struct page_strip *strip, struct strbuf *text)
{
	const char *kept = strtab_get(&strip->texts,
				      strtab_intern(&strip->texts, strbuf_str(text)));

	strbuf_release(text);
	return kept;
}

const char *page_strip_name(struct page_strip *strip, const char *text)
{
	struct strbuf plain = { 0 }, out = { 0 };

	if (!strip->on || !strpbrk(text, "/\\"))
		return text;
	put_without_windows_folders(&plain, text);
	put_without_folders(&out, strbuf_str(&plain), true);
	strbuf_release(&plain);
	return keep(strip, &out);
}

const char *page_strip_path(struct page_strip *strip, const char *path)
{
	struct strbuf out = { 0 };
	size_t len = strlen(path);

	if (!strip->on)
		return path;
	while (len > 1 && strchr("/\\", path[len - 1]))
		len--;
	for (size_t at = len; at-- > 0;) {
		if (!strchr("/\\", path[at]) || at + 1 == len)
			continue;
		path += at + 1;
		len -= at + 1;
		break;
	}
	strbuf_add(&out, path, len);
	return keep(strip, &out);
}

const char *page_strip_text(struct page_strip *strip, const char *text)
{
	struct strbuf local = { 0 }, plain = { 0 }, out = { 0 };

	if (!strip->on)
		return text;
	put_without_windows_folders(&local, text);
	put_without_folders(&plain, strbuf_str(&local), false);
	put_without_words(strip, &out, strbuf_str(&plain));
	strbuf_release(&local);
	strbuf_release(&plain);
	return keep(strip, &out);
}

const char *page_strip_command(struct page_strip *strip, const char *command)
{
	struct strbuf program = { 0 };
	char quote = *command == '\'' ? '\'' : ' ';
	const char *start = command + (quote == '\''), *end;
	const char *path;

	if (!strip->on)
		return command;
	end = strchr(start, quote);
	strbuf_add(&program, start, end ? (size_t)(end - start) : strlen(start));
	path = page_strip_path(strip, strbuf_str(&program));
	strbuf_release(&program);
	return page_strip_text(strip, path);
}
