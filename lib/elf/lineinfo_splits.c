/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>

#include "elf/dwp_index.h"
#include "base/file.h"
#include "base/xalloc.h"

void splits_init(struct splits *splits, const struct object_place *place, Elf *elf)
{
	*splits = (struct splits){ .place = place, .package = { .fd = -1 } };
	split_object_init(&splits->object, elf);
}

void splits_release(struct splits *splits)
{
	vec_for_each(struct split, split, &splits->list)
		split_release(split);
	vec_release(&splits->list);
	idmap_release(&splits->by_unit);
	elf_end(splits->package.elf);
	if (splits->package.elf)
		close(splits->package.fd);
	split_object_release(&splits->object);
	free(splits->missing);
}

/* ---- packages ---- */

static void open_package(struct splits *splits)
{
	struct split_package *package = &splits->package;
	char *path = xasprintf("%s.dwp", splits->place->path);

	package->tried = true;
	package->fd = object_part_open(splits->place, OBJECT_PART_PACKAGE);
	if (package->fd < 0)
		package->fd = object_open_below(splits->place, path);
	if (package->fd >= 0)
		package->elf = elf_begin(package->fd, ELF_C_READ_MMAP, NULL);
	if (package->fd >= 0 && !package->elf)
		close(package->fd);
	free(path);
}

static bool look_up(Elf *package, uint64_t id, struct dwp_slices *out)
{
	return !dwp_index_find(elf_section_cursor(package, ".debug_cu_index"), id, out);
}

static bool open_in_package(struct splits *splits, Dwarf_Die *skeleton,
			    struct split *split)
{
	struct split_slices slices = { .count = 0 };
	Elf *package;
	struct dwp_slices found;

	if (!splits->package.tried)
		open_package(splits);
	package = splits->package.elf;
	if (!package || !look_up(package, split->id, &found))
		return false;
	for (size_t i = 0; i < found.count; i++) {
		struct elf_slice *slice = &slices.list[slices.count++];

		if (!elf_slice_get(package, found.list[i].section, slice) ||
		    !elf_slice_cut(slice, found.list[i].offset, found.list[i].size))
			return false;
	}
	if (!split_open(&splits->object, skeleton, package, &slices, split))
		return false;
	splits->package.used = true;
	return true;
}

/* ---- files ---- */

static char *part_name(uint64_t id)
{
	return xasprintf(OBJECT_PART_SPLITS "/%016llx", (unsigned long long)id);
}

static int open_archived(const struct splits *splits, uint64_t id)
{
	char *name = part_name(id);
	int fd = object_part_open(splits->place, name);

	free(name);
	return fd;
}

static int open_beside(const struct splits *splits, const char *name)
{
	const char *slash = strrchr(splits->place->path, '/');
	char *path = xasprintf("%.*s/%s", (int)(slash ? slash - splits->place->path : 0),
			       splits->place->path, name);
	int fd = slash ? object_open_below(splits->place, path) : -ENOENT;

	free(path);
	return fd;
}

/* Reads the header of the unit at C, and moves C behind the unit. */
static bool is_code(struct cursor *c)
{
	uint64_t len = cursor_u32(c);
	size_t before;
	bool code;

	if (len == UINT32_MAX)
		len = cursor_u64(c);
	before = cursor_left(c);
	code = cursor_u16(c) < 5 || cursor_u8(c) == DW_UT_split_compile;
	len -= before - cursor_left(c);
	cursor_bytes(c, len < cursor_left(c) ? (size_t)len : cursor_left(c));
	return code;
}

/*
 * With -fdebug-types-section compilers write types as units of DWARF 5 too: clang before
 * the code's unit, gcc each in a section of its own, also named .debug_info.dwo.
 */
static bool has_code(Elf *elf, const struct elf_slice *slice)
{
	struct cursor c = elf_slice_cursor(elf, slice);

	while (cursor_left(&c))
		if (is_code(&c))
			return true;
	return false;
}

