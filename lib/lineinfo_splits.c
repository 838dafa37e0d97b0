/* SPDX-License-Identifier: Apache-2.0 */
#include "lineinfo_splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>

#include "dwp_index.h"
#include "file.h"
#include "xalloc.h"

enum { UNITS_PASSED_MAX = 1 << 20 };

/* In front of the ranges, see add_ranges; one entry of the larger kind. */
enum { RANGES_PAD = 16 };

/* The sections of a unit's file, its addresses and ranges. */
enum { SLICES_MAX = 8 };

struct slices {
	struct elf_slice list[SLICES_MAX];
	size_t count;
};

static const char *keep(struct splits *splits, const char *text)
{
	return text ? (*vec_push(&splits->texts) = xstrdup(text)) : NULL;
}

void splits_init(struct splits *splits, const struct object_place *place, Elf *elf)
{
	*splits = (struct splits){ .elf = elf,
				   .package = { .fd = -1 },
				   .budget = UNITS_PASSED_MAX };
	splits->place.path = keep(splits, place->path);
	splits->place.root = keep(splits, place->root);
	splits->place.build_id = keep(splits, place->build_id);
	splits->place.archive = keep(splits, place->archive);
}

static void split_release(struct split *split)
{
	dwarf_end(split->dwarf);
	elf_end(split->view);
	free(split->closed);
	elf_end(split->file);
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
	strbuf_release(&splits->ranges);
	vec_for_each(char *, text, &splits->texts)
		free(*text);
	vec_release(&splits->texts);
	free(splits->missing);
}

/* ---- what a skeleton says ---- */

/* Of two attributes, that of DWARF 5 and the older one of GNU. */
static bool attr_of(Dwarf_Die *die, unsigned name, unsigned gnu, Dwarf_Attribute *out)
{
	return dwarf_attr(die, name, out) || dwarf_attr(die, gnu, out);
}

static const char *text_of(Dwarf_Die *die, unsigned name, unsigned gnu)
{
	Dwarf_Attribute attr;

	return attr_of(die, name, gnu, &attr) ? dwarf_formstring(&attr) : NULL;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name, unsigned gnu)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (!attr_of(die, name, gnu, &attr) || dwarf_formudata(&attr, &number) != 0)
		return 0;
	return number;
}

