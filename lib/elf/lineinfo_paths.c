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

uint32_t line_paths_intern(struct line_paths *paths, const char *dir, const char *raw)
{
	uint32_t in = idmap_intern(&paths->dirs, (uintptr_t)dir, 0,
				   (uint32_t)paths->dirs.len);
	uint32_t id = idmap_get(&paths->known, (uintptr_t)raw, in);
	struct strbuf whole = { 0 };

	if (id != IDMAP_NONE)
		return id;
	if (dir && *raw != '/')
		strbuf_addf(&whole, "%s/", dir);
	strbuf_addstr(&whole, raw);
	strbuf_clear(&paths->work);
	line_path_clean(strbuf_str(&whole), &paths->work);
	strbuf_release(&whole);
	id = strtab_intern(paths->texts, strbuf_str(&paths->work));
	return idmap_intern(&paths->known, (uintptr_t)raw, in, id);
}

void line_paths_release(struct line_paths *paths)
{
	idmap_release(&paths->dirs);
	idmap_release(&paths->known);
	strbuf_release(&paths->work);
}
