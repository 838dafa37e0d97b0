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
#include "elf/file_party.h"
#include "elf/view.h"
#include "elf/lineinfo_abbrevs.h"
#include "elf/lineinfo_scopes.h"
#include "elf/lineinfo_splits.h"
#include "elf/lineinfo_table.h"
#include "elf/lineinfo_units.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* How many bytes the paths of a file may have, besides as many as it may be walked. */
enum { PATHS_BASE = 1 << 20 };

/* How often the bytes of a file may be walked, see scopes_init. */
enum { PASSES_MAX = 64 };

struct lineinfo {
	struct object_place place;
	VEC(char *) texts;         /* of PLACE */
	struct namer_of_files own; /* see lineinfo_take_rights */
	struct elf_image image;    /* the file that ran, for its addresses */
	struct elf_image debug;    /* its debug file, if that has the debug information */
	bool has_debug, stated;
	struct elf_image alt_image; /* what dwz moved out */
	bool brought; /* the file is not the one at its path: an archive's, or symfs's */
	Elf *elf, *alt_elf;
	struct units units, alt;
	bool has_alt; /* ALT is open */
	struct line_sections lines;
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

/* Takes the image of INFO; ERROR: of opening it. */
static int begin(struct lineinfo *info, int error, const struct object_place *place,
		 struct lineinfo **out)
{
	info->alt_image.fd = -1;
	keep_place(info, place);
	if (!error)
		error = find_debug(info, place);
	if (error)
		lineinfo_free(info);
	else
		*out = info;
	return error;
}

int lineinfo_open(const struct object_place *place, struct lineinfo **out)
{
	struct lineinfo *info = xcalloc(1, sizeof(*info));
	struct object_found found = { 0 };
	int error = object_file_settled(place, &info->image, &found);

	info->stated = found.proof == OBJECT_STATED;
	info->brought = !found.path || strcmp(found.path, place->path) != 0;
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

uint64_t lineinfo_party(const struct lineinfo *info)
{
	const int files[] = { info->image.fd, info->has_debug ? info->debug.fd : -1,
			      info->alt_image.fd };

	if (geteuid() || (info->place.by && info->place.by->rights))
		return PARTY_OURS;
	if (info->brought)
		return PARTY_ELSEWHERE;
	return party_of_files(files, sizeof(files) / sizeof(files[0]));
}

bool lineinfo_join_party(const struct lineinfo *info)
{
	return party_join(lineinfo_party(info), &info->place);
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

/* libdw does not see the link to dwz's file, so it does not open that by itself. */
static Dwarf *begin_alt(struct lineinfo *info)
{
	if (info->alt_image.fd >= 0)
		info->alt_elf = elf_begin(info->alt_image.fd, ELF_C_READ_MMAP, NULL);
	info->has_alt = info->alt_elf && !units_open(&info->alt, info->alt_elf, NULL);
	return info->has_alt ? info->alt.whole.dwarf : NULL;
}

/* Each table is read once, unless units share it that do not follow one another. */
static void begin_lines(struct lineinfo *info)
{
	enum { LINES_BASE = 1 << 20, LINES_PASSES_MAX = 4 };
	struct line_sections *lines = &info->lines;

	lines->lines = elf_section_cursor(info->elf, ".debug_line");
	lines->texts = elf_section_cursor(info->elf, ".debug_str");
	lines->line_texts = elf_section_cursor(info->elf, ".debug_line_str");
	lines->budget = LINES_BASE + cursor_left(&lines->lines) * LINES_PASSES_MAX;
}

int lineinfo_parse(struct lineinfo *info)
{
	elf_version(EV_CURRENT);
	info->elf = elf_begin(debug_image(info)->fd, ELF_C_READ_MMAP, NULL);
	if (!info->elf || units_open(&info->units, info->elf, begin_alt(info)))
		return -ENOEXEC;
	begin_lines(info);
	splits_init(&info->splits, &info->place, info->elf);
	/* a range takes two bytes or more; compressed, too, about one */
	units_index(&info->units, debug_image(info)->size);
	return 0;
}

void lineinfo_free(struct lineinfo *info)
{
	if (!info)
		return;
	units_release(&info->units);
	units_release(&info->alt);
	splits_release(&info->splits);
	elf_end(info->elf);
	elf_end(info->alt_elf);
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
	const char *bytes = info->has_alt ? elf_rawfile(info->alt_elf, &len) : NULL;

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

static struct line_frame table_line(const struct line_row *row, struct line_paths *paths)
{
	struct line_frame frame = { 0 };

	if (row->any && row->line <= INT32_MAX)
		frame.line = row->line;
	if (row->any)
		frame.file = line_paths_number(paths, row->file);
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

/* COUNT queries of one unit, and room for what is found. */
struct unit_queries {
	const struct query *list;
	size_t count;
	Dwarf_Addr *addrs;
	uint32_t *inner; /* scopes */
};

static void unit_queries_init(struct unit_queries *queries, const struct query *list,
			      size_t count)
{
	*queries = (struct unit_queries){
		.list = list,
		.count = count,
		.addrs = xreallocarray(NULL, count, sizeof(*queries->addrs)),
		.inner = xcalloc(count, sizeof(*queries->inner)),
	};
	for (size_t i = 0; i < count; i++)
		queries->addrs[i] = list[i].addr;
}

static void unit_queries_release(struct unit_queries *queries)
{
	free(queries->addrs);
	free(queries->inner);
}

/* The line table of some units that follow one another. */
struct lines {
	struct line_table table;
	size_t end;            /* the first query of a unit with another table */
	struct line_row *rows; /* by the queries' index */
};

static int by_addr(const void *va, const void *vb)
{
	const struct query *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* The rows of COUNT queries; their units' addresses may lie among each other. */
static void find_rows(struct lines *lines, const struct query *list, size_t count)
{
	struct query *queries = xreallocarray(NULL, count, sizeof(*queries));
	uint64_t *addrs = xreallocarray(NULL, count, sizeof(*addrs));
	struct line_row *rows = xcalloc(count + 1, sizeof(*rows));

	memcpy(queries, list, count * sizeof(*queries));
	qsort(queries, count, sizeof(*queries), by_addr);
	for (size_t i = 0; i < count; i++)
		addrs[i] = queries[i].addr;
	line_table_find(&lines->table, addrs, count, rows);
	for (size_t i = 0; i < count; i++)
		lines->rows[queries[i].index] = rows[i];
	free(queries);
	free(addrs);
	free(rows);
}

static uint64_t lines_of(const struct lineinfo *info, const struct query *query)
{
	return info->units.places.data[query->unit].lines;
}

/* Reads the table of the queries from FIRST on. */
static void next_lines(struct lineinfo *info, const struct query *queries, size_t first,
		       size_t count, struct lines *lines)
{
	uint64_t at = lines_of(info, &queries[first]);

	for (lines->end = first; lines->end < count; lines->end++)
		if (lines_of(info, &queries[lines->end]) != at)
			break;
	line_table_release(&lines->table);
	line_table_read(&lines->table, &info->lines, at);
	find_rows(lines, queries + first, lines->end - first);
}

static void answer_unit(struct lineinfo *info, Dwarf_Die *unit,
			struct unit_queries *queries, const struct lines *lines,
			struct scopes *scopes, struct line_answers *out)
{
	const struct scope_query query = { queries->addrs, queries->inner,
					   queries->count };
	struct unit_tree tree;

	line_paths_begin(scopes->paths, &lines->table, unit_dir(unit));
	if (splits_tree(&info->splits, queries->list->unit, unit, &tree))
		scopes_find(scopes, &tree, &query);
	for (size_t i = 0; i < queries->count; i++) {
		uint32_t index = queries->list[i].index;

		out->places.data[index] = add_frames(
			out, table_line(&lines->rows[index], scopes->paths), scopes,
			queries->inner[i]);
	}
	splits_forget(&info->splits, queries->list->unit);
}

static bool next_unit(struct lineinfo *info, uint32_t unit, struct scopes *scopes,
		      Dwarf_Die *die)
{
	uint64_t closed = info->units.closed;
	bool found = units_die(&info->units, unit, die);

	if (info->units.closed != closed)
		scopes_forget_units(scopes);
	return found;
}

void lineinfo_find(struct lineinfo *info, const uint64_t *offsets, size_t count,
		   struct line_answers *out)
{
	uint64_t budget = PATHS_BASE + debug_image(info)->size * PASSES_MAX;
	struct line_paths paths = { .texts = &out->texts, .budget = &budget };
	struct lines lines = { .rows = xcalloc(count + 1, sizeof(*lines.rows)) };
	struct query *queries;
	struct scopes scopes;

	*out = (struct line_answers){ 0 };
	strtab_init(&out->texts);
	for (size_t i = 0; i < count; i++)
		*vec_push(&out->places) = (struct line_answer){ 0 };
	scopes_init(&scopes, &paths, debug_image(info)->size * PASSES_MAX);
	queries = make_queries(info, offsets, &count);
	for (size_t i = 0, end; i < count; i = end) {
		struct unit_queries unit;
		Dwarf_Die die;

		for (end = i; end < count && queries[end].unit == queries[i].unit;)
			end++;
		if (i == lines.end)
			next_lines(info, queries, i, count, &lines);
		unit_queries_init(&unit, queries + i, end - i);
		if (next_unit(info, queries[i].unit, &scopes, &die))
			answer_unit(info, &die, &unit, &lines, &scopes, out);
		unit_queries_release(&unit);
	}
	free(queries);
	free(lines.rows);
	line_table_release(&lines.table);
	scopes_release(&scopes);
	line_paths_release(&paths);
}
