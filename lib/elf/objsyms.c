/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/objsyms.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>

#include "elf/code_reach.h"
#include "elf/debugfile.h"
#include "elf/mini.h"
#include "elf/symbols.h"

#define PAGE_MASK ((uint64_t)0xfff)

static void objsyms_init(struct objsyms *syms)
{
	*syms = (struct objsyms){ 0 };
	symtab_init(&syms->named);
	symtab_init(&syms->bounds);
}

void objsyms_release(struct objsyms *syms)
{
	symtab_release(&syms->named);
	symtab_release(&syms->bounds);
	vec_release(&syms->loads);
}

static void add_symtab(struct objsyms *syms, const struct elf_image *img,
		       enum symbol_source source)
{
	struct elf_symbols symbols;

	elf_symbols_read(&symbols, img, false, &syms->named);
	elf_add_functions(&syms->named, &symbols, source);
	elf_symbols_release(&symbols);
}

/* False: it changed meanwhile, so nothing is known. */
static bool add_debug_file(struct objsyms *syms, const struct elf_image *img,
			   const struct object_place *place)
{
	struct elf_image debug;
	bool whole;

	if (debugfile_open(img, place, &debug) != 0)
		return true;
	debug.quota = img->quota;
	debug.owner = img->owner;
	add_symtab(syms, &debug, SYMBOL_DEBUG_FILE);
	syms->has_debug_file = true;
	whole = !elf_image_is_changed(&debug);
	elf_image_release(&debug);
	return whole;
}

/* All of its names are in the debug file too. */
static void add_mini(struct objsyms *syms, const struct elf_image *img)
{
	struct strbuf bytes;
	struct elf_image mini;

	if (elf_mini_open(img, &bytes, &mini) != 0)
		return;
	add_symtab(syms, &mini, SYMBOL_MINI);
	elf_image_release(&mini);
	strbuf_release(&bytes);
}

/*
 * A file with .symtab has all functions that its debug file could add, so we look for
 * none.
 */
static bool add_stripped(struct objsyms *syms, const struct elf_image *img,
			 const struct object_place *place)
{
	if (elf_section_typed(img, SHT_SYMTAB))
		return true;
	if (place && !add_debug_file(syms, img, place))
		return false;
	if (syms->has_debug_file)
		return true;
	add_mini(syms, img);
	elf_add_go(&syms->named, img);
	return true;
}

static void add_dynamic(struct objsyms *syms, const struct elf_image *img)
{
	struct elf_symbols dynsym;

	elf_symbols_read(&dynsym, img, true, &syms->named);
	elf_add_functions(&syms->named, &dynsym, SYMBOL_DYNSYM);
	elf_add_plt(&syms->named, img, &dynsym);
	elf_symbols_release(&dynsym);
}

static uint64_t reach_of(const void *img, uint64_t start, uint64_t limit)
{
	return code_reach(img, start, limit);
}

/* Only .dynsym omits functions: a file exports few. */
static bool lists_all(const struct symtab *tab)
{
	vec_for_each(const struct symbol_entry, entry, &tab->entries)
		if (entry->source != SYMBOL_DYNSYM && entry->source != SYMBOL_PLT)
			return true;
	return false;
}

static void finish_names(struct objsyms *syms, const struct elf_image *img)
{
	struct symtab_ends ends = { .bounds = &syms->bounds, .ctx = img };

	if (code_reach_knows(img) && !lists_all(&syms->named))
		ends.reach = reach_of;
	symtab_finish(&syms->named, &ends);
	symtab_number_twins(&syms->named);
}

int objsyms_read_image(struct objsyms *syms, const struct elf_image *img,
		       const struct object_place *place)
{
	const char *want = place && place->build_id ? place->build_id : "";
	bool whole;

	objsyms_init(syms);
	if (want[0] && !build_id_same(want, img->build_id.hex))
		return -ESTALE;
	syms->build_id = img->build_id;
	vec_for_each(const struct elf_segment, segment, &img->segments)
		if (segment->type == PT_LOAD)
			*vec_push(&syms->loads) = *segment;
	elf_add_fdes(&syms->bounds, img);
	symtab_finish(&syms->bounds, NULL);
	add_symtab(syms, img, SYMBOL_SYMTAB);
	whole = add_stripped(syms, img, place);
	add_dynamic(syms, img);
	finish_names(syms, img);
	if (whole && !elf_image_is_changed(img))
		return 0;
	objsyms_release(syms);
	objsyms_init(syms);
	return -ESTALE;
}

void objsyms_of_names(struct objsyms *syms, struct symtab *names, uint64_t bias)
{
	objsyms_init(syms);
	symtab_release(&syms->named);
	syms->named = *names;
	symtab_init(names);
	*vec_push(&syms->loads) = (struct elf_segment){
		.type = PT_LOAD, .flags = PF_X, .vaddr = bias, .filesz = UINT64_MAX
	};
}

int objsyms_read(struct objsyms *syms, const struct object_place *place)
{
	struct elf_image img;
	int error = object_file_open(place, &img);

	if (error) {
		objsyms_init(syms);
		return error;
	}
	error = objsyms_read_image(syms, &img, place);
	elf_image_release(&img);
	return error;
}

/* The loaded segment that contains OFFSET, executable first; NULL: none. */
static const struct elf_segment *load_of(const struct objsyms *syms, uint64_t offset)
{
	const struct elf_segment *any = NULL;

	vec_for_each(const struct elf_segment, load, &syms->loads) {
		if (offset < load->offset || offset - load->offset >= load->filesz)
			continue;
		if (load->flags & PF_X)
			return load;
		any = any ? any : load;
	}
	return any;
}

/* The page that contains VADDR, without its known functions. */
static void page_at(const struct objsyms *syms, uint64_t vaddr, struct symbol *out)
{
	const struct symtab *tabs[] = { &syms->named, &syms->bounds };
	uint64_t start = vaddr & ~PAGE_MASK, last = vaddr | PAGE_MASK;

	for (size_t i = 0; i < sizeof(tabs) / sizeof(tabs[0]); i++) {
		uint64_t from, to;

		symtab_gap(tabs[i], vaddr, &from, &to);
		start = from > start ? from : start;
		last = to - 1 < last ? to - 1 : last;
	}
	*out = (struct symbol){ .start = start,
				.vaddr = start,
				.size = last - start + 1,
				.until = last + 1 };
}

/* The unnamed function that contains VADDR; named ones may begin within it. */
static bool bound_at(const struct objsyms *syms, uint64_t vaddr, struct symbol *out)
{
	uint64_t from, to;

	if (!symtab_find(&syms->bounds, vaddr, out))
		return false;
	symtab_gap(&syms->named, vaddr, &from, &to);
	out->until = to < out->until ? to : out->until;
	return true;
}

void objsyms_at(const struct objsyms *syms, uint64_t offset, struct symbol *out)
{
	const struct elf_segment *load = load_of(syms, offset);
	uint64_t bias = load ? load->vaddr - load->offset : 0;

	if (!symtab_find(&syms->named, offset + bias, out) &&
	    !bound_at(syms, offset + bias, out))
		page_at(syms, offset + bias, out);
	out->start -= bias;
	out->until -= bias;
}

void objsyms_label(struct strbuf *out, const char *object, const struct symbol *sym)
{
	if (sym->name)
		strbuf_addstr(out, sym->name);
	else
		strbuf_addf(out, "<%s>+0x%" PRIx64, object, sym->vaddr);
}
