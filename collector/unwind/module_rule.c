/* SPDX-License-Identifier: Apache-2.0 */
/* From a module's rows and code to the rule of an address. */
#include "unwind/code.h"
#include "unwind/lookup.h"
#include "unwind/scan.h"

/*
 * The dynamic linker's entry has no call frame information, and every stack of a starting
 * process begins there.  This is its greatest length (glibc 2.36: 62 bytes on x86-64).
 */
#define ENTRY_SPAN 128

static bool find_row(struct unwind_module *m, bool load, uint64_t vaddr, uint32_t *fuel,
		     struct cfi_row *row)
{
	return load ? unwind_module_row(m, vaddr, fuel, row)
		    : unwind_module_known_row(m, vaddr, fuel, row);
}

static struct unwind_rule rule_of_range(const struct unwind_module *m, uint64_t vaddr)
{
	for (size_t i = 0; i < m->nranges; i++)
		if (vaddr >= m->ranges[i].start && vaddr < m->ranges[i].end)
			return m->ranges[i].rule;
	return (struct unwind_rule){ .kind = RULE_NONE };
}

/*
 * Whether VADDR is in an entry point without call frame information; programs' own
 * entries have it.
 */
static bool is_bare_entry(struct unwind_module *m, bool load, uint64_t vaddr,
			  uint32_t *fuel)
{
	struct cfi_row row;

	return vaddr - m->file.entry < ENTRY_SPAN &&
	       !find_row(m, load, m->file.entry, fuel, &row);
}

static const struct unwind_rule no_caller = { .kind = RULE_ROOT, .flags = RULE_UNCALLED };

/*
 * Whether ROW belongs to the first instruction of a function that PLT0 jumps to.  Only
 * NEXT, the row behind it, shows that the return address lies above the CFA (rule.c); the
 * instruction (bti c) changes neither.
 */
static bool is_entered_by_plt0(struct unwind_module *m, bool load,
			       const struct cfi_row *row, uint32_t *fuel,
			       struct cfi_row *next)
{
	enum { INSN = 4 };
	const struct unwind_arch *arch = &unwind_aarch64;

	return m->arch == arch && row->end - row->start == INSN &&
	       row->cfa.how == CFI_REGISTER && row->cfa.reg == arch->sp &&
	       !row->cfa.number && row->reg[arch->ra].how == CFI_UNSPECIFIED &&
	       find_row(m, load, row->end, fuel, next) && next->cfa.how == CFI_REGISTER &&
	       next->cfa.reg == arch->sp && !next->cfa.number &&
	       next->reg[arch->ra].how == CFI_OFFSET && next->reg[arch->ra].number > 0;
}

static struct unwind_rule rule_of_row(struct unwind_module *m, bool load, uint64_t vaddr,
				      bool is_return, const struct cfi_row *row,
				      uint32_t *fuel)
{
	struct cfi_row next;
	struct unwind_rule rule = unwind_rule_of(
		is_entered_by_plt0(m, load, row, fuel, &next) ? &next : row, m->arch);

	if (is_return && row->end == vaddr + 1)
		rule.flags |= RULE_FOREVER;
	return rule;
}

/*
 * The rule at Go's stack switches, by its table.  The function called by mcall never
 * returns to it: the goroutine continues elsewhere, often in another thread, while the
 * scheduler looks for the next one.
 */
static bool go_rule(struct unwind_module *m, uint64_t vaddr, bool is_return,
		    struct unwind_rule *rule)
{
	const struct go_table *t = &m->go.table;
	struct go_func f;

	if (!m->go.file || !go_table_find(t, vaddr, &f) ||
	    (f.flags & (GO_FUNC_TOP | GO_FUNC_SPWRITE)) != GO_FUNC_SPWRITE ||
	    go_func_is(t, &f, "runtime.cgocallback") ||
	    unwind_code_is_sigreturn(&m->file, vaddr))
		return false;
	*rule = (struct unwind_rule){ .kind = RULE_ELSEWHERE };
	if (is_return && go_func_is(t, &f, "runtime.mcall"))
		rule->kind = RULE_ROOT;
	return true;
}

static struct unwind_rule make_rule(struct unwind_module *m, bool load, uint64_t vaddr,
				    bool is_return, uint32_t *fuel)
{
	struct unwind_rule rule = { .kind = RULE_NONE };
	struct cfi_row row;
	bool found;

	if (m->ranges)
		return rule_of_range(m, vaddr);
	found = find_row(m, load, vaddr, fuel, &row);
	if (!*fuel)
		return rule;
	if (is_return && unwind_code_is_go_end(&m->file, vaddr))
		return no_caller;
	if (go_rule(m, vaddr, is_return, &rule))
		return rule;
	if (is_return && unwind_code_is_go_switch(&m->file, vaddr + 1))
		return (struct unwind_rule){ .kind = RULE_ELSEWHERE };
	if (found && !row.signal)
		return rule_of_row(m, load, vaddr, is_return, &row, fuel);
	/* The kernel's own CFI of its trampoline loses the interrupted stack pointer. */
	if (unwind_code_is_sigreturn(&m->file, vaddr))
		return (struct unwind_rule){ .kind = RULE_SIGFRAME,
					     .flags = RULE_SIGNAL };
	if (found)
		return unwind_rule_of(&row, m->arch);
	if (unwind_code_is_coroutine_end(&m->file, vaddr))
		return no_caller;
	if (unwind_code_plt_rule(&m->file, vaddr, &rule) ||
	    unwind_code_clone_rule(&m->file, vaddr, &rule))
		return rule;
	if (is_bare_entry(m, load, vaddr, fuel))
		rule.kind = RULE_ROOT;
	else if (!unwind_scan(&m->file, vaddr + is_return, is_return, &rule))
		rule.kind = RULE_NONE;
	return rule;
}

struct unwind_rule unwind_module_rule(struct unwind_module *m, uint64_t vaddr,
				      bool is_return, uint32_t *fuel)
{
	return make_rule(m, true, vaddr, is_return, fuel);
}

struct unwind_rule unwind_module_known_rule(struct unwind_module *m, uint64_t vaddr,
					    bool is_return, uint32_t *fuel)
{
	return make_rule(m, false, vaddr, is_return, fuel);
}
