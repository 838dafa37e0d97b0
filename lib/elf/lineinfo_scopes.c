/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_scopes.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include <dwarf.h>

#include "elf/lineinfo_dies.h"
#include "elf/lineinfo_units.h"
#include "base/sorted.h"
#include "elf/view.h"

/*
 * More than any compiler makes: nested blocks, which bounds recursion, and attributes of
 * a DIE, all of which libdw scans at each look-up.
 */
enum { DEPTH_MAX = 256, ATTRIBUTES_MAX = 256 };

/* DIEs that refer one to the next, and how many times each is searched. */
enum { CHAIN_MAX = 17, LOOKS = 4 };

/* libdw needs many times the bytes that an abbreviation has in the file. */
enum { ABBREVIATION_COSTS = 16 };

void scopes_init(struct scopes *scopes, struct line_paths *paths, uint64_t budget)
{
	*scopes = (struct scopes){ .paths = paths, .budget = budget, .looks = budget };
	*vec_push(&scopes->scopes) = (struct scope){ 0 };
}

void scopes_release(struct scopes *scopes)
{
	vec_release(&scopes->scopes);
	scopes_forget_units(scopes);
}

void scopes_forget_units(struct scopes *scopes)
{
	vec_for_each(struct scope_unit, unit, &scopes->units) {
		line_table_release(&unit->table);
		line_paths_release(&unit->paths);
	}
	vec_release(&scopes->units);
	idmap_release(&scopes->by_address);
}

/* ---- the walk ---- */

struct walk {
	struct scopes *out;
	const struct scope_query *query;
	const struct unit_tree *tree;
	struct dies dies;
	/* for the second walk, which finds functions in functions */
	bool second, nests; /* NESTS: also in those that have code */
	/* behind the children of the DIE visited last; NULL: unknown */
	const char *children_end;
	bool over; /* the rest is unreadable, or exceeds the budget */
};

static bool spend_of(uint64_t *budget, uint64_t bytes)
{
	*budget -= bytes < *budget ? bytes : *budget;
	return *budget > 0;
}

static bool spend(struct walk *walk, uint64_t bytes)
{
	return spend_of(&walk->out->budget, bytes);
}

/* ---- the attributes of a DIE, and of those it refers to ---- */

/* Whether the abbreviations of DIE's unit are reasonable; passes them once. */
static bool has_sound_abbreviations(struct walk *walk, Dwarf_Die *die)
{
	Dwarf_Off at = 0;
	size_t length, count;
	Dwarf_Abbrev *abbrev = dwarf_getabbrev(die, at, &length);

	while (abbrev && abbrev != DWARF_END_ABBREV) {
		if (dwarf_getattrcnt(abbrev, &count) || count > ATTRIBUTES_MAX ||
		    !spend_of(&walk->out->looks, length * ABBREVIATION_COSTS))
			return false;
		at += length;
		abbrev = dwarf_getabbrev(die, at, &length);
	}
	return true;
}

/* DIE's unit, good until the next call. */
static struct scope_unit *unit_of(struct walk *walk, Dwarf_Die *die)
{
	struct scopes *out = walk->out;
	uint32_t next = (uint32_t)out->units.len;
	uint32_t index = idmap_intern(&out->by_address, (uintptr_t)die->cu, 0, next);

	if (index == next)
		*vec_push(&out->units) = (struct scope_unit){
			.sound = has_sound_abbreviations(walk, die),
			.paths = { .texts = out->paths->texts },
		};
	return &out->units.data[index];
}

/* What a search costs: each attribute takes time, and a text as much as it is long. */
static int add_cost(Dwarf_Attribute *attr, void *cost)
{
	*(uint64_t *)cost += 1;
	if (dwarf_whatform(attr) == DW_FORM_string)
		*(uint64_t *)cost += strlen((const char *)attr->valp);
	return DWARF_CB_OK;
}

