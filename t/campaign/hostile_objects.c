/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostile_objects [-w FOLDER] FIRST ROUNDS DIR FILE[,FILE…]…: reads everything that
 * collect and er_print read of object files, from altered ones: names, debug files,
 * lines, unwind tables, instructions, and the files for an archive.
 *
 * An argument is a file with those that belong to it (split units, a package, dwz's
 * file), each below DIR, where one of them is altered in its place.  -w: rounds are not
 * made, but the altered files written to FOLDER/N.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/xalloc.h"
#include "output/archive_store.h"
#include "elf/lineinfo.h"
#include "elf/objsyms.h"
#include "model/disassembly.h"
#include "unwind/module.h"
#include "alter_object.h"
#include "unwinding.h"

enum { BYTES_MAX = 1 << 24, PLACES = 64, PARTS_MAX = 8, CODE_MAX = 4096 };

/* A file and the others that belong to it. */
struct group {
	size_t count;
	char *path[PARTS_MAX];
	struct strbuf bytes[PARTS_MAX];
	uint64_t places[PLACES]; /* of the first: half of them code, half anywhere */
};

struct attempt {
	VEC(struct group) groups;
	int archive; /* a folder */
	const char *only_write;
	uint64_t sum; /* of the data, so it is read */
};

/* ---- files ---- */

static void find_places(struct group *g)
{
	const struct elf_section *code;
	struct elf_image img;

	if (elf_image_memory(&img, g->bytes[0].data, g->bytes[0].len))
		campaign_fail("%s is no object file", g->path[0]);
	code = elf_section_named(&img, ".text");
	for (uint64_t i = 0; i < PLACES; i++)
		g->places[i] = i % 2 && code ? code->offset + code->size * i / PLACES
					     : img.size * i / PLACES;
	elf_image_release(&img);
}

static void read_group(struct attempt *a, char *paths)
{
	struct group *g = vec_push(&a->groups);
	char *save = NULL;

	*g = (struct group){ 0 };
	for (char *path = strtok_r(paths, ",", &save); path && g->count < PARTS_MAX;
	     path = strtok_r(NULL, ",", &save)) {
		g->path[g->count] = path;
		if (file_read(path, BYTES_MAX, &g->bytes[g->count++]) < 0)
			campaign_fail("%s cannot be read", path);
	}
	find_places(g);
}

static void release_group(struct group *g)
{
	for (size_t i = 0; i < g->count; i++)
		strbuf_release(&g->bytes[i]);
}

static void write_file(const char *path, const struct strbuf *bytes)
{
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (fd < 0 || file_write(fd, strbuf_str(bytes), bytes->len))
		campaign_fail("%s cannot be written", path);
	close(fd);
}

static void alter_copy(const struct strbuf *bytes, struct strbuf *out, struct draw *d)
{
	strbuf_clear(out);
	strbuf_add(out, bytes->data, bytes->len);
	for (uint64_t times = 1 + draw_below(d, 4); times; times--)
		alter_object(out, d);
}

/* ---- reading them ---- */

static uint64_t sum_names(const struct objsyms *syms, const uint64_t *places)
{
	struct strbuf label = { 0 };
	uint64_t sum = 0;

	for (uint64_t i = 0; i < PLACES; i++) {
		struct symbol sym;

		objsyms_at(syms, places[i], &sym);
		strbuf_clear(&label);
		objsyms_label(&label, "file", &sym);
		sum += label.len + sym.start;
	}
	strbuf_release(&label);
	return sum;
}

static uint64_t ask_names(const struct object_place *place, const uint64_t *places)
{
	struct objsyms syms;
	uint64_t sum = 0;

	if (!objsyms_read(&syms, place))
		sum = sum_names(&syms, places);
	objsyms_release(&syms);
	return sum;
}

static void keep_part(void *ctx, const char *name, const struct stat *like,
		      const void *bytes, size_t len)
{
	struct cursor c;

	(void)like;
	cursor_init(&c, bytes, len);
	while (cursor_left(&c) >= sizeof(uint64_t))
		*(uint64_t *)ctx += cursor_u64(&c) + (uint64_t)*name;
}

