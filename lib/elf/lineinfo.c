/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "elf/debugfile.h"
#include "elf/view.h"
#include "elf/lineinfo_abbrevs.h"
#include "elf/lineinfo_scopes.h"
#include "elf/lineinfo_splits.h"
#include "elf/lineinfo_units.h"
#include "base/program.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* How often the bytes of a file may be walked, see scopes_init. */
enum { PASSES_MAX = 64 };

struct lineinfo {
	struct object_place place;
	VEC(char *) texts;         /* of PLACE */
	struct namer_of_files own; /* see lineinfo_take_rights */
	struct elf_image image;    /* the file that ran, for its addresses */
	struct elf_image debug;    /* its debug file, if that has the debug information */
	bool has_debug, stated;
	Elf *elf, *alt_elf;
	VEC(char *) copies;         /* of their sections, see elf_section_close_text */
	Dwarf *dwarf, *alt;         /* ALT: the part that dwz moved out; NULL: none */
	struct elf_image alt_image; /* its file */
	struct units units;
	struct splits splits;
};

void line_answers_release(struct line_answers *answers)
{
	vec_release(&answers->places);
	vec_release(&answers->frames);
	strtab_release(&answers->texts);
}

static bool has_dwarf(const struct elf_image *img)
{
	return elf_section_named(img, ".debug_info") ||
	       elf_section_named(img, ".zdebug_info");
}

/* Hides the link to dwz's file, so libdw does not open that by itself, see begin_alt. */
static void prepare(struct lineinfo *info, Elf *elf, Dwarf *dwarf)
{
	dwarf_new_oom_handler(dwarf, program_die_oom);
	elf_section_empty(elf, ".gnu_debugaltlink");
	elf_section_end_texts(elf, ".debug_str");
	elf_section_end_texts(elf, ".debug_line_str");
	*vec_push(&info->copies) = elf_section_close_text(elf, ".debug_info");
	*vec_push(&info->copies) = elf_section_close_text(elf, ".debug_types");
}

static Dwarf *begin_dwarf(struct lineinfo *info, Elf *elf)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);

	if (dwarf && !abbrevs_are_sound(elf, dwarf, "")) {
		dwarf_end(dwarf);
		return NULL;
	}
	if (dwarf)
		prepare(info, elf, dwarf);
	return dwarf;
}

/* ---- finding the files ---- */

static const char *keep(struct lineinfo *info, const char *text)
{
	return text ? (*vec_push(&info->texts) = xstrdup(text)) : NULL;
}

static void keep_place(struct lineinfo *info, const struct object_place *place)
{
	info->place = *place;
	info->place.path = keep(info, place->path);
	info->place.root = keep(info, place->root);
	info->place.build_id = keep(info, place->build_id);
	info->place.mark = NULL;
}

/* The file that has the debug information. */
static const struct elf_image *debug_image(const struct lineinfo *info)
{
	return info->has_debug ? &info->debug : &info->image;
}

static int find_debug(struct lineinfo *info, const struct object_place *place)
{
	if (!has_dwarf(&info->image)) {
		info->has_debug = !debugfile_open(&info->image, place, &info->debug);
		if (!info->has_debug || !has_dwarf(&info->debug))
			return -ENODATA;
	}
	if (altfile_open(debug_image(info), place, &info->alt_image))
		info->alt_image.fd = -1;
	return 0;
}

/* Takes the image of INFO, which was opened unless OPENED is an error. */
static int begin(struct lineinfo *info, int opened, const struct object_place *place,
		 struct lineinfo **out)
{
	int ret = opened;

	info->alt_image.fd = -1;
	keep_place(info, place);
	if (!ret)
		ret = find_debug(info, place);
	if (ret)
		lineinfo_free(info);
	else
		*out = info;
	return ret;
}

int lineinfo_open(const struct object_place *place, struct lineinfo **out)
{
	struct lineinfo *info = xcalloc(1, sizeof(*info));
	struct object_found found = { 0 };
	int error = object_file_find(place, &info->image, &found);

	info->stated = found.proof == OBJECT_STATED;
	object_found_release(&found);
	return begin(info, error, place, out);
}