/* A file can refer to one DIE a million times, so each of these costs budget. */
static bool can_afford(struct walk *walk, Dwarf_Die *die)
{
	uint64_t cost = 1;

	if (!unit_of(walk, die)->sound)
		return false;
	dwarf_getattrs(die, add_cost, &cost, 0); /* those before the first damaged one */
	return spend_of(&walk->out->looks, cost * LOOKS);
}

/* A DIE, its abstract origin or declaration, that one's, and so on. */
struct chain {
	Dwarf_Die dies[CHAIN_MAX];
	size_t len;
};

/* The DIEs that dwarf_attr_integrate would search. */
static void chain_make(struct walk *walk, const Dwarf_Die *die, struct chain *out)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute attr;

	out->len = 0;
	while (out->len < CHAIN_MAX && can_afford(walk, &at)) {
		out->dies[out->len++] = at;
		if ((!dwarf_attr(&at, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&at, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &at))
			break;
	}
}

/* The first DIE of a chain that has an attribute; NULL: none has. */
static Dwarf_Die *chain_attr(struct chain *chain, unsigned name, Dwarf_Attribute *attr)
{
	for (size_t i = 0; i < chain->len; i++)
		if (dwarf_attr(&chain->dies[i], name, attr))
			return &chain->dies[i];
	return NULL;
}

/* The first of two attributes that a chain has. */
static const char *text_of(struct chain *chain, unsigned first, unsigned second)
{
	Dwarf_Attribute attr;

	return chain_attr(chain, first, &attr) || chain_attr(chain, second, &attr)
		       ? dwarf_formstring(&attr)
		       : NULL;
}

static uint32_t line_of(struct chain *chain)
{
	Dwarf_Attribute attr;
	Dwarf_Word line;

	if (!chain_attr(chain, DW_AT_decl_line, &attr) ||
	    dwarf_formudata(&attr, &line) != 0 || line > INT_MAX)
		return 0;
	return (uint32_t)line;
}

/* From one chain to that of a DIE that it refers to; TO may be FROM. */
static bool follow(struct walk *walk, struct chain *from, unsigned name, struct chain *to)
{
	Dwarf_Attribute attr;
	Dwarf_Die die;

	if (!chain_attr(from, name, &attr) || !dwarf_formref_die(&attr, &die))
		return false;
	chain_make(walk, &die, to);
	return to->len > 0;
}

/* "CLASS::", or for the class of a lambda, which has no name, "<lambda, line 27>::". */
static void put_class(struct chain *class, struct strbuf *out)
{
	const char *name = text_of(class, DW_AT_name, DW_AT_name);
	uint32_t line = line_of(class);

	if (name)
		strbuf_addf(out, "%s::", name);
	else if (line)
		strbuf_addf(out, "<lambda, line %" PRIu32 ">::", line);
}

/* The class of a method, by the type of its "this". */
static void put_class_of(struct walk *walk, struct chain *method, struct strbuf *out)
{
	enum { QUALIFIERS_MAX = 4 }; /* const pointer to const … */
	struct chain at;

	if (!follow(walk, method, DW_AT_object_pointer, &at))
		return;
	for (int i = 0; i < QUALIFIERS_MAX && follow(walk, &at, DW_AT_type, &at); i++) {
		int tag = dwarf_tag(&at.dies[0]);

		if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
			put_class(&at, out);
			return;
		}
	}
}

/*
 * A text may be as long as the file, so it is charged before it is copied.  A short one is
 * copied anyway: of a walk that ends early the functions found so far keep their names.
 */
static bool may_copy(struct walk *walk, const char *text)
{
	enum { SHORT = 256 };
	size_t len = strlen(text);

	return spend(walk, len) || len <= SHORT;
}

/*
 * The class distinguishes methods without a linkage name, above all those of lambdas,
 * which are all called operator().
 */
