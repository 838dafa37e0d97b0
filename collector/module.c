/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "vdso.h"
#include "xalloc.h"

void module_table_init(struct module_table *t)
{
	*t = (struct module_table){ 0 };
	strtab_init(&t->texts);
}

void module_table_release(struct module_table *t)
{
	vec_for_each(struct module, m, &t->v) {
		free(m->path);
		unwind_module_free(m->cfi);
	}
	vec_release(&t->v);
	strtab_release(&t->texts);
	idmap_release(&t->ids);
}

static const char deleted[] = " (deleted)";

/* PATH without the kernel's remark; the caller frees it. */
static char *plain_path(const char *path)
{
	size_t len = strlen(path), cut = sizeof(deleted) - 1;

	if (len > cut && !strcmp(path + len - cut, deleted))
		len -= cut;
	return xstrndup(path, len);
}

uint32_t module_table_add(struct module_table *t, const struct module *new_module)
{
	uint32_t next = (uint32_t)t->v.len, index;
	bool own = new_module->kind == EXP_KIND_ANON;
	char *path = own ? xasprintf("[anon:%" PRId64 "]", new_module->pid)
			 : plain_path(new_module->path);
	uint64_t name = strtab_intern(&t->texts, path);
	uint64_t bits = strtab_intern(&t->texts, new_module->build_id.hex);
	struct module *m;

	index = idmap_intern(&t->ids, name << 32 | bits, new_module->kind, next);
	if (index != next) {
		free(path);
		return index;
	}
	m = vec_push(&t->v);
	*m = *new_module;
	m->path = path;
	m->index = index;
	m->id = MODULE_NO_ID;
	return index;
}

/* A file without a build-id from the kernel may still have one in its notes. */
static void complete_build_id(struct module *m)
{
	if (m->kind == EXP_KIND_FILE && !m->build_id.hex[0] &&
	    build_id_read(m->path, &m->build_id) < 0)
		m->build_id.hex[0] = '\0';
}

uint32_t module_id(struct module_table *t, uint32_t index, struct intern *in)
{
	struct module *m = &t->v.data[index];

	if (m->id == MODULE_NO_ID) {
		if (module_is_here(t, m))
			complete_build_id(m);
		m->id = intern_module(in, m->path, m->build_id.hex, m->kind);
	}
	return m->id;
}

/*
 * By way of the process first: that reaches a file that was deleted or replaced, and one
 * that only its mount namespace has.  Needs the process to be alive, and ours to look at.
 */
static int open_file(const struct module *m)
{
	char *paths[] = {
		xasprintf("/proc/%" PRId64 "/map_files/%" PRIx64 "-%" PRIx64, m->pid,
			  m->start, m->end),
		xasprintf("/proc/%" PRId64 "/root%s", m->pid, m->path),
		xstrdup(m->path),
	};
	int fd = -1;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (fd < 0)
			fd = open(paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		free(paths[i]);
	}
	return fd;
}

/* Takes FD. */
static void open_cfi(struct module *m, int fd)
{
	if (fd >= 0 && unwind_module_open(fd, &m->cfi) < 0) {
		close(fd);
		m->cfi = NULL;
	}
}

static void open_vdso(struct module *m)
{
	size_t len;
	const void *image = vdso_image(&len);

	if (image && unwind_module_open_image(image, len, &m->cfi) < 0)
		m->cfi = NULL;
}

bool module_is_here(const struct module_table *t, const struct module *m)
{
	struct build_id found;
	struct stat st;

	if (!t->elsewhere)
		return true;
	if (m->build_id.hex[0])
		return !build_id_read(m->path, &found) &&
		       !strcmp(found.hex, m->build_id.hex);
	return m->inode && !stat(m->path, &st) && st.st_ino == m->inode &&
	       st.st_mtime < t->before;
}

struct unwind_module *module_cfi(struct module_table *t, uint32_t index)
{
	struct module *m = &t->v.data[index];

	if (!m->cfi_tried) {
		m->cfi_tried = true;
		if (m->kind == EXP_KIND_FILE && module_is_here(t, m))
			open_cfi(m, t->elsewhere ? file_open(m->path) : open_file(m));
		else if (m->kind == EXP_KIND_VDSO && !t->elsewhere)
			open_vdso(m);
	}
	return m->cfi;
}

/* Names that the kernel gives to what is no file: mmap records, fs/proc/task_mmu.c. */
enum exp_module_kind module_kind_of(const char *path)
{
	static const struct {
		const char *prefix;
		enum exp_module_kind kind;
	} rows[] = {
		{ "[vdso]", EXP_KIND_VDSO },    { "[vsyscall]", EXP_KIND_UNKNOWN },
		{ "[", EXP_KIND_ANON },         { "//anon", EXP_KIND_ANON },
		{ "/memfd:", EXP_KIND_ANON },   { "/dev/zero", EXP_KIND_ANON },
		{ "/SYSV", EXP_KIND_ANON },     { "anon_inode:", EXP_KIND_ANON },
		{ "/dev/shm/", EXP_KIND_FILE }, { "/dev/", EXP_KIND_ANON },
		{ "/", EXP_KIND_FILE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncmp(path, rows[i].prefix, strlen(rows[i].prefix)))
			return rows[i].kind;
	return EXP_KIND_ANON;
}
