/* SPDX-License-Identifier: Apache-2.0 */
/* Stored lines are read as written; damaged, truncated or foreign files are ignored. */
#include "experiment/lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "random.h"
#include "sparse.h"
#include "tap.h"
#include "base/xalloc.h"

/* The parts of an experiment that lines refer to. */
static struct experiment make_experiment(const char *dir)
{
	struct experiment exp = {
		.path = xstrdup(dir),
		.dir = folder_open(dir),
		.bytes = 1234,
		.fd = -1,
	};

	exp.log.started = xstrdup("2026-01-02T03:04:05Z");
	for (int i = 0; i < 3; i++)
		*vec_push(&exp.modules) = (struct exp_module){ 0 };
	for (int i = 0; i < 50000; i++)
		*vec_push(&exp.frames) = (struct exp_frame){ 0 };
	return exp;
}

static void release_experiment(struct experiment *exp)
{
	close(exp->dir);
	free(exp->path);
	free(exp->log.started);
	vec_release(&exp->modules);
	vec_release(&exp->frames);
}

/* More rows than a block has, and two to every third frame. */
static void fill(struct exp_lines *lines, uint32_t frames)
{
	char text[32];

	exp_lines_init(lines);
	*vec_push(&lines->modules) = (struct exp_line_module){ 2, true, true };
	*vec_push(&lines->modules) = (struct exp_line_module){ 0, false, false };
	for (uint32_t f = 0; f < frames; f++)
		for (uint32_t i = 0; i < (f % 3 ? 1 : 2); i++) {
			snprintf(text, sizeof(text), "f%u", f % 100 + i);
			*vec_push(&lines->lines) = (struct exp_line){
				.frame = f,
				.function = strtab_intern(&lines->texts, text),
				.file = strtab_intern(&lines->texts, "/src/a.c"),
				.line = f + 1,
				.decl_file = strtab_intern(&lines->texts,
							   f % 2 ? "/src/b.h" : ""),
				.decl_line = f % 7,
			};
		}
}

static bool same(const struct exp_lines *a, const struct exp_lines *b)
{
	if (a->modules.len != b->modules.len || a->lines.len != b->lines.len)
		return false;
	for (size_t i = 0; i < a->modules.len; i++)
		if (a->modules.data[i].module != b->modules.data[i].module ||
		    a->modules.data[i].debug_file != b->modules.data[i].debug_file ||
		    a->modules.data[i].declared != b->modules.data[i].declared)
			return false;
	for (size_t i = 0; i < a->lines.len; i++) {
		const struct exp_line *x = &a->lines.data[i], *y = &b->lines.data[i];

		if (x->frame != y->frame || x->line != y->line ||
		    x->decl_line != y->decl_line ||
		    strcmp(strtab_get(&a->texts, x->decl_file),
			   strtab_get(&b->texts, y->decl_file)) != 0 ||
		    strcmp(strtab_get(&a->texts, x->function),
			   strtab_get(&b->texts, y->function)) != 0 ||
		    strcmp(strtab_get(&a->texts, x->file),
			   strtab_get(&b->texts, y->file)) != 0)
			return false;
	}
	return true;
}

static bool reads(const struct experiment *exp)
{
	struct exp_lines got;
	int error = exp_lines_read(&got, exp);
	bool empty = !got.lines.len && !got.modules.len;

	exp_lines_release(&got);
	return error ? !empty : true; /* a failure must leave nothing */
}

static void put_file(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		ok(false, "%s cannot be written", path);
	if (fd >= 0)
		close(fd);
}