static uint32_t function_of(struct walk *walk, struct chain *chain)
{
	const char *name = text_of(chain, DW_AT_linkage_name, DW_AT_MIPS_linkage_name);
	struct strtab *texts = walk->out->paths->texts;
	struct strbuf whole = { 0 };
	uint32_t id;

	if (name)
		return may_copy(walk, name) ? strtab_intern(texts, name) : 0;
	name = text_of(chain, DW_AT_name, DW_AT_name);
	if (!name || !may_copy(walk, name))
		return 0;
	put_class_of(walk, chain, &whole);
	strbuf_addstr(&whole, name);
	id = strtab_intern(texts, strbuf_str(&whole));
	strbuf_release(&whole);
	return id;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number = 0;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &number) != 0)
		return 0;
	return number;
}

/* ---- scopes ---- */

static uint32_t call_file(const struct walk *walk, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (!dwarf_attr(die, DW_AT_call_file, &attr) ||
	    dwarf_formudata(&attr, &number) != 0)
		return 0;
	return line_paths_number(walk->out->paths, number);
}

/* The files of DIE's unit, which is not the walk's. */
static void read_files(struct scopes *scopes, Dwarf_Die *die, struct scope_unit *unit)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(die->cu));
	struct line_sections sections = {
		.lines = elf_section_cursor(elf, ".debug_line"),
		.texts = elf_section_cursor(elf, ".debug_str"),
		.line_texts = elf_section_cursor(elf, ".debug_line_str"),
		.budget = scopes->looks,
	};
	const char *dir = NULL;
	Dwarf_Die top;

	if (dwarf_diecu(die, &top, NULL, NULL)) {
		dir = unit_dir(&top);
		line_table_read_files(&unit->table, &sections, unit_lines(&top));
	}
	scopes->looks = sections.budget;
	unit->paths.budget = scopes->paths->budget;
	line_paths_begin(&unit->paths, &unit->table, dir);
	unit->has_files = true;
}

/* File numbers belong to the unit with the attribute, which may be another one. */
static uint32_t decl_file(struct walk *walk, struct chain *chain)
{
	Dwarf_Attribute attr;
	Dwarf_Die *die = chain_attr(chain, DW_AT_decl_file, &attr);
	struct scope_unit *unit;
	Dwarf_Word number;

	if (!die || dwarf_formudata(&attr, &number) != 0)
		return 0;
	if (attr.cu == walk->tree->die.cu)
		return line_paths_number(walk->out->paths, number);
	unit = unit_of(walk, die);
	if (!unit->has_files)
		read_files(walk->out, die, unit);
	unit->paths.table = &unit->table;
	return line_paths_number(&unit->paths, number);
}

static uint32_t next_scope(const struct walk *walk)
{
	return (uint32_t)walk->out->scopes.len;
}

static void add_scope(struct walk *walk, Dwarf_Die *die, uint32_t parent)
{
	struct scope scope = { .parent = parent };
	struct chain chain;

	chain_make(walk, die, &chain);
	scope.function = function_of(walk, &chain);
	scope.decl_file = decl_file(walk, &chain);
	scope.decl_line = line_of(&chain);
	if (parent != SCOPE_NONE) {
		scope.call_file = call_file(walk, die);
		scope.call_line = (uint32_t)number_of(die, DW_AT_call_line);
	}
	*vec_push(&walk->out->scopes) = scope;
}

/* Whether a DIE's ranges cover addresses. */
enum cover { COVERS_NONE, COVERS_SOME, NO_RANGES };

/*
 * Assigns the addresses in the ranges of a DIE to SCOPE, unless that is none; an inner
 * scope, which comes later, overrides it.
 */
static enum cover mark(struct walk *walk, Dwarf_Die *die, uint32_t scope)
{
	const struct scope_query *query = walk->query;
	enum cover cover = NO_RANGES;
	Dwarf_Addr base, low, high;
	ptrdiff_t at = unit_tree_ranges(walk->tree, die, &base);

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		size_t first = sorted_below(query->addrs, query->count, low), i = first;

