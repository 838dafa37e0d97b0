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

static bool is_thunk(const struct symbol *function)
{
	return !function->object && strstr(function->name, "return_thunk");
}

static bool is_entry(const struct symbol *function)
{
	if (function->object)
		return false;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (fits(entries[i], function->name))
			return true;
	return false;
}

void kernel_entries_find(struct kernel_entries *e, const struct kernel_names *names,
			 uint64_t slide)
{
	struct symbol function;

	for (size_t i = 0; i < names->count; i++)
		if (kernel_names_at(names, i, &function) &&
		    (is_entry(&function) || is_thunk(&function)))
			*vec_push(&e->v) = (struct kernel_entry){
				function.start + slide,
				function.start + function.size + slide,
				is_thunk(&function),
			};
}

/*
 * Behind a thunk, an aligned address that begins no function is one behind a call: that it
 * counts as exact changes its line at most, as that call returns into its own function.
 */
bool kernel_entries_is_exact(const struct kernel_entries *e, uint64_t inner,
			     uint64_t address)
{
	size_t n = sorted_up_to(e->v.data, e->v.len, start, inner);

	if (!n || inner >= e->v.data[n - 1].end)
		return false;
	return !e->v.data[n - 1].returns || !(address % FUNCTION_ALIGNMENT);
}

void kernel_entries_release(struct kernel_entries *e)
{
	vec_release(&e->v);
}