static void test_damaged(struct experiment *exp, const char *path)
{
	struct strbuf whole = { 0 };
	unsigned cut = 0, flipped = 0;

	if (file_read(path, SIZE_MAX, &whole))
		return;
	for (size_t len = 0; len < whole.len; len++) {
		put_file(path, whole.data, len);
		cut += reads(exp);
	}
	for (size_t at = 0; at < whole.len; at++) {
		whole.data[at] ^= 0x20;
		put_file(path, whole.data, whole.len);
		whole.data[at] ^= 0x20;
		flipped += reads(exp);
	}
	is_u64(cut, 0, "cut at any of %zu bytes the file is ignored", whole.len);
	is_u64(flipped, 0, "with any byte changed it is ignored");
	strbuf_release(&whole);
}

static const struct experiment *hollow; /* for the next function */

static int read_hollow(int fd)
{
	struct exp_lines got;
	int error = exp_lines_read(&got, hollow);

	(void)fd;
	exp_lines_release(&got);
	return !error;
}

/* A file for other data ends at its key, however long it is. */
static void test_long(struct experiment *exp, const char *path)
{
	struct exp_lines few;

	fill(&few, 20);
	if (exp_lines_write(&few, exp) || truncate(path, (off_t)1 << 33))
		exit(99);
	exp->bytes++;
	hollow = exp;
	if (sparse_has_limit())
		is_i64(sparse_use(-1, 32 << 20, read_hollow), 0,
		       "8 GiB for other data take no memory");
	exp->bytes--;
	exp_lines_release(&few);
}

/* 96 MiB of texts, which compress to a fiftieth. */
static void fill_texts(struct exp_lines *lines)
{
	enum { TEXTS = 1536, LEN = 65000, PERIOD = 1300 };
	char *text = xmalloc(LEN + 1);
	uint64_t seed = 1;

	exp_lines_init(lines);
	*vec_push(&lines->modules) = (struct exp_line_module){ 0 };
	for (int i = 0; i < TEXTS; i++) {
		for (int at = 0; at < LEN; at++)
			text[at] = at < PERIOD ? (char)(1 + random_next(&seed) % 255)
					       : text[at - PERIOD];
		text[LEN] = '\0';
		strtab_intern(&lines->texts, text);
	}
	free(text);
}

static void test_much(struct experiment *exp)
{
	struct exp_lines much, got;
	uint64_t bytes = exp->bytes;

	fill_texts(&much);
	is_u64(exp_lines_write(&much, exp), 0, "written for a small recording");
	ok(exp_lines_read(&got, exp) < 0, "it is more than that can need");
	exp_lines_release(&got);
	exp->bytes = 1 << 20;
	is_u64(exp_lines_write(&much, exp), 0, "written for a larger one");
	is_u64(exp_lines_read(&got, exp), 0, "it is read");
	exp_lines_release(&got);
	exp_lines_release(&much);
	exp->bytes = bytes;
}

int main(void)
{
	char dir[] = "/tmp/u-exp-lines.XXXXXX";
	struct experiment exp = make_experiment(mkdtemp(dir));
	char *path = xasprintf("%s/lines", dir);
	struct exp_lines want, got;

	fill(&want, 50000);
	ok(exp_lines_read(&got, &exp) < 0, "no lines are stored yet");
	exp_lines_release(&got);
	is_u64(exp_lines_write(&want, &exp), 0, "written");
	is_u64(exp_lines_read(&got, &exp), 0, "read");
	ok(same(&want, &got), "the same as written");
	exp_lines_release(&got);
	exp.bytes++;
	ok(!reads(&exp), "not for data of another size");
	exp.bytes--;
	exp.log.started[0] = '3';
	ok(!reads(&exp), "nor for a recording of another time");
	exp.log.started[0] = '2';
	exp.frames.len = 49999;
	ok(!reads(&exp), "nor without such a frame");
	exp.frames.len = 50000;
	exp_lines_release(&want);
	fill(&want, 20);
	is_u64(exp_lines_write(&want, &exp), 0, "written again");
	test_damaged(&exp, path);
	exp_lines_release(&want);
	test_long(&exp, path);
	test_much(&exp);
	unlink(path);
	rmdir(dir);
	free(path);
	release_experiment(&exp);
	return done_testing();
}
