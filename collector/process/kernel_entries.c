/* SPDX-License-Identifier: Apache-2.0 */
#include "process/kernel_entries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache_dir.h"
#include "base/file.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "process/kernel_names.h"

/*
 * With a '*' at its end: all that begin so.  Other functions in the section of entries are
 * called, such as error_entry and asm_load_gs_index.
 */
static const struct pattern {
	const char *name;
	enum kernel_entry_kind kind;
} patterns[] = {
	{ "asm_sysvec_*", ENTRY_INTERRUPT },
	{ "asm_exc_*", ENTRY_INTERRUPT },
	{ "asm_common_interrupt", ENTRY_INTERRUPT },
	{ "asm_spurious_interrupt", ENTRY_INTERRUPT },
	{ "asm_fred_entrypoint_kernel", ENTRY_INTERRUPT },
	/* x86 before Linux 5.8 */
	{ "common_interrupt", ENTRY_INTERRUPT },
	{ "apic_timer_interrupt", ENTRY_INTERRUPT },
	{ "reschedule_interrupt", ENTRY_INTERRUPT },
	{ "call_function_interrupt", ENTRY_INTERRUPT },
	{ "call_function_single_interrupt", ENTRY_INTERRUPT },
	{ "irq_work_interrupt", ENTRY_INTERRUPT },
	{ "page_fault", ENTRY_INTERRUPT },
	{ "async_page_fault", ENTRY_INTERRUPT },
	{ "general_protection", ENTRY_INTERRUPT },
	{ "int3", ENTRY_INTERRUPT },
	{ "debug", ENTRY_INTERRUPT },
	/* arm64, and before Linux 5.14 */
	{ "el1h_64_sync", ENTRY_INTERRUPT },
	{ "el1h_64_irq", ENTRY_INTERRUPT },
	{ "el1h_64_fiq", ENTRY_INTERRUPT },
	{ "el1h_64_error", ENTRY_INTERRUPT },
	{ "el1_sync", ENTRY_INTERRUPT },
	{ "el1_irq", ENTRY_INTERRUPT },
	{ "el1_error", ENTRY_INTERRUPT },
	/* arch/x86/lib/retpoline.S; one address may have several of these names */
	{ "__x86_indirect_thunk_*", ENTRY_CALL_THUNK },
	{ "__pi___x86_indirect_thunk_*", ENTRY_CALL_THUNK },
	{ "__x86_return_thunk", ENTRY_RETURN_THUNK },
	{ "__pi___x86_return_thunk", ENTRY_RETURN_THUNK },
	{ "its_return_thunk", ENTRY_RETURN_THUNK },
	{ "srso_return_thunk", ENTRY_RETURN_THUNK },
	{ "srso_alias_return_thunk", ENTRY_RETURN_THUNK },
	{ "retbleed_return_thunk", ENTRY_RETURN_THUNK },
	{ "call_depth_return_thunk", ENTRY_RETURN_THUNK },
};

/* CONFIG_FUNCTION_ALIGNMENT of x86-64 is that at least. */
#define FUNCTION_ALIGNMENT 16

static bool fits(const char *pattern, const char *name)
{
	while (*pattern && *pattern == *name)
		pattern++, name++;
	return *pattern == '*' || (!*pattern && !*name);
}

/* A number by the first letters of a name. */
static unsigned char letters(const char *name)
{
	unsigned char sum = 0;

	for (int i = 0; i < 3 && name[i]; i++)
		sum = (unsigned char)(sum * 31 + name[i]);
	return sum;
}

/* NULL: it is none. */
static const struct pattern *find_pattern(const struct symbol *function)
{
	if (function->object)
		return NULL;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (fits(patterns[i].name, function->name))
			return &patterns[i];
	return NULL;
}