int lineinfo_open_fd(const struct object_place *place, int fd, struct lineinfo **out)
{
	struct lineinfo *info = xcalloc(1, sizeof(*info));

	return begin(info, elf_image_open_fd(&info->image, fd), place, out);
}

int lineinfo_take_rights(struct lineinfo *info)
{
	const struct namer_of_files *by = info->place.by;
	struct rights_before before = { 0 };
	int error;

	if (!by || !by->rights)
		return 0;
	error = rights_take(by->rights, &before);
	rights_release(&before.own);
	info->own = (struct namer_of_files){ .root = by->root, .refused = by->refused };
	info->place.by = &info->own;
	return error;
}

uint64_t lineinfo_needs(const struct lineinfo *info, int files[LINEINFO_FILES_MAX])
{
	const struct object_place *place = &info->place;

	files[0] = info->image.fd;
	files[1] = info->has_debug ? info->debug.fd : -1;
	files[2] = info->alt_image.fd;
	files[3] = place->archive ? place->archive->fd : -1;
	files[4] = place->by ? place->by->root : -1;
	return debug_image(info)->size + info->alt_image.size;
}

/* ---- parsing them ---- */

static void begin_alt(struct lineinfo *info)
{
	if (info->alt_image.fd >= 0)
		info->alt_elf = elf_begin(info->alt_image.fd, ELF_C_READ_MMAP, NULL);
	if (info->alt_elf)
		info->alt = begin_dwarf(info, info->alt_elf);
	if (info->alt)
		dwarf_setalt(info->dwarf, info->alt);
}

int lineinfo_parse(struct lineinfo *info)
{
	elf_version(EV_CURRENT);
	info->elf = elf_begin(debug_image(info)->fd, ELF_C_READ_MMAP, NULL);
	info->dwarf = info->elf ? begin_dwarf(info, info->elf) : NULL;
	if (!info->dwarf)
		return -ENOEXEC;
	begin_alt(info);
	splits_init(&info->splits, &info->place, info->elf);
	/* a range takes at least two bytes; compressed, too, about one */
	units_read(&info->units, info->dwarf, debug_image(info)->size);
	return 0;
}

void lineinfo_free(struct lineinfo *info)
{
	if (!info)
		return;
	units_release(&info->units);
	splits_release(&info->splits);
	dwarf_end(info->dwarf);
	dwarf_end(info->alt);
	elf_end(info->elf);
	elf_end(info->alt_elf);
	vec_for_each(char *, copy, &info->copies)
		free(*copy);
	vec_release(&info->copies);
	elf_image_release(&info->alt_image);
	if (info->has_debug)
		elf_image_release(&info->debug);
	elf_image_release(&info->image);
	vec_for_each(char *, text, &info->texts)
		free(*text);
	vec_release(&info->texts);
	free(info);
}

bool lineinfo_is_stated(const struct lineinfo *info)
{
	return info->stated;
}

bool lineinfo_is_changed(const struct lineinfo *info)
{
	return elf_image_is_changed(&info->image) ||
	       (info->has_debug && elf_image_is_changed(&info->debug)) ||
	       elf_image_is_changed(&info->alt_image);
}

bool lineinfo_has_debug_file(const struct lineinfo *info)
{
	return info->has_debug;
}

const char *lineinfo_missing(const struct lineinfo *info)
{
	return info->splits.missing;
}

void lineinfo_parts(const struct lineinfo *info, object_part_fn *fn, void *ctx)
{
	struct stat like;
	size_t len;
	const char *bytes = info->alt ? elf_rawfile(info->alt_elf, &len) : NULL;

	if (bytes && !fstat(info->alt_image.fd, &like))
		fn(ctx, OBJECT_PART_ALT, &like, bytes, len);
	splits_parts(&info->splits, fn, ctx);
}

/* ---- places ---- */

struct query {
	Dwarf_Addr addr;
	uint32_t unit, index;
};