		if (!low) /* the linker dropped it */
			high = 0;
		for (; i < query->count && query->addrs[i] < high; i++)
			if (scope != SCOPE_NONE)
				query->inner[i] = scope;
		cover = i > first || cover == COVERS_SOME ? COVERS_SOME : COVERS_NONE;
		if (!spend(walk, 16 + i - first))
			break;
	}
	return cover;
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, uint32_t scope,
			  unsigned depth);

static void visit_space(struct walk *walk, Dwarf_Die *die, uint32_t scope, unsigned depth)
{
	walk_children(walk, die, scope, depth);
}

/* A block without ranges may still contain DIEs with them. */
static void visit_block(struct walk *walk, Dwarf_Die *die, uint32_t scope, unsigned depth)
{
	if (mark(walk, die, SCOPE_NONE) != COVERS_NONE || walk->second)
		walk_children(walk, die, scope, depth);
}

static void visit_inlined(struct walk *walk, Dwarf_Die *die, uint32_t scope,
			  unsigned depth)
{
	uint32_t own = next_scope(walk);

	if (mark(walk, die, own) != COVERS_SOME)
		return;
	add_scope(walk, die, scope);
	walk_children(walk, die, own, depth);
}

/* A function within a function is not part of it. */
static void visit_function(struct walk *walk, Dwarf_Die *die, uint32_t scope,
			   unsigned depth)
{
	uint32_t own = next_scope(walk);
	enum cover cover = mark(walk, die, own);

	(void)scope;
	if (cover == COVERS_SOME) {
		add_scope(walk, die, SCOPE_NONE);
		walk_children(walk, die, own, depth);
	} else if (walk->second && (walk->nests || cover == NO_RANGES)) {
		walk_children(walk, die, SCOPE_NONE, depth);
	}
}

/*
 * C++'s methods have their code outside, unless the type is local to a function; those of
 * rustc before 1.71 and of Zig have it here.
 */
static void visit_type(struct walk *walk, Dwarf_Die *die, uint32_t scope, unsigned depth)
{
	if (walk->second)
		walk_children(walk, die, scope, depth);
}

static const struct {
	uint32_t tag;
	void (*visit)(struct walk *walk, Dwarf_Die *die, uint32_t scope, unsigned depth);
} visits[] = {
	{ DW_TAG_subprogram, visit_function },
	{ DW_TAG_inlined_subroutine, visit_inlined },
	{ DW_TAG_lexical_block, visit_block },
	{ DW_TAG_try_block, visit_block },
	{ DW_TAG_catch_block, visit_block },
	{ DW_TAG_namespace, visit_space },
	{ DW_TAG_module, visit_space },
	{ DW_TAG_structure_type, visit_type },
	{ DW_TAG_class_type, visit_type },
	{ DW_TAG_union_type, visit_type },
	{ DW_TAG_enumeration_type, visit_type },
};

#define VISITS (sizeof(visits) / sizeof(visits[0]))

/* The DIE at an address behind this one, in the same unit; false: the unit ends there. */
static bool die_at(Dwarf_Die *die, const char *address, Dwarf_Die *out)
{
	Dwarf_Off ahead = (Dwarf_Off)(address - (const char *)die->addr);

	return dwarf_offdie(dwarf_cu_getdwarf(die->cu), dwarf_dieoffset(die) + ahead,
			    out) &&
	       out->cu == die->cu;
}

/* The DIE at AT, which lies in PARENT. */
static void visit(struct walk *walk, Dwarf_Die *parent, const char *at, uint32_t scope,
		  unsigned depth)
{
	uint32_t tag = dies_tag(&walk->dies, at);
	Dwarf_Die die;

	for (size_t i = 0; i < VISITS; i++)
		if (visits[i].tag == tag) {
			if (die_at(parent, at, &die))
				visits[i].visit(walk, &die, scope, depth);
			return;
		}
}

