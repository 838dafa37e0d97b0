/* SPDX-License-Identifier: Apache-2.0 */
#include "process/kernel_entries.h"

#include <string.h>

#include "base/sorted.h"
#include "process/kernel_names.h"

/*
 * With a '*' at its end: all that begin so.  Others in the same section are called, such as
 * error_entry and asm_load_gs_index.
 */
static const char *const entries[] = {
	"asm_sysvec_*",
	"asm_exc_*",
	"asm_common_interrupt",
	"asm_spurious_interrupt",
	"asm_fred_entrypoint_kernel",
	/* x86 before Linux 5.8 */
	"common_interrupt",
	"apic_timer_interrupt",
	"reschedule_interrupt",
	"call_function_interrupt",
	"call_function_single_interrupt",
	"irq_work_interrupt",
	"page_fault",
	"async_page_fault",
	"general_protection",
	"int3",
	"debug",
	/* arm64, and before Linux 5.14 */
	"el1h_64_*",
	"el1_sync",
	"el1_irq",
	"el1_error",
};

/* The handlers of arm64 in C, which its entries call. */
#define HANDLER "_handler"

static bool fits(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] != '*')
		return !strcmp(pattern, name);
	return !strncmp(pattern, name, len - 1) && !strstr(name, HANDLER);
}

/* CONFIG_FUNCTION_ALIGNMENT of x86-64 is that at least. */
#define FUNCTION_ALIGNMENT 16

/* False: it is none. */
static bool find_kind(const struct symbol *function, enum kernel_entry_kind *out)
{
	bool found = true;

	if (function->object)
		return false;
	if (strstr(function->name, "return_thunk"))
		*out = ENTRY_RETURN_THUNK;
	else if (strstr(function->name, "indirect_thunk"))
		*out = ENTRY_CALL_THUNK;
	else
		found = false;
	for (size_t i = 0; !found && i < sizeof(entries) / sizeof(entries[0]); i++) {
		found = fits(entries[i], function->name);
		*out = ENTRY_INTERRUPT;
	}
	return found;
}

void kernel_entries_find(struct kernel_entries *e, const struct kernel_names *names,
			 uint64_t slide)
{
	enum kernel_entry_kind kind;
	struct symbol function;

	for (size_t i = 0; i < names->count; i++)
		if (kernel_names_at(names, i, &function) && find_kind(&function, &kind))
			*vec_push(&e->v) = (struct kernel_entry){
				function.start + slide,
				function.start + function.size + slide,
				kind,
			};
}

static const struct kernel_entry *find(const struct kernel_entries *e, uint64_t address)
{
	size_t n = sorted_up_to(e->v.data, e->v.len, start, address);

	return n && address < e->v.data[n - 1].end ? &e->v.data[n - 1] : NULL;
}

bool kernel_entries_is_thunk(const struct kernel_entries *e, uint64_t address)
{
	const struct kernel_entry *entry = find(e, address);

	return entry && entry->kind != ENTRY_INTERRUPT;
}

/*
 * Behind a thunk, an aligned address that begins no function is one behind a call: that it
 * counts as exact changes its line at most, as that call returns into its own function.
 */
bool kernel_entries_is_exact(const struct kernel_entries *e, uint64_t inner,
			     uint64_t address)
{
	const struct kernel_entry *entry = find(e, inner);

	if (!entry || entry->kind == ENTRY_CALL_THUNK)
		return false;
	return entry->kind == ENTRY_INTERRUPT || !(address % FUNCTION_ALIGNMENT);
}

void kernel_entries_release(struct kernel_entries *e)
{
	vec_release(&e->v);
}
