/* SPDX-License-Identifier: Apache-2.0 */
#include "process/module.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "elf/debugfile.h"
#include "elf/image.h"
#include "base/file.h"
#include "base/served_file.h"
#include "elf/vdso.h"
#include "base/xalloc.h"

void module_table_init(struct module_table *t)
{
	*t = (struct module_table){ 0 };
	origins_init(&t->origins);
	quota_init(&t->copies, (uint64_t)MODULE_COPIES_MIB << 20);
	quota_init(&t->tables, (uint64_t)UNWIND_TABLES_MIB << 20);
	debug_sums_init(&t->sums);
	strtab_init(&t->texts);
}

void module_table_release(struct module_table *t)
{
	vec_for_each(struct module, m, &t->v) {
		free(m->path);
		unwind_module_free(m->cfi);
		free(m->debug);
	}
	origins_release(&t->origins);
	debug_sums_release(&t->sums);
	patient_release(&t->patient);
	leaves_release(&t->leaves);
	quota_release(&t->copies);
	quota_release(&t->tables);
	vec_release(&t->v);
	strtab_release(&t->texts);
	idmap_release(&t->ids);
}

void module_table_turn(struct module_table *t)
{
	vec_for_each(struct module, m, &t->v) {
		m->id = MODULE_NO_ID;
		if (!m->cfi && (m->late || m->unopened))
			m->cfi_tried = false; /* once more, and it counts if it fails */
		m->late = m->unopened = false;
		m->nameless = 0;
	}
	leaves_release(&t->leaves);
	t->unopened = t->patient.given_up = 0;
}

static const char deleted[] = " (deleted)";

/*
 * PATH without the kernel's remark; a file whose mount is gone has only the remark:
 * "/ (deleted)".  The caller frees it.
 */
static char *plain_path(const char *path)
{
	size_t len = strlen(path), cut = sizeof(deleted) - 1;

	if (len > cut + 1 && !strcmp(path + len - cut, deleted))
		len -= cut;
	return xstrndup(path, len);
}

/* Whether only its file distinguishes M from others of its path. */
static bool is_told_by_file(const struct module *m)
{
	return m->kind == EXP_KIND_FILE && !m->build_id.hex[0] && m->file.inode;
}

static bool is_full(const struct module_table *t)
{
	return t->v.len >= MODULES_MAX || t->paths >= MODULE_PATHS_MAX;
}

/* A number for TEXT; STRTAB_NONE, which no module has: it is new, and too much. */
static uint64_t number_of(struct module_table *t, const char *text)
{
	return is_full(t) ? strtab_find(&t->texts, text) : strtab_intern(&t->texts, text);
}

/* The text that, with path and kind, distinguishes M. */
static uint64_t mark_of(struct module_table *t, const struct module *m)
{
	char *text;
	uint64_t mark;

	if (!is_told_by_file(m))
		return number_of(t, m->build_id.hex);
	text = xasprintf("%" PRIu32 ":%" PRIu32 " %" PRIu64, m->file.major, m->file.minor,
			 m->file.inode);
	mark = number_of(t, text);
	free(text);
	return mark;
}

/* A file system gives a file's inode again after it was removed; /proc has no generation. */
static bool agree_on_generation(struct module *known, const struct module *m)
{
	if (!known->file.generation)
		known->file.generation = m->file.generation;
	return !m->file.generation || m->file.generation == known->file.generation;
}

/*
 * Old records do not report the file.  A module known by its path alone gets the file of
 * the first record that reports one; old records mean the first such module.
 */
static uint32_t find_module(struct module_table *t, const struct module *m,
			    const char *path, uint32_t next)
{
	uint64_t name = number_of(t, path) << 32;
	uint32_t index = idmap_get(&t->ids, name | mark_of(t, m), m->kind), bare;

	if (index != IDMAP_NONE &&
	    (!is_told_by_file(m) || agree_on_generation(&t->v.data[index], m)))
		return index;
	if (is_full(t))
		return MODULE_NO_ID;
	index = next;
	if (is_told_by_file(m)) {
		bare = idmap_intern(&t->ids, name, m->kind, next);
		if (bare != next && !t->v.data[bare].file.inode) {
			t->v.data[bare].file = m->file;
			index = bare;
		}
	}
	idmap_set(&t->ids, name | mark_of(t, m), m->kind, index);
	return index;
}

/* It is looked for through the process that has it now: others may be gone. */
static void move_module(const struct module_table *t, struct module *m,
			const struct module *new_module)
{
	if (t->elsewhere || m->cfi || m->kind != EXP_KIND_FILE)
		return;
	m->pid = new_module->pid;
	m->start = new_module->start;
	m->end = new_module->end;
	m->offset = new_module->offset;
	m->cfi_tried = false;
	m->waits = 0;
	m->task.origin = NULL;
}

uint32_t module_table_add(struct module_table *t, const struct module *new_module)
{
	uint32_t next = (uint32_t)t->v.len, index;
	bool own = new_module->kind == EXP_KIND_ANON;
	char *path = own ? xasprintf("[anon:%" PRId64 "]", new_module->pid)
			 : plain_path(new_module->path);
	struct module *m;

	index = find_module(t, new_module, path, next);
	if (index != next) {
		if (index != MODULE_NO_ID)
			move_module(t, &t->v.data[index], new_module);
		free(path);
		return index;
	}
	t->paths += strlen(path);
	m = vec_push(&t->v);
	*m = *new_module;
	m->path = path;
	m->index = index;
	m->id = MODULE_NO_ID;
	return index;
}

