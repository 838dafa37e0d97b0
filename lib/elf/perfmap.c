/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/perfmap.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/idmap.h"
#include "elf/lines.h"
#include "base/xalloc.h"

#define MAP_BYTES_MAX    ((size_t)64 << 20)
#define MAP_SYMBOLS_MAX  1000000
#define MAP_NAME_MAX     1024
#define STATUS_BYTES_MAX 65536

static bool parse_line(struct text line, struct symbol_entry *entry, struct text *name)
{
	struct text start = text_until(&line, ' '), size = text_until(&line, ' ');

	*entry = (struct symbol_entry){ .source = SYMBOL_PERF_MAP };
	*name = line;
	if (text_len(name) > MAP_NAME_MAX)
		name->end = name->at + MAP_NAME_MAX;
	return text_hex(start, &entry->start) && text_hex(size, &entry->size) &&
	       entry->size && text_len(name) && !memchr(name->at, '\0', text_len(name));
}

static void add_all(struct symtab *tab, struct text text)
{
	struct idmap starts = { 0 };
	struct symbol_entry entry;
	struct text line, name;

	while (text_line(&text, &line) && tab->entries.len < MAP_SYMBOLS_MAX) {
		uint32_t next = (uint32_t)tab->entries.len, seen;

		if (!parse_line(line, &entry, &name))
			continue;
		entry.name = symtab_keep(tab, name.at, text_len(&name));
		seen = idmap_intern(&starts, entry.start, 0, next);
		if (seen == next)
			symtab_add(tab, &entry);
		else
			tab->entries.data[seen] = entry;
	}
	idmap_release(&starts);
}

static int read_fd(struct symtab *tab, int fd)
{
	struct strbuf bytes = { 0 };
	int ret = file_read_fd(fd, MAP_BYTES_MAX, &bytes);
	struct text text = { strbuf_str(&bytes), strbuf_str(&bytes) + bytes.len };

	/* Of a map that is too long the beginning is better than nothing. */
	if (ret == -EFBIG)
		ret = 0;
	if (!ret) {
		symtab_init(tab);
		add_all(tab, text);
		symtab_finish(tab, NULL);
	}
	strbuf_release(&bytes);
	return ret;
}

static int read_below(struct symtab *tab, const char *root, int pid)
{
	char *path = xasprintf("/tmp/perf-%d.map", pid);
	int fd = file_open_below(root, path), ret = fd;

	if (fd >= 0) {
		ret = read_fd(tab, fd);
		close(fd);
	}
	free(path);
	return ret;
}

int perfmap_read(struct symtab *tab, const char *path)
{
	int fd = file_open(path), ret = fd;

	if (fd >= 0) {
		ret = read_fd(tab, fd);
		close(fd);
	}
	return ret;
}

/* The pid in the innermost namespace: the last of "NSpid:\t4711\t12"; else PID. */
static int inner_pid(int pid)
{
	struct strbuf bytes = { 0 };
	char *path = xasprintf("/proc/%d/status", pid);
	const char *found = NULL;
	long inner = 0;

	if (!file_read(path, STATUS_BYTES_MAX, &bytes))
		found = strstr(strbuf_str(&bytes), "\nNSpid:");
	if (found) {
		const char *line_end = strchrnul(found + 1, '\n');
		const char *last = memrchr(found, '\t', (size_t)(line_end - found));

		inner = last ? strtol(last + 1, NULL, 10) : 0;
	}
	free(path);
	strbuf_release(&bytes);
	return inner > 0 && inner <= INT_MAX ? (int)inner : pid;
}

int perfmap_read_pid(struct symtab *tab, int pid)
{
	char *root = xasprintf("/proc/%d/root", pid);
	int ret = read_below(tab, root, inner_pid(pid));

	if (ret)
		ret = read_below(tab, NULL, pid);
	free(root);
	return ret;
}
