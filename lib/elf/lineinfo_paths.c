/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_paths.h"

#include <stdbool.h>
#include <string.h>

static bool is_word(const char *at, size_t len, const char *word)
{
	return strlen(word) == len && !strncmp(at, word, len);
}

/* Takes the last directory off OUT, which holds START bytes that stay. */
static bool go_up(struct strbuf *out, size_t start)
{
	size_t len = out->len;

	while (len > start && out->data[len - 1] != '/')
		len--;
	if (len == out->len || is_word(out->data + len, out->len - len, ".."))
		return false;
	strbuf_truncate(out, len > start ? len - 1 : start);
	return true;
}

void line_path_clean(const char *path, struct strbuf *out)
{
	size_t start = out->len + (*path == '/');

	if (*path == '/')
		strbuf_addch(out, '/');
	for (const char *at = path; *at;) {
		size_t len = strcspn(at, "/");
		bool up = is_word(at, len, "..");

		if (len && !is_word(at, len, ".") && !(up && go_up(out, start)) &&
		    !(up && *path == '/')) {
			if (out->len > start)
				strbuf_addch(out, '/');
			strbuf_add(out, at, len);
		}
		at += len + (at[len] == '/');
	}
}

void line_paths_begin(struct line_paths *paths, const struct line_table *table,
		      const char *dir)
{
	paths->table = table;
	paths->dir = dir;
	idmap_release(&paths->known);
}

uint32_t line_paths_text(struct line_paths *paths, const char *raw)
{
	struct strbuf whole = { 0 };

	if (paths->dir && *raw != '/')
		strbuf_addf(&whole, "%s/", paths->dir);
	strbuf_addstr(&whole, raw);
	strbuf_clear(&paths->clean);
	line_path_clean(strbuf_str(&whole), &paths->clean);
	strbuf_release(&whole);
	return strtab_intern(paths->texts, strbuf_str(&paths->clean));
}

/* Many files may share one long text, so each copy counts. */
static bool spend(struct line_paths *paths, size_t len)
{
	if (!paths->budget)
		return true;
	*paths->budget -= len < *paths->budget ? len : *paths->budget;
	return *paths->budget > 0;
}

static const char *raw_path(struct line_paths *paths, uint64_t number)
{
	const char *raw = spend(paths, 0)
				  ? line_table_path(paths->table, number, &paths->raw)
				  : NULL;

	return raw && spend(paths, strlen(raw) + (paths->dir ? strlen(paths->dir) : 0))
		       ? raw
		       : NULL;
}

uint32_t line_paths_number(struct line_paths *paths, uint64_t number)
{
	uint32_t id = idmap_get(&paths->known, number, 0);
	const char *raw;

	if (id != IDMAP_NONE)
		return id;
	raw = raw_path(paths, number);
	id = raw ? line_paths_text(paths, raw) : 0;
	return idmap_intern(&paths->known, number, 0, id);
}

void line_paths_release(struct line_paths *paths)
{
	idmap_release(&paths->known);
	strbuf_release(&paths->raw);
	strbuf_release(&paths->clean);
}
