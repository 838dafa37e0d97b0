/* SPDX-License-Identifier: Apache-2.0 */
#include "lineinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "debugfile.h"
#include "file.h"
#include "lineinfo_scopes.h"
#include "lineinfo_units.h"
#include "xalloc.h"

/* How often the bytes of a file may be passed, see scopes_init. */
enum { PASSES_MAX = 64 };

struct lineinfo {
	struct elf_image image; /* the file that ran: tells addresses */
	struct elf_image debug; /* its debug file, where that has the debug information */
	bool has_debug;
	Elf *elf;
	Dwarf *dwarf;
	struct units units;
	char *missing;
};

void line_answers_release(struct line_answers *answers)
{
	vec_release(&answers->places);
	vec_release(&answers->frames);
	strtab_release(&answers->texts);
}

/* ---- opening ---- */

static bool has_dwarf(const struct elf_image *img)
{
	return elf_section_named(img, ".debug_info") ||
	       elf_section_named(img, ".zdebug_info");
}

static int open_image(struct lineinfo *info, const struct lineinfo_place *place)
{
	int fd = file_open_below(place->root, place->path);
	int ret = fd < 0 ? fd : elf_image_open_fd(&info->image, fd);

	if (ret) {
		info->image.fd = -1;
		return ret;
	}
	if (place->build_id && place->build_id[0] &&
	    strcmp(place->build_id, info->image.build_id.hex) != 0)
		return -ESTALE;
	return 0;
}

static int open_dwarf(struct lineinfo *info, const struct lineinfo_place *place)
{
	int fd = info->image.fd;

	if (!has_dwarf(&info->image)) {
		info->has_debug = !debugfile_open(&info->image, place->path, place->root,
						  &info->debug);
		if (!info->has_debug || !has_dwarf(&info->debug))
			return -ENODATA;
		fd = info->debug.fd;
	}
	elf_version(EV_CURRENT);
	info->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	info->dwarf = info->elf ? dwarf_begin_elf(info->elf, DWARF_C_READ, NULL) : NULL;
	return info->dwarf ? 0 : -ENOEXEC;
}

int lineinfo_open(const struct lineinfo_place *place, struct lineinfo **out)
{
	struct lineinfo *info = xcalloc(1, sizeof(*info));
	int ret = open_image(info, place);

	if (!ret)
		ret = open_dwarf(info, place);
	if (ret) {
		lineinfo_free(info);
		return ret;
	}
	units_read(&info->units, info->dwarf);
	*out = info;
	return 0;
}

void lineinfo_free(struct lineinfo *info)
{
	if (!info)
		return;
	units_release(&info->units);
	dwarf_end(info->dwarf);
	elf_end(info->elf);
	if (info->has_debug)
		elf_image_release(&info->debug);
	elf_image_release(&info->image);
	free(info->missing);
	free(info);
}

bool lineinfo_has_debug_file(const struct lineinfo *info)
{
	return info->has_debug;
}

const char *lineinfo_missing(const struct lineinfo *info)
{
	return info->missing;
}

/* ---- split units ---- */

static const char *attr_text(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

/* Where the .dwo file of a skeleton was written; the caller frees it.  NULL: none. */
static char *split_path(Dwarf_Die *skeleton)
{
	const char *name = attr_text(skeleton, DW_AT_dwo_name);
	const char *dir = attr_text(skeleton, DW_AT_comp_dir);

	if (!name)
		name = attr_text(skeleton, DW_AT_GNU_dwo_name);
	if (!name)
		return NULL;
	return name[0] == '/' || !dir ? xstrdup(name) : xasprintf("%s/%s", dir, name);
}

/* libdw would wait for a writer where the path names a FIFO. */
static bool may_open(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* The DIE that has the functions of a unit; false where that is in no file. */
static bool unit_tree(struct lineinfo *info, Dwarf_Die *unit, Dwarf_Die *tree)
{
	char *path = split_path(unit);
	uint8_t type;
	bool found;

	*tree = *unit;
	if (!path)
		return true;
	found = may_open(path) &&
		dwarf_cu_info(unit->cu, NULL, &type, NULL, tree, NULL, NULL, NULL) == 0 &&
		tree->addr;
	if (found || info->missing)
		free(path);
	else
		info->missing = path;
	return found;
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

/* The queries that lie in some unit, by unit and address; the caller frees them. */
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

/* What the line table says of an address. */
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
	Dwarf_Die *unit = &info->units.dies.data[queries->unit], tree;
	Dwarf_Addr *addrs = xreallocarray(NULL, count, sizeof(*addrs));
	uint32_t *inner = xcalloc(count, sizeof(*inner));
	struct scope_query query = { addrs, inner, count,
				     attr_text(unit, DW_AT_comp_dir) };

	for (size_t i = 0; i < count; i++)
		addrs[i] = queries[i].addr;
	if (unit_tree(info, unit, &tree))
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
	const struct elf_image *file = info->has_debug ? &info->debug : &info->image;
	struct line_paths paths = { .texts = &out->texts };
	struct query *queries;
	struct scopes scopes;

	*out = (struct line_answers){ 0 };
	strtab_init(&out->texts);
	for (size_t i = 0; i < count; i++)
		*vec_push(&out->places) = (struct line_answer){ 0 };
	scopes_init(&scopes, &paths, file->size * PASSES_MAX);
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