void kernel_entries_find(struct kernel_entries *e, const struct kernel_names *names)
{
	bool first[UCHAR_MAX + 1] = { false }; /* of 200,000 functions few begin so */
	const struct pattern *pattern;
	struct symbol function;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		first[letters(patterns[i].name)] = true;
	for (size_t i = 0; i < names->count; i++) {
		if (!kernel_names_at(names, i, &function) ||
		    !first[letters(function.name)])
			continue;
		pattern = find_pattern(&function);
		if (pattern)
			*vec_push(&e->v) = (struct kernel_entry){
				function.start,
				function.start + function.size,
				pattern->kind,
			};
	}
	e->code_end = kernel_names_end(names);
}

void kernel_entries_move(struct kernel_entries *e, uint64_t slide)
{
	vec_for_each(struct kernel_entry, entry, &e->v) {
		entry->start += slide;
		entry->end += slide;
	}
	e->code_end += slide;
}

/* ---- the cache ---- */

/* The file: this, then the entries.  It never leaves the machine. */
struct head {
	char magic[8];
	char boot[40]; /* /proc/sys/kernel/random/boot_id */
	uint64_t code_end, count;
};

static const char magic[8] = "RPENTRY1";

#define CACHE_FILE "kernel-entries"

enum { FILE_MAX = 1 << 20 };

/* False: the kernel does not reveal its boot, and nothing is kept. */
static bool fill_head(struct head *head, const char *root)
{
	char *path = xasprintf("%s/proc/sys/kernel/random/boot_id", root);
	struct strbuf boot = { 0 };
	bool known = !file_read(path, sizeof(head->boot), &boot) && boot.len;

	*head = (struct head){ 0 };
	memcpy(head->magic, magic, sizeof(magic));
	if (known)
		memcpy(head->boot, boot.data, boot.len);
	strbuf_release(&boot);
	free(path);
	return known;
}

/* Whether FILE is one of that boot: then takes it. */
static bool take(struct kernel_entries *e, const struct strbuf *file,
		 const struct head *want)
{
	struct head head;

	if (file->len < sizeof(head))
		return false;
	memcpy(&head, file->data, sizeof(head));
	if (memcmp(&head, want, offsetof(struct head, code_end)) != 0 ||
	    head.count != (file->len - sizeof(head)) / sizeof(*e->v.data))
		return false;
	if (head.count) {
		vec_reserve(&e->v, head.count);
		memcpy(e->v.data, file->data + sizeof(head),
		       head.count * sizeof(*e->v.data));
	}
	e->v.len = head.count;
	e->code_end = head.code_end;
	return true;
}

static bool load(struct kernel_entries *e, int dir, const struct head *want)
{
	int fd = folder_open_file(dir, CACHE_FILE);
	struct strbuf file = { 0 };
	bool taken = fd >= 0 && !file_read_fd(fd, FILE_MAX, &file) &&
		     take(e, &file, want);

	if (fd >= 0)
		close(fd);
	strbuf_release(&file);
	return taken;
}

static void save(const struct kernel_entries *e, int dir, const struct head *head)
{
	struct head mine = *head;
	struct strbuf file = { 0 };
	int unsaved;

	mine.code_end = e->code_end;
	mine.count = e->v.len;
	strbuf_add(&file, &mine, sizeof(mine));
	strbuf_add(&file, e->v.data, e->v.len * sizeof(*e->v.data));
	unsaved = folder_replace_file(dir, CACHE_FILE, file.data, file.len);
	(void)unsaved; /* then the next collect finds them again */
	strbuf_release(&file);
}

void kernel_entries_open(struct kernel_entries *e, const char *root)
{
	struct folder cache = FOLDER_NONE;
	struct kernel_names names;
	struct head head;
	const bool keep = fill_head(&head, root) && !cache_open(&cache);

	if (!(keep && load(e, cache.fd, &head)) && !kernel_names_open(&names, root)) {
		kernel_entries_find(e, &names);
		kernel_names_release(&names);
		if (keep)
			save(e, cache.fd, &head);
	}
	folder_release(&cache);
}

/* ---- looking up ---- */

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
