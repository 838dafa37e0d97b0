/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/kallsyms.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "elf/lines.h"

/* A distribution kernel's is about 10 MB. */
#define KALLSYMS_MAX ((size_t)256 << 20)

/* "ffffffff81000000 T _stext", and for a module "\t[name]" behind it. */
struct kallsym {
	uint64_t addr;
	char type; /* as nm: T, t, W, w for code */
	struct text name, object;
};

/* Symbols of one object, which follow each other. */
struct run {
	struct text object;
	uint32_t kept; /* the object's offset in names; 0 for the kernel proper */
	size_t last;   /* the entry that starts last, if any */
	bool any;
};

static bool parse_line(struct text line, struct kallsym *out)
{
	struct text addr = text_until(&line, ' '), type = text_until(&line, ' ');

	out->name = text_until(&line, '\t');
	out->object = line;
	if (!text_hex(addr, &out->addr) || text_len(&type) != 1 || !text_len(&out->name))
		return false;
	out->type = type.at[0];
	return true;
}

/* The last symbol of an object ends with its page: other code follows. */
static void run_end(const struct run *run, struct symtab *tab)
{
	struct symbol_entry *entry;

	if (!run->any)
		return;
	entry = &tab->entries.data[run->last];
	if ((entry->start | 0xfff) != UINT64_MAX)
		entry->limit = (entry->start | 0xfff) + 1;
}

static void run_begin(struct run *run, struct symtab *tab, struct text object)
{
	run_end(run, tab);
	*run = (struct run){ .object = object };
	if (text_len(&object))
		run->kept = symtab_keep(tab, object.at, text_len(&object));
}

static bool same_text(const struct text *a, const struct text *b)
{
	return text_len(a) == text_len(b) &&
	       (!text_len(a) || !memcmp(a->at, b->at, text_len(a)));
}

static void add(struct run *run, struct symtab *tab, const struct kallsym *sym)
{
	if (!same_text(&run->object, &sym->object))
		run_begin(run, tab, sym->object);
	if (!run->any || sym->addr >= tab->entries.data[run->last].start)
		run->last = tab->entries.len;
	run->any = true;
	symtab_add(tab,
		   &(struct symbol_entry){
			   .start = sym->addr,
			   .limit = UINT64_MAX,
			   .name = symtab_keep(tab, sym->name.at, text_len(&sym->name)),
			   .object = run->kept,
			   .source = SYMBOL_KALLSYMS,
			   .binding = sym->type == 'T'   ? SYMBOL_GLOBAL
				      : sym->type == 't' ? SYMBOL_LOCAL
							 : SYMBOL_WEAK,
		   });
}

/* Returns whether any address was not 0. */
static bool add_all(struct symtab *tab, struct text text)
{
	struct run run = { .object = { text.at, text.at } };
	bool shown = false;
	struct kallsym sym;
	struct text line;

	while (text_line(&text, &line)) {
		if (!parse_line(line, &sym) || !sym.addr)
			continue;
		shown = true;
		if (strchr("TtWw", sym.type))
			add(&run, tab, &sym);
	}
	run_end(&run, tab);
	return shown;
}

int kallsyms_read(struct symtab *tab, const char *path)
{
	struct strbuf bytes = { 0 };
	struct text text;
	int error = file_read(path, KALLSYMS_MAX, &bytes);

	symtab_init(tab);
	if (error)
		goto out;
	text.at = strbuf_str(&bytes);
	text.end = text.at + bytes.len;
	if (!add_all(tab, text)) {
		error = -EACCES;
		goto out;
	}
	symtab_finish(tab, NULL);
	symtab_number_twins(tab);
out:
	if (error)
		symtab_release(tab);
	strbuf_release(&bytes);
	return error;
}
