/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/split_unit.h"

#include <stdlib.h>

#include <dwarf.h>

#include "base/program.h"
#include "elf/lineinfo_abbrevs.h"

enum { UNITS_PASSED_MAX = 1 << 20 };

/* Padding before the ranges, see add_ranges; one entry of the larger kind. */
enum { RANGES_PAD = 16 };

void split_object_init(struct split_object *object, Elf *elf)
{
	*object = (struct split_object){ .elf = elf, .budget = UNITS_PASSED_MAX };
}

void split_object_release(struct split_object *object)
{
	strbuf_release(&object->ranges);
}

/* ---- the attributes of a skeleton ---- */

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

const char *split_name(Dwarf_Die *skeleton)
{
	return text_of(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
}

const char *split_dir(Dwarf_Die *skeleton)
{
	return text_of(skeleton, DW_AT_comp_dir, DW_AT_comp_dir);
}

/* ---- the file that libdw sees ---- */

void split_slices_add(struct split_slices *slices, Elf *elf, const char *name)
{
	if (elf_slice_get(elf, name, &slices->list[slices->count]))
		slices->count++;
}

static void add_texts(struct split_slices *slices, Elf *elf)
{
	size_t before = slices->count;

	split_slices_add(slices, elf, ".debug_str.dwo");
	if (slices->count > before)
		elf_slice_end_texts(&slices->list[before]);
}

/* Adds the object's addresses from the unit's start on, which only the skeleton knows. */
static void add_addresses(struct split_object *object, Dwarf_Die *skeleton,
			  struct split_slices *slices)
{
	struct elf_slice *slice = &slices->list[slices->count];
	Dwarf_Word base = number_of(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base);

	if (!elf_slice_get(object->elf, ".debug_addr", slice) || base > slice->len ||
	    !elf_slice_cut(slice, base, slice->len - base))
		return;
	slice->name = ".debug_addr.dwo";
	slices->count++;
}

/*
 * Before DWARF 5 they are in the object, too.  To dwarf_ranges an offset of 0 means the
 * start of a walk; in this copy no list has it.
 */
static void add_ranges(struct split_object *object, struct split_slices *slices)
{
	struct elf_slice slice;

	if (!elf_slice_get(object->elf, ".debug_ranges", &slice))
		return;
	if (!object->ranges.len) {
		strbuf_pad(&object->ranges, '\0', RANGES_PAD);
		strbuf_add(&object->ranges, slice.bytes, slice.len);
	}
	slices->list[slices->count++] = (struct elf_slice){ ".debug_ranges.dwo",
							    object->ranges.data,
							    object->ranges.len };
}

static bool find_unit(struct split_object *object, struct split *split)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint64_t id;
	uint8_t type;

	while (object->budget &&
	       dwarf_get_units(split->dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		object->budget--;
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

bool split_open(struct split_object *object, Dwarf_Die *skeleton, Elf *file,
		struct split_slices *slices, struct split *split)
{
	struct elf_lap lap = { .elf = split->file };

	add_texts(slices, file);
	add_addresses(object, skeleton, slices);
	add_ranges(object, slices);
	if (elf_view_make(&split->view, object->elf, slices->list, slices->count)) {
		split->closed = elf_section_close_text(split->view.elf,
						       ".debug_info.dwo");
		split->dwarf = dwarf_begin_elf(split->view.elf, DWARF_C_READ, NULL);
	}
	if (split->dwarf)
		dwarf_new_oom_handler(split->dwarf, program_die_oom);
	if (split->dwarf &&
	    abbrevs_are_sound(split->view.elf, split->dwarf, ".dwo", &lap) &&
	    find_unit(object, split)) {
		set_base(skeleton, split->view.elf, &split->tree);
		return true;
	}
	split_release(split);
	*split = (struct split){ .id = split->id };
	return false;
}

void split_release(struct split *split)
{
	dwarf_end(split->dwarf);
	elf_view_release(&split->view);
	free(split->closed);
	elf_end(split->file);
}

/* ---- ranges ---- */

/*
 * Numbers index a table of offsets behind the section's header; offsets count from the
 * start of the table, and have 4 bytes, or 8 in DWARF's 64-bit form.
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
