/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/rule.h"

#include "unwind/cfi_expr.h"

#define WORD 8

/* OFFSET bytes as words, if it is whole words within ±LIMIT and not 0. */
static bool to_words(int64_t offset, int limit, int *words)
{
	if (offset % WORD || offset / WORD > limit || offset / WORD < -limit || !offset)
		return false;
	*words = (int)(offset / WORD);
	return true;
}

static bool is_unchanged(const struct cfi_place *place)
{
	return place->how == CFI_UNSPECIFIED || place->how == CFI_SAME;
}

static bool set_cfa(struct unwind_rule *rule, uint8_t kind, uint8_t reg, int64_t offset)
{
	if (offset > INT32_MAX || offset < INT32_MIN)
		return false;
	rule->kind = kind;
	rule->cfa_reg = reg;
	rule->cfa_offset = (int32_t)offset;
	return true;
}

static bool convert_cfa(const struct cfi_place *cfa, const struct unwind_arch *arch,
			struct unwind_rule *rule)
{
	uint8_t reg;
	int64_t offset;
	bool deref;

	if (cfa->how == CFI_REGISTER)
		return set_cfa(rule, RULE_REG, cfa->reg, cfa->number);
	if (cfi_expr_is_plt(cfa, &reg))
		return arch == &unwind_x86_64 && set_cfa(rule, RULE_PLT, arch->sp, reg);
	return cfi_expr_is_breg(cfa, &reg, &offset, &deref) &&
	       set_cfa(rule, deref ? RULE_MEM : RULE_REG, reg, offset);
}

/*
 * The offset of PLACE: from the CFA, or (SAVED_BY_FP) from fp, by which compilers
 * describe the registers of a function that realigns its stack.
 */
static bool offset_of(const struct cfi_place *place, const struct unwind_arch *arch,
		      bool saved_by_fp, int64_t *offset)
{
	uint8_t reg;
	bool deref;

	if (!saved_by_fp) {
		*offset = place->number;
		return place->how == CFI_OFFSET;
	}
	return place->how == CFI_EXPR && cfi_expr_is_breg(place, &reg, offset, &deref) &&
	       reg == arch->fp && !deref;
}

static bool convert_fp(const struct cfi_place *fp, const struct unwind_arch *arch,
		       struct unwind_rule *rule)
{
	bool by_fp = fp->how == CFI_EXPR;
	int64_t offset;
	int words = 0;

	if (is_unchanged(fp))
		return true;
	if (!offset_of(fp, arch, by_fp, &offset))
		return false;
	/* By fp, 0 is a distance like any other: fp is always saved then. */
	if (!(by_fp && offset == 0) && !to_words(offset, INT16_MAX, &words))
		return false;
	rule->fp = (int16_t)words;
	rule->flags |= by_fp ? RULE_SAVED_BY_FP : 0;
	return true;
}

static bool convert_saved(const struct cfi_row *row, const struct unwind_arch *arch,
			  struct unwind_rule *rule)
{
	bool by_fp = rule->flags & RULE_SAVED_BY_FP;
	int64_t offset;
	int words;

	for (unsigned int i = 0; i < UNWIND_SAVED; i++) {
		const struct cfi_place *place = &row->reg[arch->saved[i]];

		if (is_unchanged(place))
			continue;
		if (!offset_of(place, arch, by_fp, &offset) ||
		    !to_words(offset - rule->fp * WORD, INT8_MAX, &words))
			return false;
		rule->saved[i] = (int8_t)words;
	}
	return true;
}

static bool convert_ra(const struct cfi_place *ra, struct unwind_rule *rule)
{
	int words;

	if (is_unchanged(ra))
		return true;
	if (ra->how != CFI_OFFSET || !to_words(ra->number, INT16_MAX, &words))
		return false;
	rule->ra = (int16_t)words;
	return true;
}

/* The caller's stack pointer is the CFA, unless the row says otherwise. */
static bool sp_is_cfa(const struct cfi_place *sp)
{
	return sp->how == CFI_UNSPECIFIED || (sp->how == CFI_VAL_OFFSET && !sp->number);
}

/*
 * A return address above the CFA: the caller pushed it, which the function's call frame
 * information omits. glibc describes its lazy-binding code on aarch64 so, from the first
 * instruction to the last (2.36); PLT0 pushes x16 and x30 before it.
 */
static void count_plt0(struct unwind_rule *rule)
{
	enum { PUSHED = 2 };

	if (rule->kind != RULE_REG || rule->ra != 1 || rule->fp)
		return;
	rule->cfa_offset += PUSHED * WORD;
	rule->ra -= PUSHED;
	for (unsigned int i = 0; i < UNWIND_SAVED; i++)
		if (rule->saved[i])
			rule->saved[i] = (int8_t)(rule->saved[i] - PUSHED);
}

struct unwind_rule unwind_rule_of(const struct cfi_row *row,
				  const struct unwind_arch *arch)
{
	const struct unwind_rule slow = { .kind = RULE_SLOW,
					  .flags = row->signal ? RULE_SIGNAL : 0 };
	struct unwind_rule rule = { .flags = slow.flags };

	if (row->reg[row->ra].how == CFI_UNDEFINED)
		return (struct unwind_rule){ .kind = RULE_ROOT };
	if (row->cfa.how == CFI_UNSPECIFIED)
		return (struct unwind_rule){ .kind = RULE_NONE };
	if (row->ra != arch->ra || !convert_cfa(&row->cfa, arch, &rule) ||
	    !convert_ra(&row->reg[row->ra], &rule) ||
	    !convert_fp(&row->reg[arch->fp], arch, &rule) ||
	    !convert_saved(row, arch, &rule) || !sp_is_cfa(&row->reg[arch->sp]))
		return slow;
	if (arch == &unwind_aarch64)
		count_plt0(&rule);
	return rule;
}