static int by_unit(const void *va, const void *vb)
{
	const struct query *a = va, *b = vb;

	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* The queries within a unit, by unit and address; the caller frees them. */
static struct query *make_queries(const struct lineinfo *info, const uint64_t *offsets,
				  size_t *count)
{
	struct query *queries = xreallocarray(NULL, *count + 1, sizeof(*queries));
	size_t len = 0;

	for (size_t i = 0; i < *count; i++) {
		struct query *q = &queries[len];

		q->index = (uint32_t)i;
		if (!elf_image_vaddr(&info->image, offsets[i], &q->addr))
			continue;
		q->unit = units_find(&info->units, q->addr);
		len += q->unit != UNIT_NONE;
	}
	qsort(queries, len, sizeof(*queries), by_unit);
	*count = len;
	return queries;
}

static const char *compile_dir(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	return dwarf_attr(unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
}

/* Looks up an address in the line table. */
static struct line_frame table_line(Dwarf_Die *unit, Dwarf_Addr addr, const char *dir,
				    struct line_paths *paths)
{
	struct line_frame frame = { 0 };
	Dwarf_Line *row = dwarf_getsrc_die(unit, addr);
	const char *path = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	int line = 0;

	if (row && dwarf_lineno(row, &line) == 0 && line > 0)
		frame.line = (uint32_t)line;
	if (path)
		frame.file = line_paths_intern(paths, dir, path);
	return frame;
}

/* From the innermost scope outwards, each at the place where it called the one before. */
static struct line_answer add_frames(struct line_answers *out, struct line_frame at,
				     const struct scopes *scopes, uint32_t inner)
{
	struct line_answer answer = { .first = (uint32_t)out->frames.len };

	if (inner == SCOPE_NONE && (at.file || at.line))
		*vec_push(&out->frames) = at;
	for (uint32_t s = inner; s != SCOPE_NONE; s = scopes->scopes.data[s].parent) {
		const struct scope *scope = &scopes->scopes.data[s];

		at.function = scope->function;
		at.decl_file = scope->decl_file;
		at.decl_line = scope->decl_line;
		*vec_push(&out->frames) = at;
		at.file = scope->call_file;
		at.line = scope->call_line;
	}
	answer.count = (uint32_t)out->frames.len - answer.first;
	return answer;
}

/* COUNT queries of one unit. */
static void answer_unit(struct lineinfo *info, const struct query *queries, size_t count,
			struct scopes *scopes, struct line_answers *out)
{
	Dwarf_Die *unit = &info->units.dies.data[queries->unit];
	Dwarf_Addr *addrs = xreallocarray(NULL, count, sizeof(*addrs));
	uint32_t *inner = xcalloc(count, sizeof(*inner));
	struct scope_query query = { addrs, inner, count, compile_dir(unit) };
	struct unit_tree tree;

	for (size_t i = 0; i < count; i++)
		addrs[i] = queries[i].addr;
	if (splits_tree(&info->splits, queries->unit, unit, &tree))
		scopes_find(scopes, &tree, unit, &query);
	for (size_t i = 0; i < count; i++)
		out->places.data[queries[i].index] = add_frames(
			out, table_line(unit, addrs[i], query.dir, scopes->paths), scopes,
			inner[i]);
	free(addrs);
	free(inner);
}

void lineinfo_find(struct lineinfo *info, const uint64_t *offsets, size_t count,
		   struct line_answers *out)
{
	struct line_paths paths = { .texts = &out->texts };
	struct query *queries;
	struct scopes scopes;

	*out = (struct line_answers){ 0 };
	strtab_init(&out->texts);
	for (size_t i = 0; i < count; i++)
		*vec_push(&out->places) = (struct line_answer){ 0 };
	scopes_init(&scopes, &paths, debug_image(info)->size * PASSES_MAX);
	queries = make_queries(info, offsets, &count);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && queries[end].unit == queries[i].unit;)
			end++;
		answer_unit(info, queries + i, end - i, &scopes, out);
	}
	free(queries);
	scopes_release(&scopes);
	line_paths_release(&paths);
}