/*
 * The next DIE in the list, or NULL.  Passes no byte twice: after a walk through the
 * children of the DIE their end is known.  Behind a DIE with an unknown end nothing can
 * be found.
 */
static const char *next_sibling(struct walk *walk, const char *at)
{
	const char *next = walk->children_end;

	if (walk->over)
		return NULL;
	if (!next)
		next = dies_behind(&walk->dies, at);
	if (!next || next <= at || !spend(walk, (uint64_t)(next - at))) {
		walk->over = true;
		return NULL;
	}
	walk->children_end = dies_list_end(&walk->dies, next);
	return walk->children_end ? NULL : next;
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, uint32_t scope,
			  unsigned depth)
{
	const char *at = NULL;

	walk->children_end = NULL;
	if (depth < DEPTH_MAX)
		at = dies_child(&walk->dies, parent->addr);
	if (at && dies_list_end(&walk->dies, at))
		return;
	for (; at; at = next_sibling(walk, at))
		visit(walk, parent, at, scope, depth + 1);
}

static bool all_found(const struct scope_query *query)
{
	for (size_t i = 0; i < query->count; i++)
		if (query->inner[i] == SCOPE_NONE)
			return false;
	return true;
}

/* Languages with nested functions, as in GNU C. */
static const int nesting_languages[] = {
	DW_LANG_C,         DW_LANG_C89,       DW_LANG_C99,       DW_LANG_C11,
	DW_LANG_Ada83,     DW_LANG_Ada95,     DW_LANG_Fortran77, DW_LANG_Fortran90,
	DW_LANG_Fortran95, DW_LANG_Fortran03, DW_LANG_Fortran08, DW_LANG_Pascal83,
	DW_LANG_Modula2,   DW_LANG_D,
};

static bool nests(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	for (size_t i = 0; i < sizeof(nesting_languages) / sizeof(int); i++)
		if (nesting_languages[i] == language)
			return true;
	return false;
}

/* Reads the unit's abbreviations, unless they are unreasonable. */
static bool begin_dies(struct walk *walk)
{
	static const char *const names[][2] = { { ".debug_info", ".debug_info.dwo" },
						{ ".debug_abbrev",
						  ".debug_abbrev.dwo" } };
	Dwarf_Die unit = walk->tree->die;
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(unit.cu));
	bool split = walk->tree->split;
	bool sound = dies_init(&walk->dies, elf_section_cursor(elf, names[0][split]),
			       dwarf_dieoffset(&unit) - dwarf_cuoffset(&unit),
			       elf_section_cursor(elf, names[1][split]), ATTRIBUTES_MAX,
			       walk->out->looks / ABBREVIATION_COSTS);

	return spend_of(&walk->out->looks,
			walk->dies.abbrevs_passed * ABBREVIATION_COSTS) &&
	       sound;
}

static void walk_unit(struct walk *walk)
{
	Dwarf_Die unit = walk->tree->die;

	walk_children(walk, &unit, SCOPE_NONE, 0);
	if (all_found(walk->query))
		return;
	walk->second = true;
	walk->over = false;
	walk->nests = nests(&unit);
	walk_children(walk, &unit, SCOPE_NONE, 0);
}

/*
 * Functions lie in units, namespaces and modules.  If gcc inlines or clones a function,
 * the methods of its local types, such as lambdas, lie in the abstract DIE; some
 * languages nest any function, or have them in types.  Looking there means walking much
 * more, so it is done only for addresses not found otherwise.
 */
void scopes_find(struct scopes *scopes, struct unit_tree *tree,
		 const struct scope_query *query)
{
	struct walk walk = { .out = scopes, .query = query, .tree = tree };

	memset(query->inner, 0, query->count * sizeof(*query->inner));
	if (begin_dies(&walk))
		walk_unit(&walk);
	dies_release(&walk.dies);
}