static bool open_elf(struct splits *splits, Dwarf_Die *skeleton, int fd,
		     struct split *split)
{
	static const char *const names[] = { ".debug_abbrev.dwo",
					     ".debug_str_offsets.dwo",
					     ".debug_rnglists.dwo", ".debug_types.dwo" };
	struct split_slices slices = { .count = 0 };

	if (fd < 0)
		return false;
	if (!fstat(fd, &split->like))
		split->file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (split->file)
		elf_cntl(split->file, ELF_C_FDDONE);
	close(fd);
	if (split->file && elf_slice_get_where(split->file, ".debug_info.dwo", has_code,
					       &slices.list[0]))
		slices.count = 1;
	for (size_t i = 0; split->file && i < sizeof(names) / sizeof(names[0]); i++)
		split_slices_add(&slices, split->file, names[i]);
	return split_open(&splits->object, skeleton, split->file, &slices, split);
}

static char *below(const char *dir, const char *name)
{
	return name[0] == '/' || !dir ? xstrdup(name) : xasprintf("%s/%s", dir, name);
}

/* The path at which the compiler wrote file NAME; the caller frees it. */
static char *path_when_compiled(Dwarf_Die *skeleton, const char *name)
{
	return below(split_dir(skeleton), name);
}

static bool open_in_file(struct splits *splits, Dwarf_Die *skeleton, const char *name,
			 struct split *split)
{
	char *path = path_when_compiled(skeleton, name);
	bool found = open_elf(splits, skeleton, open_archived(splits, split->id), split);

	if (!found && name[0] != '/')
		found = open_elf(splits, skeleton, open_beside(splits, name), split);
	if (!found)
		found = open_elf(splits, skeleton, object_open_below(splits->place, path),
				 split);
	if (found || splits->missing)
		free(path);
	else
		splits->missing = path;
	return found;
}

/* ---- all of them ---- */

/* The unit's number: DWARF 5 has it in the unit's header. */
static bool read_id(Dwarf_Die *skeleton, uint64_t *id)
{
	return dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, id, NULL, NULL) == 0;
}

bool splits_tree(struct splits *splits, uint32_t unit, Dwarf_Die *die,
		 struct unit_tree *out)
{
	uint32_t known, next = (uint32_t)splits->list.len;
	const char *name = split_name(die);
	struct split *split;

	*out = (struct unit_tree){ .die = *die };
	if (!name)
		return true;
	known = idmap_intern(&splits->by_unit, unit, 0, next);
	if (known == next) {
		split = vec_push(&splits->list);
		*split = (struct split){ 0 };
		split->found = read_id(die, &split->id) &&
			       (open_in_package(splits, die, split) ||
				open_in_file(splits, die, name, split));
	}
	split = &splits->list.data[known];
	*out = split->tree;
	return split->found;
}

void splits_forget(const struct splits *splits, uint32_t unit)
{
	uint32_t known = idmap_get(&splits->by_unit, unit, 0);
	const struct split *split;

	if (known == IDMAP_NONE)
		return;
	split = &splits->list.data[known];
	if (split->found)
		elf_pages_forget(split->file ? split->file : splits->package.elf);
}

static void give_part(const char *name, Elf *elf, const struct stat *like,
		      object_part_fn *fn, void *ctx)
{
	size_t len;
	const char *bytes = elf_rawfile(elf, &len);

	if (bytes)
		fn(ctx, name, like, bytes, len);
}

void splits_parts(const struct splits *splits, object_part_fn *fn, void *ctx)
{
	struct stat like;

	if (splits->package.used && !fstat(splits->package.fd, &like))
		give_part(OBJECT_PART_PACKAGE, splits->package.elf, &like, fn, ctx);
	vec_for_each(const struct split, split, &splits->list) {
		char *name = part_name(split->id);

		if (split->found && split->file)
			give_part(name, split->file, &split->like, fn, ctx);
		free(name);
	}
}
