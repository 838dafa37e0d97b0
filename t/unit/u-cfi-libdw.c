/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row of the libraries that this program has mapped, against libdw's reading.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "self.h"
#include "tap.h"
#include "unwind/lookup.h"

struct counts {
	unsigned long rows, differ, unknown_to_us, unknown_to_libdw;
	uint64_t first;
};

static bool same_cfa(Dwarf_Frame *frame, const struct cfi_place *cfa)
{
	Dwarf_Op *ops;
	size_t nops;

	if (dwarf_frame_cfa(frame, &ops, &nops))
		return cfa->how == CFI_UNSPECIFIED;
	if (nops == 1 && ops[0].atom == DW_OP_bregx)
		return cfa->how == CFI_REGISTER && ops[0].number == cfa->reg &&
		       ops[0].number2 == (Dwarf_Word)cfa->number;
	return nops ? cfa->how == CFI_VAL_EXPR : cfa->how == CFI_UNSPECIFIED;
}

static bool same_offset(const Dwarf_Op *ops, size_t nops, int64_t offset)
{
	return ops[0].atom == DW_OP_call_frame_cfa &&
	       (nops > 1 && ops[1].atom == DW_OP_plus_uconst ? (int64_t)ops[1].number
							     : 0) == offset;
}

static bool same_place(Dwarf_Frame *frame, unsigned int n, const struct cfi_place *place)
{
	Dwarf_Op mem[3], *ops;
	size_t nops;

	if (dwarf_frame_register(frame, (int)n, mem, &ops, &nops))
		return false;
	switch (place->how) {
	case CFI_UNSPECIFIED: /* libdw knows the ABI's default, or gives none */
		return nops == 0 || ops == mem;
	case CFI_UNDEFINED:
		return nops == 0 && ops;
	case CFI_SAME:
		return nops == 0 && !ops;
	case CFI_OFFSET:
	case CFI_VAL_OFFSET:
		return nops && same_offset(ops, nops, place->number);
	case CFI_REGISTER:
		return nops == 1 && ops[0].atom == DW_OP_regx &&
		       ops[0].number == place->reg;
	default:
		return nops && ops != mem;
	}
}

static bool same_row(Dwarf_Frame *frame, const struct cfi_row *row, unsigned int nregs)
{
	Dwarf_Addr start, end;
	bool signal;
	int ra = dwarf_frame_info(frame, &start, &end, &signal);

	/* Not the start: libdw's is that of the state that was restored. */
	if (ra != row->ra || end != row->end || signal != row->signal ||
	    !same_cfa(frame, &row->cfa))
		return false;
	for (unsigned int n = 0; n < nregs; n++)
		if (!same_place(frame, n, &row->reg[n]))
			return false;
	return same_place(frame, row->ra, &row->reg[row->ra]);
}

/* Walks one segment by rows; between functions by bytes. */
static void compare_segment(Dwarf_CFI *theirs, struct unwind_module *ours,
			    const struct elf_segment *s, struct counts *counts)
{
	uint64_t end = s->vaddr + s->filesz;
	struct cfi_row row;
	bool found;

	for (uint64_t at = s->vaddr; at < end; at = found ? row.end : at + 1) {
		Dwarf_Frame *frame = NULL;
		uint32_t fuel = 100000;

		found = unwind_module_row(ours, at, &fuel, &row);
		if (!found && at % 16)
			continue;
		if (dwarf_cfi_addrframe(theirs, at, &frame))
			frame = NULL;
		counts->rows += found;
		counts->unknown_to_us += frame && !found;
		counts->unknown_to_libdw += !frame && found;
		if (frame && found && !same_row(frame, &row, ours->arch->nregs)) {
			if (!counts->differ++)
				counts->first = at;
		}
		free(frame);
	}
}

static void compare(const struct self_map *map)
{
	struct unwind_module *ours = map->map.module;
	int fd = open(map->name, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Dwarf_CFI *theirs = elf ? dwarf_getcfi_elf(elf) : NULL;
	struct counts counts = { 0 };

	if (theirs) {
		vec_for_each(const struct elf_segment, s, &ours->file.segments)
			if (s->flags & PF_X)
				compare_segment(theirs, ours, s, &counts);
		ok(counts.rows > 0, "%s: %lu rows", map->name, counts.rows);
		is_u64(counts.differ, 0, "%s: none differs (%#lx)", map->name,
		       (unsigned long)counts.first);
		is_u64(counts.unknown_to_us, 0, "%s: none is missed", map->name);
		is_u64(counts.unknown_to_libdw, 0, "%s: none is invented", map->name);
		dwarf_cfi_end(theirs);
	}
	elf_end(elf);
	close(fd);
}

int main(int argc, char **argv)
{
	struct self_space space;
	struct self_map named = { 0 };
	int fd;

	elf_version(EV_CURRENT);
	/* For trying it on other files. */
	for (int i = 1; i < argc; i++) {
		fd = open(argv[i], O_RDONLY | O_CLOEXEC);
		strncpy(named.name, argv[i], sizeof(named.name) - 1);
		if (unwind_module_open(fd, &named.map.module) == 0)
			compare(&named);
		unwind_module_free(named.map.module);
		named.map.module = NULL;
	}
	self_space_init(&space);
	vec_for_each(const struct self_map, map, &space.maps)
		if (argc == 1 && map->map.module && map->name[0] == '/')
			compare(map);
	self_space_release(&space);
	return done_testing();
}
