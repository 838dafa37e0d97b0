/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the linker's stubs, through which calls into other objects go.
 *
 * The layout of a PLT differs between linkers, versions and options (lazy or not, IBT,
 * BTI).  But every stub jumps through a slot of the GOT, and the relocation of that slot
 * names the function.  So we decode each stub's jump instead of counting stubs: one that
 * does not decode, or whose slot has no relocation, gets no name.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/symbols.h"
#include "base/idmap.h"

/*
 * The most bytes of a table of relocations (Chromium has 15 MB), and of the code of all
 * stubs: a sparse file can have any number of sections of any size.
 */
enum { RELOCATIONS_MAX = 1 << 26, STUBS_MAX = 1 << 26 };

/* A slot of the GOT and what the dynamic loader puts there. */
struct got_slot {
	uint64_t slot, resolver; /* resolver: IRELATIVE, a local function, no symbol */
	uint32_t name;           /* offset in the symtab's names; 0: none */
};

struct plt {
	const struct elf_image *img;
	const struct plt_machine *machine;
	const struct elf_symbols *dynsym;
	struct symtab *tab;
	struct idmap functions; /* address → entry of the table, its best name */
	VEC(struct got_slot) slots;
};

/* A stub's first byte, from the section's start, and the slot that it jumps through. */
struct stub {
	size_t start;
	uint64_t slot;
};

struct plt_machine {
	uint16_t machine;
	uint32_t glob_dat, jump_slot, irelative; /* relocation types */
	size_t step;                             /* stubs begin at multiples of it */
	/* Whether a stub begins AT bytes into the section, whose address is VADDR. */
	bool (*decode)(const struct strbuf *code, size_t at, uint64_t vaddr,
		       struct stub *out);
};

