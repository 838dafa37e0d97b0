/* SPDX-License-Identifier: Apache-2.0 */
#include "process/kernel_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cache_dir.h"
#include "base/file.h"
#include "elf/kallsyms.h"
#include "base/sorted.h"
#include "base/xalloc.h"

/* The cache file: this, the rows, the texts.  It never leaves the machine. */
struct head {
	char magic[8];
	char boot[40];    /* /proc/sys/kernel/random/boot_id */
	uint32_t modules; /* checksum of /proc/modules */
	uint32_t count;
};

struct row {
	uint64_t start;
	uint32_t size;
	uint32_t name, object; /* offset in the texts; object 0: none */
	uint32_t twin;
};

static const char magic[8] = "RPKNAME2";

#define CACHE_FILE "kernel-names"

enum { FILE_MAX = 256 << 20 };

static int read_under(const char *root, const char *path, struct strbuf *out)
{
	char *full = xasprintf("%s%s", root, path);
	int error = file_read(full, FILE_MAX, out);

	free(full);
	return error;
}

/* Fills in the names' validity.  A kernel that does not reveal it is never cached. */
static int fill_head(struct head *head, const char *root)
{
	struct strbuf boot = { 0 }, modules = { 0 };
	int error = read_under(root, "/proc/sys/kernel/random/boot_id", &boot);

	*head = (struct head){ 0 };
	memcpy(head->magic, magic, sizeof(magic));
	if (!error && (!boot.len || boot.len > sizeof(head->boot)))
		error = -EBADMSG;
	if (!error)
		memcpy(head->boot, boot.data, boot.len);
	if (!read_under(root, "/proc/modules", &modules) && modules.len)
		head->modules = (uint32_t)crc32_z(0, (const void *)modules.data,
						  modules.len);
	strbuf_release(&boot);
	strbuf_release(&modules);
	return error;
}

/* Sets the pointers into file; false if that is too short for its header. */
static bool lay_out(struct kernel_names *k)
{
	const struct head *head = (const void *)k->file.data;
	size_t left = k->file.len;

	if (left < sizeof(*head))
		return false;
	left -= sizeof(*head);
	if (head->count > left / sizeof(struct row))
		return false;
	left -= head->count * sizeof(struct row);
	k->count = head->count;
	k->rows = head + 1;
	k->texts = (const char *)k->rows + head->count * sizeof(struct row);
	k->texts_len = left;
	return left && !k->texts[left - 1];
}

static int read_cache(int dir, struct strbuf *out)
{
	int fd = folder_open_file(dir, CACHE_FILE), error;

	if (fd < 0)
		return fd;
	error = file_read_fd(fd, FILE_MAX, out);
	close(fd);
	return error;
}

static bool load(struct kernel_names *k, int dir, const struct head *want)
{
	const struct head *head;

	if (read_cache(dir, &k->file) || !lay_out(k)) {
		kernel_names_release(k);
		return false;
	}
	head = (const void *)k->file.data;
	if (!memcmp(head->magic, want->magic, sizeof(magic)) &&
	    !memcmp(head->boot, want->boot, sizeof(want->boot)) &&
	    head->modules == want->modules)
		return true;
	kernel_names_release(k);
	return false;
}

/* Builds the table as it is stored in the file. */
static void build(struct kernel_names *k, const struct head *head,
		  const struct symtab *tab)
{
	struct head mine = *head;

	mine.count = (uint32_t)tab->pieces.len;
	strbuf_add(&k->file, &mine, sizeof(mine));
	vec_for_each(const struct symtab_piece, p, &tab->pieces) {
		const struct symbol_entry *e = &tab->entries.data[p->entry];
		uint64_t size = p->end - p->start;
		struct row row = {
			.start = p->start,
			.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
			.name = e->name,
			.object = e->object,
			.twin = e->twin,
		};

		strbuf_add(&k->file, &row, sizeof(row));
	}
	strbuf_add(&k->file, tab->names.data, tab->names.len);
	strbuf_addch(&k->file, '\0');
	if (!lay_out(k))
		kernel_names_release(k);
}

static int read_kernel(struct kernel_names *k, const char *root, const struct head *head)
{
	char *path = xasprintf("%s%s", root, KALLSYMS_PATH);
	struct symtab tab;
	int error = kallsyms_read(&tab, path);

	free(path);
	if (error)
		return error;
	build(k, head, &tab);
	symtab_release(&tab);
	return 0;
}

/* FRESH: not from the cache, which is rewritten. */
static int open_names(struct kernel_names *k, const char *root, bool fresh)
{
	struct folder cache = FOLDER_NONE;
	struct head head;
	bool keep = !fill_head(&head, root) && !cache_open(&cache);
	int error = 0, unsaved = 0;

	*k = (struct kernel_names){ 0 };
	if (keep && !fresh && load(k, cache.fd, &head)) {
		k->cached = true;
	} else {
		error = read_kernel(k, root, &head);
		if (!error && keep)
			unsaved = folder_replace_file(cache.fd, CACHE_FILE, k->file.data,
						      k->file.len);
		(void)unsaved; /* then the next collect asks the kernel again */
	}
	folder_release(&cache);
	return error;
}

int kernel_names_open(struct kernel_names *k, const char *root)
{
	return open_names(k, root, false);
}

int kernel_names_refresh(struct kernel_names *k, const char *root)
{
	kernel_names_release(k);
	return open_names(k, root, true);
}

void kernel_names_release(struct kernel_names *k)
{
	strbuf_release(&k->file);
	*k = (struct kernel_names){ 0 };
}

/* Of texts in a file, which may be damaged; NULL: they are outside. */
static const char *text_at(const struct kernel_names *k, uint32_t offset)
{
	return offset < k->texts_len ? k->texts + offset : NULL;
}

uint64_t kernel_names_end(const struct kernel_names *k)
{
	const struct row *rows = k->rows;

	for (size_t i = k->count; i; i--)
		if (!rows[i - 1].object)
			return rows[i - 1].start + rows[i - 1].size;
	return 0;
}

bool kernel_names_locate(const struct kernel_names *k, const char *name,
			 const char *object, uint32_t size, uint64_t *start)
{
	const struct row *rows = k->rows;
	size_t found = 0;

	for (size_t i = 0; i < k->count; i++) {
		const char *its, *of;

		if (rows[i].size != size)
			continue;
		its = text_at(k, rows[i].name);
		of = rows[i].object ? text_at(k, rows[i].object) : "";
		if (!its || !of || strcmp(its, name) || strcmp(of, object))
			continue;
		*start = rows[i].start;
		found++;
	}
	return found == 1;
}

bool kernel_names_at(const struct kernel_names *k, size_t index, struct symbol *out)
{
	const struct row *row = (const struct row *)k->rows + index;

	if (row->name >= k->texts_len || row->object >= k->texts_len)
		return false;
	*out = (struct symbol){
		.start = row->start,
		.size = row->size,
		.vaddr = row->start,
		.name = k->texts + row->name,
		.object = row->object ? k->texts + row->object : NULL,
		.twin = row->twin,
		.source = SYMBOL_KALLSYMS,
		.until = row->start + row->size,
	};
	return true;
}

bool kernel_names_find(const struct kernel_names *k, uint64_t address, struct symbol *out)
{
	const struct row *rows = k->rows;
	size_t n = sorted_up_to(rows, k->count, start, address);

	return n && address - rows[n - 1].start < rows[n - 1].size &&
	       kernel_names_at(k, n - 1, out);
}
