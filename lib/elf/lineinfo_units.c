/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/program.h"
#include "base/sorted.h"
#include "elf/lineinfo_abbrevs.h"

/* Ranges of damaged or merely discarded units must not make this slow. */
enum { OVERLAPS_MAX = 64 };

/* ---- libdw ---- */

static bool reader_open(struct unit_reader *reader, const struct units *units,
			Dwarf_Off start, Dwarf_Off end)
{
	struct elf_slice sections[UNIT_SECTIONS_MAX];

	memcpy(sections, units->sections, sizeof(sections));
	if (end < start || !elf_slice_cut(&sections[0], start, end - start))
		return false;
	if (elf_view_make(&reader->view, units->elf, sections, units->section_count))
		reader->dwarf = dwarf_begin_elf(reader->view.elf, DWARF_C_READ, NULL);
	if (!reader->dwarf) {
		elf_view_release(&reader->view);
		return false;
	}
	dwarf_new_oom_handler(reader->dwarf, program_die_oom);
	if (units->alt)
		dwarf_setalt(reader->dwarf, units->alt);
	return true;
}

static void reader_close(struct units *units, struct unit_reader *reader)
{
	if (!reader->dwarf)
		return;
	dwarf_end(reader->dwarf);
	elf_view_release(&reader->view);
	reader->dwarf = NULL;
	units->closed++;
}

static bool open_whole(struct units *units)
{
	return units->whole.dwarf ||
	       reader_open(&units->whole, units, 0, units->sections[0].len);
}

/* What is not needed is not listed: libdw would unpack it. */
static bool gather_sections(struct units *units)
{
	static const char *const names[UNIT_SECTIONS_MAX] = {
		".debug_info",   ".debug_types",       ".debug_abbrev", ".debug_line",
		".debug_str",    ".debug_str_offsets", ".debug_addr",   ".debug_line_str",
		".debug_ranges", ".debug_rnglists",
	};

	elf_section_end_texts(units->elf, ".debug_str");
	elf_section_end_texts(units->elf, ".debug_line_str");
	*vec_push(&units->copies) = elf_section_close_text(units->elf, ".debug_info");
	*vec_push(&units->copies) = elf_section_close_text(units->elf, ".debug_types");
	for (size_t i = 0; i < UNIT_SECTIONS_MAX; i++)
		units->section_count += elf_slice_get(
			units->elf, names[i], &units->sections[units->section_count]);
	units->abbrevs = elf_section_cursor(units->elf, ".debug_abbrev");
	units->abbrev_budget = abbrevs_budget(units->sections[0].len +
					      cursor_left(&units->abbrevs));
	return units->section_count && !strcmp(units->sections[0].name, names[0]);
}

int units_open(struct units *units, Elf *elf, Dwarf *alt)
{
	*units = (struct units){ .elf = elf, .alt = alt, .lap = { .elf = elf } };
	if (!gather_sections(units) || !open_whole(units) ||
	    !abbrevs_are_sound(units->whole.view.elf, units->whole.dwarf, "",
			       &units->lap))
		return -ENOEXEC;
	return 0;
}

void units_release(struct units *units)
{
	reader_close(units, &units->alone);
	reader_close(units, &units->whole);
	vec_release(&units->places);
	vec_release(&units->ranges);
	vec_for_each(char *, copy, &units->copies)
		free(*copy);
	vec_release(&units->copies);
}

/* ---- which has an address ---- */

static void add_ranges(struct units *units, Dwarf_Die *die, uint64_t *budget)
{
	uint32_t unit = (uint32_t)units->places.len;
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	for (; *budget; --*budget) {
		at = dwarf_ranges(die, at, &base, &low, &high);
		if (at <= 0)
			break;
		if (low && low < high) /* at 0: the linker dropped it */
			*vec_push(&units->ranges) = (struct unit_range){ low, high,
									 unit };
	}
}

/* Units of types have no code, partial ones none of their own. */
static bool is_code(Dwarf_Die *die)
{
	uint8_t type;

	return dwarf_cu_info(die->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) == 0 &&
	       (type == DW_UT_compile || type == DW_UT_skeleton);
}

static int by_low(const void *va, const void *vb)
{
	const struct unit_range *a = va, *b = vb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

void units_index(struct units *units, uint64_t budget)
{
	Dwarf *dwarf = units->whole.dwarf;
	Dwarf_Off at = 0, next, abbrevs, all = units->sections[0].len;
	size_t header;

	for (; dwarf_next_unit(dwarf, at, &next, &header, NULL, &abbrevs, NULL, NULL,
			       NULL, NULL) == 0 &&
	       next > at;
	     at = next) {
		Dwarf_Die die;

		elf_lap_pass(&units->lap, next - at);
		if (!dwarf_offdie(dwarf, at + header, &die) ||
		    dwarf_cuoffset(&die) != header || !is_code(&die))
			continue;
		add_ranges(units, &die, &budget);
		*vec_push(&units->places) = (struct unit_place){ at, at + header,
								 next < all ? next : all,
								 abbrevs,
								 unit_lines(&die) };
	}
	reader_close(units, &units->whole);
	elf_pages_forget(units->elf);
	if (units->ranges.len)
		qsort(units->ranges.data, units->ranges.len, sizeof(*units->ranges.data),
		      by_low);
}

uint32_t units_find(const struct units *units, Dwarf_Addr addr)
{
	const struct unit_range *ranges = units->ranges.data;
	size_t below = sorted_up_to(ranges, units->ranges.len, low, addr);

	for (int i = 0; i < OVERLAPS_MAX && below > 0; i++)
		if (addr < ranges[--below].high)
			return ranges[below].unit;
	return UNIT_NONE;
}

/* ---- its DIEs ---- */

bool units_die(struct units *units, uint32_t unit, Dwarf_Die *out)
{
	const struct unit_place *place = &units->places.data[unit];
	bool refers = abbrevs_refer_out(units->abbrevs, place->abbrevs,
					&units->abbrev_budget);

	reader_close(units, &units->alone);
	if (elf_lap_pass(&units->lap, place->end - place->start))
		reader_close(units, &units->whole);
	if (refers)
		return open_whole(units) &&
		       dwarf_offdie(units->whole.dwarf, place->die, out);
	return reader_open(&units->alone, units, place->start, place->end) &&
	       dwarf_offdie(units->alone.dwarf, place->die - place->start, out);
}

const char *unit_dir(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	return dwarf_attr(unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
}

Dwarf_Off unit_lines(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	return dwarf_attr(unit, DW_AT_stmt_list, &attr) &&
			       dwarf_formudata(&attr, &offset) == 0
		       ? offset
		       : NO_LINES;
}