static uint64_t sum_answers(const struct line_answers *answers)
{
	uint64_t sum = 0;

	vec_for_each(const struct line_frame, frame, &answers->frames)
		sum += frame->line + *strtab_get(&answers->texts, frame->file) +
		       *strtab_get(&answers->texts, frame->function) +
		       *strtab_get(&answers->texts, frame->decl_file);
	return sum;
}

static uint64_t ask_lines(const struct object_place *place, const uint64_t *places)
{
	struct line_answers answers;
	struct lineinfo *info;
	uint64_t sum = 0;

	if (lineinfo_open(place, &info))
		return 0;
	if (!lineinfo_parse(info)) {
		lineinfo_find(info, places, PLACES, &answers);
		sum = sum_answers(&answers);
		lineinfo_parts(info, keep_part, &sum);
		line_answers_release(&answers);
	}
	lineinfo_free(info);
	return sum;
}

static uint64_t ask_instructions(const struct object_place *place, uint64_t at)
{
	const struct code_range range = { .place = *place,
					  .start = at,
					  .size = CODE_MAX };
	struct disassembly d;
	uint64_t sum = 0;

	if (!disassemble(&d, &range, 1))
		sum = d.list.len + sum_answers(&d.lines);
	disassembly_release(&d);
	return sum;
}

static uint64_t ask_archive(const struct attempt *a, const char *path)
{
	struct archive_store store = { .dir = a->archive, .limit = BYTES_MAX };
	struct elf_image img;
	struct stat like;

	if (stat(path, &like) || elf_image_open(&img, path))
		return 0;
	if (archive_store_elf(&store, "object", &img, &like) && store.bytes > store.limit)
		campaign_fail("beyond the limit of the archive");
	elf_image_release(&img);
	unlinkat(a->archive, "object", 0);
	return store.bytes;
}

static void ask(struct attempt *a, const struct group *g, struct draw *d)
{
	const struct object_place place = { .path = g->path[0], .trusted = true };

	a->sum += ask_names(&place, g->places);
	a->sum += ask_lines(&place, g->places);
	a->sum += ask_unwinding(place.path, g->places, PLACES);
	a->sum += ask_archive(a, place.path);
	if (draw_one_in(d, 4))
		a->sum += ask_instructions(&place, g->places[draw_below(d, PLACES)]);
}

static void attempt_once(void *ctx, struct draw *d)
{
	struct attempt *a = ctx;
	const struct group *g = &a->groups.data[draw_below(d, a->groups.len)];
	/* Mostly the first: the others are read where that leads to them. */
	size_t part = draw_one_in(d, 2) ? (size_t)draw_below(d, g->count) : 0;
	struct strbuf altered = { 0 };

	alter_copy(&g->bytes[part], &altered, d);
	write_file(g->path[part], &altered);
	ask(a, g, d);
	write_file(g->path[part], &g->bytes[part]);
	strbuf_release(&altered);
}

/* ---- the command line ---- */

/* The altered programs alone, for others to run and read. */
static int write_all(const struct attempt *a, const struct campaign *c)
{
	for (uint64_t i = 0; i < c->rounds; i++) {
		struct draw d = { c->first + i };
		const struct group *g = &a->groups.data[draw_below(&d, a->groups.len)];
		struct strbuf altered = { 0 };
		char *path = xasprintf("%s/%llu", a->only_write, (unsigned long long)i);

		alter_copy(&g->bytes[0], &altered, &d);
		write_file(path, &altered);
		free(path);
		strbuf_release(&altered);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct attempt a = { 0 };
	struct campaign c = { .name = "objects", .round = attempt_once, .ctx = &a };
	int status;

	if (argc > 2 && !strcmp(argv[1], "-w")) {
		a.only_write = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 5) {
		fputs("usage: hostile_objects [-w FOLDER] FIRST ROUNDS DIR "
		      "FILE[,FILE...]...\n",
		      stderr);
		return 2;
	}
	c.first = strtoull(argv[1], NULL, 0);
	c.rounds = strtoull(argv[2], NULL, 0);
	a.archive = folder_open(argv[3]);
	for (int i = 4; i < argc; i++)
		read_group(&a, argv[i]);
	if (a.archive < 0)
		campaign_fail("%s: no folder", argv[3]);
	status = a.only_write ? write_all(&a, &c) : campaign_run(&c);
	vec_for_each(struct group, g, &a.groups)
		release_group(g);
	vec_release(&a.groups);
	close(a.archive);
	return status;
}
