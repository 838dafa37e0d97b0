/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/source_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named_file.h"
#include "elf/debuginfod.h"
#include "base/xalloc.h"

/* Takes FD, or an error. */
static int checked(const struct session *s, int fd)
{
	int error = fd < 0 ? fd : source_check(fd, s->set.paths.trusted);

	if (error && fd >= 0)
		close(fd);
	return error ? error : fd;
}

static int open_below_symfs(const struct session *s, const char *recorded,
			    struct strbuf *path)
{
	const char *const *dir = s->model.search.symfs;
	int fd = -ENOENT;

	for (; dir && *dir && fd < 0 && *recorded == '/'; dir++) {
		strbuf_clear(path);
		strbuf_addf(path, "%s%s", *dir, recorded);
		fd = named_file_open(NULL, *dir, recorded);
	}
	return fd;
}

int source_open(const struct session *s, const struct source_wanted *wanted,
		struct strbuf *path)
{
	int fd;

	vec_for_each(const struct source, source, &s->model.sources) {
		fd = source_open_archived(&source->exp->archive, wanted->recorded, path);
		if (fd >= 0)
			return fd;
	}
	fd = open_below_symfs(s, wanted->recorded, path);
	if (fd < 0 && source_find(&s->set.paths, wanted->recorded, path))
		return checked(s, named_file_open(NULL, NULL, path->data));
	if (fd >= 0)
		return checked(s, fd);
	strbuf_clear(path);
	strbuf_addstr(path, wanted->recorded);
	fd = debuginfod_source(s->model.search.online, wanted->build_id,
			       wanted->recorded);
	return fd < 0 ? -ENOENT : fd;
}

/* ---- single lines ---- */

static void read_file(struct source_lines *lines, struct source_lines_file *file)
{
	const struct source_wanted wanted = { file->recorded, lines->build_id };
	const struct session *s = lines->session;
	struct strbuf path = { 0 };
	int fd = source_open(s, &wanted, &path);

	if (fd >= 0 && source_text_read(&file->text, fd)) {
		source_text_release(&file->text);
		file->text = (struct source_text){ 0 };
	}
	if (fd >= 0) {
		close(fd);
		lines->newer |= source_is_newer(strbuf_str(&path),
						&s->model.sources.data[0].exp->log);
	}
	strbuf_release(&path);
}

/* A function has code of few files. */
static const struct source_text *text_of(struct source_lines *lines, const char *recorded)
{
	struct source_lines_file *file;

	vec_for_each(const struct source_lines_file, known, &lines->files)
		if (!strcmp(known->recorded, recorded))
			return &known->text;
	file = vec_push(&lines->files);
	*file = (struct source_lines_file){ .recorded = xstrdup(recorded) };
	read_file(lines, file);
	return &file->text;
}

bool source_lines_get(struct source_lines *lines, const char *recorded, uint32_t number,
		      struct strbuf *out)
{
	const struct source_text *text = text_of(lines, recorded);

	if (!number || number > text->lines.len)
		return false;
	source_text_line(text, number, out);
	return true;
}

void source_lines_release(struct source_lines *lines)
{
	vec_for_each(struct source_lines_file, file, &lines->files) {
		free(file->recorded);
		source_text_release(&file->text);
	}
	vec_release(&lines->files);
}