static uint32_t le32(const struct strbuf *code, size_t at)
{
	const unsigned char *b = (const unsigned char *)code->data + at;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool skip_bytes(const struct strbuf *code, size_t *at, const char *bytes,
		       size_t len)
{
	if (*at > code->len || code->len - *at < len ||
	    memcmp(code->data + *at, bytes, len) != 0)
		return false;
	*at += len;
	return true;
}

/* [endbr64] [bnd] jmp *disp32(%rip) */
static bool decode_x86_64(const struct strbuf *code, size_t at, uint64_t vaddr,
			  struct stub *out)
{
	out->start = at;
	skip_bytes(code, &at, "\xf3\x0f\x1e\xfa", 4);
	skip_bytes(code, &at, "\xf2", 1);
	if (!skip_bytes(code, &at, "\xff\x25", 2) || code->len - at < 4)
		return false;
	out->slot = vaddr + at + 4 + (uint64_t)(int32_t)le32(code, at);
	return true;
}

#define BTI_C 0xd503245fu

/* [bti c]; adrp x16, page; ldr x17, [x16, #low]; … */
static bool decode_aarch64(const struct strbuf *code, size_t at, uint64_t vaddr,
			   struct stub *out)
{
	uint32_t adrp, ldr, page;

	if (code->len - at < 8)
		return false;
	adrp = le32(code, at);
	ldr = le32(code, at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	/* 21 bits, the low two of them apart, count pages. */
	page = ((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 11;
	out->slot = ((vaddr + at) & ~0xfffull) + ((uint64_t)(int64_t)(int32_t)page << 1) +
		    (uint64_t)(ldr >> 10 & 0xfff) * 8;
	out->start = at >= 4 && le32(code, at - 4) == BTI_C ? at - 4 : at;
	return true;
}

static const struct plt_machine machines[] = {
	{ EM_X86_64, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_IRELATIVE, 8,
	  decode_x86_64 },
	{ EM_AARCH64, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT, R_AARCH64_IRELATIVE, 4,
	  decode_aarch64 },
};

static const struct plt_machine *machine_of(const struct elf_image *img)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == img->machine && img->is64 && !img->swap)
			return &machines[i];
	return NULL;
}

static void add_slot(struct plt *plt, struct cursor *c)
{
	uint64_t offset = cursor_u64(c), info = cursor_u64(c), addend = cursor_u64(c);
	struct got_slot slot = { .slot = offset };
	uint32_t type = ELF64_R_TYPE(info);
	struct elf_symbol sym;

	if (type == plt->machine->irelative)
		slot.resolver = addend;
	else if ((type == plt->machine->jump_slot || type == plt->machine->glob_dat) &&
		 elf_symbols_get(plt->dynsym, (uint32_t)ELF64_R_SYM(info), &sym))
		slot.name = sym.name;
	if (slot.name || slot.resolver)
		*vec_push(&plt->slots) = slot;
}

static void read_relocations(struct plt *plt, const char *section_name)
{
	const struct elf_section *section = elf_section_named(plt->img, section_name);
	struct strbuf bytes = { 0 };
	struct cursor c;

	if (!section || section->type != SHT_RELA ||
	    elf_section_read(plt->img, section, RELOCATIONS_MAX, &bytes) != 0)
		goto out;
	c = elf_image_cursor(plt->img, &bytes);
	while (cursor_left(&c) >= sizeof(Elf64_Rela))
		add_slot(plt, &c);
out:
	strbuf_release(&bytes);
}

static int compare_slots(const void *left, const void *right)
{
	const struct got_slot *a = left, *b = right;

	return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Keeps the global name of functions that start at one address, as symtab_finish does. */
static void index_functions(struct plt *plt)
{
	for (uint32_t i = 0; i < plt->tab->entries.len; i++) {
		const struct symbol_entry *entry = &plt->tab->entries.data[i];
		uint32_t seen = idmap_intern(&plt->functions, entry->start, 0, i);

		if (entry->binding < plt->tab->entries.data[seen].binding)
			idmap_set(&plt->functions, entry->start, 0, i);
	}
}

/* The offset in names of the slot's target; 0: none. */
static uint32_t target_name(const struct plt *plt, const struct got_slot *slot)
{
	uint32_t entry;

	if (slot->name)
		return slot->name;
	entry = idmap_get(&plt->functions, slot->resolver, 0);
	return entry == IDMAP_NONE ? 0 : plt->tab->entries.data[entry].name;
}

static void name_stub(struct plt *plt, const struct elf_section *section,
		      const struct stub *stub)
{
	struct got_slot key = { .slot = stub->slot }, *slot;
	struct strbuf name = { 0 };
	uint32_t target;

	slot = bsearch(&key, plt->slots.data, plt->slots.len, sizeof(key), compare_slots);
	if (!slot)
		return;
	target = target_name(plt, slot);
	if (!target)
		return;
	strbuf_addf(&name, "%s@plt", plt->tab->names.data + target);
	symtab_add(plt->tab, &(struct symbol_entry){
				     .start = section->vaddr + stub->start,
				     .limit = section->vaddr + section->size,
				     .name = symtab_keep(plt->tab, name.data, name.len),
				     .source = SYMBOL_PLT,
				     .binding = SYMBOL_LOCAL,
			     });
	strbuf_release(&name);
}

/* LEFT: of STUBS_MAX. */
static void name_stubs(struct plt *plt, const struct elf_section *section, uint64_t *left)
{
	struct strbuf code = { 0 };
	struct stub stub;

	if (elf_section_read(plt->img, section, *left, &code) == 0)
		for (size_t at = 0; at < code.len; at += plt->machine->step)
			if (plt->machine->decode(&code, at, section->vaddr, &stub))
				name_stub(plt, section, &stub);
	*left -= code.len;
	strbuf_release(&code);
}

/* .plt, .plt.sec, .plt.got, .iplt */
static bool holds_stubs(const struct elf_section *section)
{
	return (section->flags & SHF_EXECINSTR) &&
	       (!strncmp(section->name, ".plt", 4) || !strcmp(section->name, ".iplt"));
}

void elf_add_plt(struct symtab *tab, const struct elf_image *img,
		 const struct elf_symbols *dynsym)
{
	struct plt plt = {
		.img = img, .machine = machine_of(img), .dynsym = dynsym, .tab = tab
	};
	uint64_t left = STUBS_MAX;

	if (!plt.machine)
		return;
	read_relocations(&plt, ".rela.plt");
	read_relocations(&plt, ".rela.dyn");
	if (!plt.slots.len)
		return;
	index_functions(&plt);
	qsort(plt.slots.data, plt.slots.len, sizeof(*plt.slots.data), compare_slots);
	vec_for_each(const struct elf_section, section, &img->sections)
		if (holds_stubs(section))
			name_stubs(&plt, section, &left);
	idmap_release(&plt.functions);
	vec_release(&plt.slots);
}
