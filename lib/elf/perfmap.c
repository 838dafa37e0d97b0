/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/perfmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/idmap.h"
#include "elf/lines.h"
#include "base/xalloc.h"

#define MAP_BYTES_MAX   ((size_t)64 << 20)
#define MAP_SYMBOLS_MAX 1000000
#define MAP_NAME_MAX    1024

/* How far file times may lag behind the clock. */
#define CLOCK_STEP_NS 100000000

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

int perfmap_read(struct symtab *tab, const char *path)
{
	int fd = file_open(path), ret = fd;

	if (fd >= 0) {
		ret = read_fd(tab, fd);
		close(fd);
	}
	return ret;
}

/* Its owner and time prove that it is that process's map. */
static bool is_right(const struct perfmap_place *place, int fd)
{
	struct stat st;
	int64_t changed;

	if (fstat(fd, &st) < 0 || (st.st_uid && st.st_uid != place->owner) ||
	    st.st_nlink > 1)
		return false;
	changed = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
	return changed >= place->from_ns - CLOCK_STEP_NS &&
	       (!place->to_ns || changed <= place->to_ns);
}

static int read_map(struct symtab *tab, const struct perfmap_place *place,
		    const struct namer_of_files *by, int pid)
{
	char *path = xasprintf("/tmp/perf-%d.map", pid);
	int fd = named_file_open_unlinked(by, path), ret = fd;

	if (fd >= 0 && !is_right(place, fd))
		ret = -EACCES;
	else if (fd >= 0)
		ret = read_fd(tab, fd);
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

int perfmap_find(struct symtab *tab, const struct perfmap_place *place)
{
	int ret = place->by ? read_map(tab, place, place->by, place->inner_pid) : -ENOENT;

	return ret ? read_map(tab, place, NULL, place->pid) : 0;
}