/* Of its own file; NULL: the unit is whole. */
static const char *split_name(Dwarf_Die *skeleton)
{
	return text_of(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
}

static char *below(const char *dir, const char *name)
{
	return name[0] == '/' || !dir ? xstrdup(name) : xasprintf("%s/%s", dir, name);
}

/* Where the file NAME was written; the caller frees it. */
static char *path_when_compiled(Dwarf_Die *skeleton, const char *name)
{
	return below(text_of(skeleton, DW_AT_comp_dir, DW_AT_comp_dir), name);
}

/* ---- the file that libdw sees ---- */

static void add_section(struct slices *slices, Elf *elf, const char *name)
{
	if (elf_slice_get(elf, name, &slices->list[slices->count]))
		slices->count++;
}

static void add_texts(struct slices *slices, Elf *elf)
{
	size_t before = slices->count;

	add_section(slices, elf, ".debug_str.dwo");
	if (slices->count > before)
		elf_slice_end_texts(&slices->list[before]);
}

/* They are in the object; where they begin only the skeleton says, so they begin there.
 */
static void add_addresses(struct splits *splits, Dwarf_Die *skeleton,
			  struct slices *slices)
{
	struct elf_slice *slice = &slices->list[slices->count];
	Dwarf_Word base = number_of(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base);

	if (!elf_slice_get(splits->elf, ".debug_addr", slice) || base > slice->len ||
	    !elf_slice_cut(slice, base, slice->len - base))
		return;
	slice->name = ".debug_addr.dwo";
	slices->count++;
}

/*
 * Before DWARF 5 they are in the object, too.  An offset of 0 means the beginning of a
 * walk to dwarf_ranges; in this copy no list has it.
 */
static void add_ranges(struct splits *splits, struct slices *slices)
{
	struct elf_slice slice;

	if (!elf_slice_get(splits->elf, ".debug_ranges", &slice))
		return;
	if (!splits->ranges.len) {
		strbuf_pad(&splits->ranges, '\0', RANGES_PAD);
		strbuf_add(&splits->ranges, slice.bytes, slice.len);
	}
	slices->list[slices->count++] = (struct elf_slice){ ".debug_ranges.dwo",
							    splits->ranges.data,
							    splits->ranges.len };
}

static bool find_unit(struct splits *splits, struct split *split)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint64_t id;
	uint8_t type;

	while (splits->budget &&
	       dwarf_get_units(split->dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		splits->budget--;
		if (type != DW_UT_split_compile ||
		    dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0 ||
		    id != split->id)
			continue;
		split->tree.die = die;
		return true;
	}
	return false;
}

static void set_base(Dwarf_Die *skeleton, Elf *view, struct unit_tree *tree)
{
	Dwarf_Half version = 0;

	tree->split = true;
	tree->lists = elf_section_cursor(view, ".debug_rnglists.dwo");
	if (dwarf_lowpc(skeleton, &tree->base) != 0)
		tree->base = 0;
	dwarf_cu_info(tree->die.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
	if (version < 5)
		tree->ranges = RANGES_PAD + number_of(skeleton, DW_AT_GNU_ranges_base,
						      DW_AT_GNU_ranges_base);
}

/* FILE has the slices so far. */
static bool open_view(struct splits *splits, Dwarf_Die *skeleton, Elf *file,
		      struct slices *slices, struct split *split)
{
	add_texts(slices, file);
	add_addresses(splits, skeleton, slices);
	add_ranges(splits, slices);
	split->view = elf_view_make(splits->elf, slices->list, slices->count);
	if (split->view) {
		split->closed = elf_section_close_text(split->view, ".debug_info.dwo");
		split->dwarf = dwarf_begin_elf(split->view, DWARF_C_READ, NULL);
	}
	if (split->dwarf && find_unit(splits, split)) {
		set_base(skeleton, split->view, &split->tree);
		return true;
	}
	split_release(split);
	*split = (struct split){ .id = split->id };
	return false;
}

/* ---- ranges ---- */

/*
 * Numbers are those of a table of offsets behind the section's header, which count from
 * where the table begins; all are of 4 bytes, or of 8 in DWARF's 64-bit form.
 */
static bool list_offset(struct cursor lists, Dwarf_Word number, Dwarf_Word *out)
{
	bool wide = cursor_u32(&lists) == UINT32_MAX;
	size_t header = wide ? 16 : 8, size = wide ? 8 : 4, left;

	cursor_bytes(&lists, header);
	left = cursor_left(&lists);
	if (number > left / size)
		return false;
	cursor_bytes(&lists, (size_t)number * size);
	*out = wide ? cursor_u64(&lists) : cursor_u32(&lists);
	*out += 4 + header;
	return cursor_ok(&lists);
}

ptrdiff_t unit_tree_ranges(const struct unit_tree *tree, Dwarf_Die *die, Dwarf_Addr *base)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	*base = tree->base;
	if (!tree->split || !dwarf_attr(die, DW_AT_ranges, &attr) ||
	    dwarf_formudata(&attr, &offset) != 0)
		return 0;
	if (dwarf_whatform(&attr) == DW_FORM_rnglistx &&
	    !list_offset(tree->lists, offset, &offset))
		return 0;
	return (ptrdiff_t)(offset + tree->ranges);
}

/* ---- packages ---- */

static void open_package(struct splits *splits)
{
	struct split_package *package = &splits->package;
	char *path = xasprintf("%s.dwp", splits->place.path);

	package->tried = true;
	package->fd = object_part_open(&splits->place, OBJECT_PART_PACKAGE);
	if (package->fd < 0)
		package->fd = file_open_below(splits->place.root, path);
	if (package->fd >= 0)
		package->elf = elf_begin(package->fd, ELF_C_READ_MMAP, NULL);
	if (package->fd >= 0 && !package->elf)
		close(package->fd);
	free(path);
}

static bool look_up(Elf *package, uint64_t id, struct dwp_slices *out)
{
	return dwp_index_find(elf_section_cursor(package, ".debug_cu_index"), id, out) ==
	       0;
}

static bool open_in_package(struct splits *splits, Dwarf_Die *skeleton,
			    struct split *split)
{
	struct slices slices = { .count = 0 };
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
	if (!open_view(splits, skeleton, package, &slices, split))
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
	int fd = object_part_open(&splits->place, name);

	free(name);
	return fd;
}

static int open_beside(const struct splits *splits, const char *name)
{
	const char *slash = strrchr(splits->place.path, '/');
	char *path = xasprintf("%.*s/%s", (int)(slash ? slash - splits->place.path : 0),
			       splits->place.path, name);
	int fd = slash ? file_open_below(splits->place.root, path) : -ENOENT;

	free(path);
	return fd;
}

/* The header of the unit at C, which is moved behind that unit. */
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
 * that of the code, gcc each in a section of its own that is called .debug_info.dwo like
 * that of the code.
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
	struct slices slices = { .count = 0 };

	if (fd < 0)
		return false;
	split->file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (split->file)
		elf_cntl(split->file, ELF_C_FDDONE);
	close(fd);
	if (split->file && elf_slice_get_where(split->file, ".debug_info.dwo", has_code,
					       &slices.list[0]))
		slices.count = 1;
	for (size_t i = 0; split->file && i < sizeof(names) / sizeof(names[0]); i++)
		add_section(&slices, split->file, names[i]);
	return open_view(splits, skeleton, split->file, &slices, split);
}

static bool open_in_file(struct splits *splits, Dwarf_Die *skeleton, const char *name,
			 struct split *split)
{
	char *path = path_when_compiled(skeleton, name);
	bool found = open_elf(splits, skeleton, open_archived(splits, split->id), split);

	if (!found && name[0] != '/')
		found = open_elf(splits, skeleton, open_beside(splits, name), split);
	if (!found)
		found = open_elf(splits, skeleton,
				 file_open_below(splits->place.root, path), split);
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

static void give_part(const char *name, Elf *elf, lineinfo_part_fn *fn, void *ctx)
{
	size_t len;
	const char *bytes = elf_rawfile(elf, &len);

	if (bytes)
		fn(ctx, name, bytes, len);
}

void splits_parts(const struct splits *splits, lineinfo_part_fn *fn, void *ctx)
{
	if (splits->package.used)
		give_part(OBJECT_PART_PACKAGE, splits->package.elf, fn, ctx);
	vec_for_each(const struct split, split, &splits->list) {
		char *name = part_name(split->id);

		if (split->found && split->file)
			give_part(name, split->file, fn, ctx);
		free(name);
	}
}
