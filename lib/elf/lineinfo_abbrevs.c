/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_abbrevs.h"

#include <stdint.h>
#include <stdio.h>

#include <dwarf.h>

#include "base/cursor.h"
#include "elf/view.h"

/*
 * Bytes of abbreviations that may be walked: a base, and a multiple of the file's size.
 * Compilers, LTO and dwz need a tenth of these.
 */
enum { PASSED_BASE = 1 << 20, PASSES_MAX = 4 };

struct sections {
	struct cursor info, types, abbrevs;
	uint64_t budget;
	struct elf_lap *lap;
};

static struct cursor section(Elf *elf, const char *name, const char *suffix)
{
	char whole[32];

	snprintf(whole, sizeof(whole), "%s%s", name, suffix);
	return elf_section_cursor(elf, whole);
}

static struct cursor from(struct cursor c, uint64_t offset)
{
	cursor_bytes(&c, offset < cursor_left(&c) ? (size_t)offset : cursor_left(&c));
	return c;
}

/* A number of any size: libdw reads on behind one of more than 64 bits. */
static void skip_number(struct cursor *c)
{
	while (cursor_u8(c) & 0x80)
		;
}

/* DW_FORM_indirect may be any of them. */
static bool refers_out(uint64_t form)
{
	return form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 ||
	       form == DW_FORM_indirect;
}

/* Passes what follows an abbreviation's code.  Whether it refers to other units. */
static bool pass_abbreviation(struct cursor *c)
{
	uint64_t name, form;
	bool out = false;

	skip_number(c); /* its tag */
	cursor_u8(c);   /* whether it has children */
	do {
		name = cursor_varint(c);
		form = cursor_varint(c);
		if (form == DW_FORM_implicit_const)
			skip_number(c);
		out |= refers_out(form);
	} while (cursor_ok(c) && (name || form));
	return out;
}

/* At least the bytes in TABLE before the abbreviation CODE; all if it is damaged. */
static uint64_t bytes_before(struct cursor table, uint64_t code, uint64_t budget)
{
	size_t all = cursor_left(&table), left = all;

	while (all - left <= budget) {
		uint64_t here = cursor_varint(&table);

		if (!here || here == code)
			break;
		pass_abbreviation(&table);
		left = cursor_left(&table);
	}
	return cursor_ok(&table) ? all - left : all;
}

static bool pass_units(struct sections *s, Dwarf *dwarf, struct cursor units, bool types)
{
	Dwarf_Off at = 0, next, table;
	uint64_t signature;
	size_t header;

	while (dwarf_next_unit(dwarf, at, &next, &header, NULL, &table, NULL, NULL,
			       types ? &signature : NULL, NULL) == 0 &&
	       next > at) {
		struct cursor die = from(units, at + header);
		uint64_t code = cursor_varint(&die);
		uint64_t bytes = bytes_before(from(s->abbrevs, table), code, s->budget);

		if (bytes > s->budget)
			return false;
		s->budget -= bytes;
		elf_lap_pass(s->lap, next - at);
		at = next;
	}
	return true;
}

uint64_t abbrevs_budget(uint64_t bytes)
{
	return PASSED_BASE + bytes * PASSES_MAX;
}

bool abbrevs_are_sound(Elf *elf, Dwarf *dwarf, const char *suffix, struct elf_lap *lap)
{
	struct sections s = {
		.info = section(elf, ".debug_info", suffix),
		.types = section(elf, ".debug_types", suffix),
		.abbrevs = section(elf, ".debug_abbrev", suffix),
		.lap = lap,
	};

	s.budget = abbrevs_budget(cursor_left(&s.info) + cursor_left(&s.types) +
				  cursor_left(&s.abbrevs));
	return pass_units(&s, dwarf, s.info, false) &&
	       pass_units(&s, dwarf, s.types, true);
}

bool abbrevs_refer_out(struct cursor section, uint64_t offset, uint64_t *budget)
{
	struct cursor table = from(section, offset);
	size_t all = cursor_left(&table), passed = 0;
	bool out = false;

	while (!out && passed <= *budget && cursor_varint(&table)) {
		out = pass_abbreviation(&table);
		passed = all - cursor_left(&table);
	}
	out |= passed > *budget || !cursor_ok(&table);
	*budget -= passed < *budget ? passed : *budget;
	return out;
}
