/* SPDX-License-Identifier: Apache-2.0 */
#include "model/source_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/object_file.h"
#include "base/xalloc.h"

enum { SOURCE_BYTES_MAX = 256 << 20, TAB_WIDTH = 8 };

/* ---- where ---- */

static void drop_dirs(struct source_paths *paths)
{
	vec_for_each(char *, dir, &paths->dirs)
		free(*dir);
	vec_clear(&paths->dirs);
}

void source_paths_add(struct source_paths *paths, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ":");

		if (len)
			*vec_push(&paths->dirs) = xstrndup(list, len);
		list += len + (list[len] == ':');
	}
}

void source_paths_set(struct source_paths *paths, const char *list)
{
	drop_dirs(paths);
	source_paths_add(paths, list);
}

void source_paths_change(struct source_paths *paths, const char *from, const char *to)
{
	*vec_push(&paths->changes) = (struct path_change){ xstrdup(from), xstrdup(to) };
}

void source_paths_release(struct source_paths *paths)
{
	drop_dirs(paths);
	vec_release(&paths->dirs);
	vec_for_each(struct path_change, change, &paths->changes) {
		free(change->from);
		free(change->to);
	}
	vec_release(&paths->changes);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void put_changed(const struct source_paths *paths, const char *recorded,
			struct strbuf *out)
{
	strbuf_clear(out);
	if (!path_change_put(paths->changes.data, paths->changes.len, recorded, out))
		strbuf_addstr(out, recorded);
}

static bool find_below(const char *dir, const char *recorded, struct strbuf *found)
{
	for (const char *rest = recorded; rest; rest = strchr(rest, '/')) {
		rest += strspn(rest, "/");
		strbuf_clear(found);
		strbuf_addf(found, "%s/%s", dir, rest);
		if (*rest && is_file(found->data))
			return true;
	}
	return false;
}

bool source_find(const struct source_paths *paths, const char *recorded,
		 struct strbuf *found)
{
	put_changed(paths, recorded, found);
	if (is_file(strbuf_str(found)))
		return true;
	vec_for_each(char *, dir, &paths->dirs)
		if (find_below(*dir, recorded, found))
			return true;
	return false;
}

int source_open_archived(const struct folder *archive, const char *recorded,
			 struct strbuf *found)
{
	struct strbuf below = { 0 };
	int fd;

	if (archive->fd < 0 || *recorded != '/')
		return -ENOENT;
	strbuf_addf(&below, EXP_SOURCES "%s", recorded);
	strbuf_clear(found);
	strbuf_addf(found, "%s/%s", archive->path, below.data);
	fd = folder_open_file(archive->fd, below.data);
	strbuf_release(&below);
	return fd;
}

int source_check(int fd, bool trusted)
{
	char head[4096];
	ssize_t len = pread(fd, head, sizeof(head), 0);
	struct stat st;

	if (len < 0 || fstat(fd, &st))
		return -errno;
	if (!trusted && !geteuid() && !(st.st_mode & S_IROTH))
		return -EPERM;
	return memchr(head, '\0', (size_t)len) ? -EILSEQ : 0;
}

bool source_is_newer(const char *path, const struct exp_log *log)
{
	int64_t started = exp_log_started(log);
	struct stat st;

	return started && stat(path, &st) == 0 && st.st_mtime > started;
}

/* ---- what ---- */

int source_text_read(struct source_text *out, int fd)
{
	int error = file_read_fd(fd, SOURCE_BYTES_MAX, &out->bytes);

	if (error) {
		strbuf_release(&out->bytes);
		return error;
	}
	for (size_t at = 0; at < out->bytes.len;) {
		const char *start = out->bytes.data + at;
		const char *end = memchr(start, '\n', out->bytes.len - at);

		*vec_push(&out->lines) = at;
		at = end ? (size_t)(end + 1 - out->bytes.data) : out->bytes.len;
	}
	return 0;
}

void source_text_release(struct source_text *text)
{
	strbuf_release(&text->bytes);
	vec_release(&text->lines);
}

void source_text_line(const struct source_text *text, size_t n, struct strbuf *out)
{
	size_t start = text->lines.data[n - 1];
	size_t end = n < text->lines.len ? text->lines.data[n] : text->bytes.len;

	strbuf_clear(out);
	for (size_t i = start; i < end; i++) {
		char c = text->bytes.data[i];

		if (c == '\t')
			strbuf_pad(out, ' ', TAB_WIDTH - out->len % TAB_WIDTH);
		else if (c && c != '\n' && c != '\r')
			strbuf_addch(out, c);
	}
}
