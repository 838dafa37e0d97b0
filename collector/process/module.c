/* SPDX-License-Identifier: Apache-2.0 */
#include "process/module.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/debugfile.h"
#include "base/file.h"
#include "process/vdso.h"
#include "base/xalloc.h"

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

/* ---- the file that ran ---- */

/* By its build-id, or where none is known by its inode. */
static bool is_mapped_file(const struct module *m, int fd)
{
	struct build_id found;
	struct stat st;

	if (m->build_id.hex[0])
		return !build_id_read_fd(fd, &found) &&
		       !strcmp(found.hex, m->build_id.hex);
	return !m->inode || (!fstat(fd, &st) && st.st_ino == m->inode);
}

static bool is_recorded_file(const struct module_table *t, const struct module *m, int fd)
{
	struct stat st;

	if (m->build_id.hex[0])
		return is_mapped_file(m, fd);
	return m->inode && is_mapped_file(m, fd) && !fstat(fd, &st) &&
	       st.st_mtime < t->before;
}

/* FD where it is right, else an error; FD may be one already. */
static int only_if(bool right, int fd)
{
	if (fd < 0 || right)
		return fd;
	close(fd);
	return -ESTALE;
}

/*
 * The program that the process executes, if that is it.  An ordinary user may not open
 * map_files, which takes a capability, but reaches a program in this way even after it
 * was deleted or rebuilt.
 */
static int open_program(const struct module *m)
{
	char *path = xasprintf("/proc/%" PRId64 "/exe", m->pid);
	int fd = m->build_id.hex[0] || m->inode ? file_open(path) : -ENOENT;

	free(path);
	return only_if(fd >= 0 && is_mapped_file(m, fd), fd);
}

/*
 * By way of the process first: that reaches a file that was deleted or replaced, and one
 * that only its mount namespace has.  Needs the process to be alive, and ours to look at.
 * What is found by its path may be there in place of the one that was mapped.
 */
static int open_mapped(const struct module *m)
{
	char *area = xasprintf("/proc/%" PRId64 "/map_files/%" PRIx64 "-%" PRIx64, m->pid,
			       m->start, m->end);
	char *root = xasprintf("/proc/%" PRId64 "/root", m->pid);
	int fd = file_open(area), below;

	if (fd < 0)
		fd = open_program(m);
	if (fd < 0) {
		below = file_open_below(root, m->path);
		fd = only_if(below >= 0 && is_mapped_file(m, below), below);
	}
	if (fd < 0 && fd != -ESTALE) {
		fd = file_open(m->path);
		fd = only_if(fd >= 0 && is_mapped_file(m, fd), fd);
	}
	free(area);
	free(root);
	return fd;
}

int module_open(const struct module_table *t, struct module *m)
{
	int fd;

	if (t->elsewhere) {
		fd = file_open(m->path);
		return only_if(fd >= 0 && is_recorded_file(t, m, fd), fd);
	}
	fd = open_mapped(m);
	m->replaced = fd == -ESTALE;
	return fd;
}

/* A file without a build-id from the kernel may still have one in its notes. */
static void complete_build_id(const struct module_table *t, struct module *m)
{
	int fd;

	if (m->kind != EXP_KIND_FILE || m->build_id.hex[0])
		return;
	fd = m->cfi ? unwind_module_dup(m->cfi) : module_open(t, m);
	if (fd < 0)
		return;
	if (build_id_read_fd(fd, &m->build_id) < 0)
		m->build_id.hex[0] = '\0';
	close(fd);
}

uint32_t module_id(struct module_table *t, uint32_t index, struct intern *in)
{
	struct module *m = &t->v.data[index];

	if (m->id == MODULE_NO_ID) {
		complete_build_id(t, m);
		m->id = intern_module(in, m->path, m->build_id.hex, m->kind);
	}
	return m->id;
}

/* ---- its unwind information ---- */

/* For unwind_module_set_debug: where the debug file of FD, which is at PATH, lies here.
 */
static int find_debug(const char *path, int fd)
{
	const struct object_place place = { .path = path };
	struct elf_image img, debug;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0), found;

	if (own < 0 || elf_image_open_fd(&img, own))
		return -ENOENT;
	found = debugfile_open(&img, &place, &debug);
	if (!found) {
		found = fcntl(debug.fd, F_DUPFD_CLOEXEC, 0);
		elf_image_release(&debug);
	}
	elf_image_release(&img);
	return found;
}

/* Takes FD. */
static void open_cfi(struct module *m, int fd)
{
	if (fd >= 0 && unwind_module_open(fd, &m->cfi) < 0) {
		close(fd);
		m->cfi = NULL;
	}
	if (m->cfi)
		unwind_module_set_debug(m->cfi, find_debug, m->path);
}

static void open_vdso(struct module *m)
{
	size_t len;
	const void *image = vdso_image(&len);

	if (image && unwind_module_open_image(image, len, &m->cfi) < 0)
		m->cfi = NULL;
}

struct unwind_module *module_cfi(struct module_table *t, uint32_t index)
{
	struct module *m = &t->v.data[index];

	if (!m->cfi_tried) {
		m->cfi_tried = true;
		if (m->kind == EXP_KIND_FILE)
			open_cfi(m, module_open(t, m));
		else if (m->kind == EXP_KIND_VDSO && (!t->elsewhere || t->kernel_here))
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
		{ "/dev/shm/", EXP_KIND_FILE }, { "/dev/ashmem/", EXP_KIND_FILE },
		{ "/dev/", EXP_KIND_ANON },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncmp(path, rows[i].prefix, strlen(rows[i].prefix)))
			return rows[i].kind;
	return *path ? EXP_KIND_FILE : EXP_KIND_ANON;
}