/* So er_print may show its code on any machine with that kernel. */
static void complete_vdso(struct module *m)
{
	size_t len;
	const void *image = vdso_image(&len);
	struct elf_image img;

	if (m->build_id.hex[0] || !image || elf_image_memory(&img, image, len))
		return;
	m->build_id = img.build_id;
	elf_image_release(&img);
}

/*
 * A file without a build-id from the kernel may still have one in its notes.  If it has
 * none, er_print takes it for the same file as long as it looks the same.
 */
static void complete_build_id(struct module_table *t, struct module *m)
{
	int fd;

	if (module_is_our_vdso(t, m))
		complete_vdso(m);
	if (m->kind != EXP_KIND_FILE || m->build_id.hex[0])
		return;
	fd = m->cfi ? unwind_module_dup(m->cfi) : module_open(t, m);
	if (fd < 0)
		return;
	if (elf_image_build_id(fd, &m->build_id) < 0) {
		m->build_id.hex[0] = '\0';
		if (!served_file_is_copy(fd)) /* each has an inode of its own */
			file_mark_of(fd, &m->mark);
	}
	close(fd);
}

uint32_t module_id(struct module_table *t, uint32_t index, struct intern *in)
{
	struct module *m = &t->v.data[index];

	if (m->id == MODULE_NO_ID) {
		complete_build_id(t, m);
		if (m->kind == EXP_KIND_ANON && !t->elsewhere)
			origins_of_task(&t->origins, m->pid, &m->task);
		m->id = m->kind == EXP_KIND_FILE && !m->build_id.hex[0]
				? intern_new_module(in, m->path, &m->mark)
				: intern_module(in, m->path, m->build_id.hex, m->kind);
	}
	return m->id;
}

/* ---- its unwind information ---- */

struct module_debug {
	const char *path;
	const struct namer_of_files *by;
	struct debug_sums *sums;
};

/* An unwind_find_debug. */
static int find_debug(const void *context, int fd)
{
	const struct module_debug *debug = context;
	const struct object_place place = { .path = debug->path,
					    .by = debug->by,
					    .sums = debug->sums };
	struct elf_image img, out;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0), found;

	if (own < 0 || elf_image_open_fd(&img, own))
		return -ENOENT;
	found = debugfile_open(&img, &place, &out);
	if (!found) {
		found = fcntl(out.fd, F_DUPFD_CLOEXEC, 0);
		elf_image_release(&out);
	}
	elf_image_release(&img);
	return found;
}

/* The rest is for events, roots of processes, and the experiment's own files. */
static bool may_stay_open(const struct module_table *t)
{
	struct rlimit files;

	return !getrlimit(RLIMIT_NOFILE, &files) &&
	       t->opened < files.rlim_cur / MODULE_FILES_SHARE;
}

static int open_to_stay(struct module_table *t, struct module *m)
{
	int fd = may_stay_open(t) ? module_open(t, m) : -EMFILE;

	if (fd == -EMFILE || fd == -ENFILE) {
		t->unopened += !m->unopened;
		m->unopened = true;
	}
	return fd;
}

/* Whether the error FD is final: a process may be busy for a moment, as in a large fork. */
static bool is_final(struct module *m, int fd)
{
	m->waits += fd == -ETIMEDOUT;
	return !patient_is_late(fd) || m->waits >= MODULE_WAITS_MAX;
}

/* Takes FD. */
static void open_cfi(struct module_table *t, struct module *m, int fd)
{
	if (fd >= 0 && unwind_module_open(fd, &m->cfi) < 0) {
		close(fd);
		m->cfi = NULL;
	}
	m->foreign = fd >= 0 && !m->cfi;
	if (!m->cfi)
		return;
	t->opened++;
	m->debug = xmalloc(sizeof(*m->debug));
	*m->debug = (struct module_debug){ m->path, origin_by(m->task.origin), &t->sums };
	unwind_module_set_memory(m->cfi, &t->tables);
	unwind_module_set_debug(m->cfi, find_debug, m->debug);
}

static void try_cfi(struct module_table *t, struct module *m)
{
	int fd = open_to_stay(t, m);

	m->cfi_tried = is_final(m, fd);
	open_cfi(t, m, fd);
}

static void open_vdso(struct module *m)
{
	size_t len;
	const void *image = vdso_image(&len);

	if (image && unwind_module_open_image(image, len, &m->cfi) < 0)
		m->cfi = NULL;
}

bool module_is_our_vdso(const struct module_table *t, const struct module *m)
{
	return m->kind == EXP_KIND_VDSO && strcmp(m->path, MODULE_VDSO32) != 0 &&
	       (!t->elsewhere || t->kernel_here);
}

struct unwind_module *module_cfi(struct module_table *t, uint32_t index)
{
	struct module *m = &t->v.data[index];

	if (!m->cfi_tried) {
		m->cfi_tried = true;
		if (m->kind == EXP_KIND_FILE)
			try_cfi(t, m);
		else if (module_is_our_vdso(t, m))
			open_vdso(m);
	}
	return m->cfi;
}

/* Takes FD, or an error. */
static bool is_go(int fd)
{
	struct unwind_module *m;
	bool is;

	if (fd < 0)
		return false;
	if (unwind_module_open(fd, &m)) {
		close(fd);
		return false;
	}
	is = unwind_module_is_go(m);
	unwind_module_free(m);
	return is;
}

bool module_file_is_go(const char *path)
{
	return is_go(named_file_open(NULL, NULL, path));
}

bool module_process_is_go(struct patient *patient, const char *root, pid_t pid)
{
	const struct patient_process of = patient_process_find(root, pid);
	char *path = xasprintf("%s/proc/%d/exe", root, (int)pid);
	bool is = is_go(patient_open(patient, &of, path));

	free(path);
	return is;
}

/* Kernel names of mappings without a file: mmap records, fs/proc/task_mmu.c. */
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
