/* SPDX-License-Identifier: Apache-2.0 */
#include "output/archive_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/xalloc.h"

enum { CHUNK = 1 << 20 };

/* ---- a file of the archive ---- */

struct part {
	struct archive_store *store;
	int dir;          /* where it lies, -1: nowhere yet */
	const char *name; /* in there; borrowed */
	int fd;           /* -1: it is there already */
	uint64_t bytes;
};

static bool stays_below(const char *name)
{
	for (const char *at = name; *at;) {
		size_t len = strcspn(at, "/");

		if (!len || (len <= 2 && !strncmp(at, "..", len)))
			return false;
		at += len + (at[len] == '/');
	}
	return *name;
}

/* Readable by the same users as the archive. */
static int enter_or_make(int dir, const char *name, mode_t mode)
{
	int fd = folder_make(dir, name, mode);

	return fd == -EEXIST ? folder_enter(dir, name) : fd;
}

/* Makes the directory of NAME; *LAST is the rest of NAME. */
static int make_folders(int dir, const char *name, const char **last)
{
	char *path = xstrdup(name), *at = path, *slash;
	int here = fcntl(dir, F_DUPFD_CLOEXEC, 0), next;
	struct stat st;

	if (here < 0 || fstat(here, &st))
		here = -errno;
	for (; here >= 0 && (slash = strchr(at, '/')); at = slash + 1) {
		*slash = '\0';
		next = enter_or_make(here, at, st.st_mode & 0777);
		close(here);
		here = next;
	}
	*last = name + (at - path);
	free(path);
	return here;
}

static int part_begin(struct part *p, struct archive_store *store, const char *name)
{
	*p = (struct part){ .store = store, .dir = -1, .fd = -1 };
	p->dir = stays_below(name) ? make_folders(store->dir, name, &p->name) : -EINVAL;
	if (p->dir < 0)
		return p->dir;
	p->fd = folder_create_file(p->dir, p->name, 0600);
	return p->fd >= 0 || p->fd == -EEXIST ? 0 : p->fd;
}

static int part_write(struct part *p, const char *bytes, size_t len)
{
	if (len > p->store->limit - p->store->bytes - p->bytes)
		return -EDQUOT;
	p->bytes += len;
	return file_write(p->fd, bytes, len);
}

/* If we cannot set the owner, group and others get only the rights that both had. */
static mode_t mode_of(const struct stat *like, bool owned)
{
	mode_t mode = like->st_mode & 0777, both = (mode >> 3) & mode & 07;
	mode_t mask = umask(077);

	umask(mask);
	if (!owned)
		mode = (mode & 0700) | both << 3 | both;
	return mode & ~mask;
}

/* Until then only we can read it. */
static int part_share(const struct part *p, const struct stat *like)
{
	bool owned = !fchown(p->fd, like->st_uid, like->st_gid);

	return fchmod(p->fd, mode_of(like, owned)) ? -errno : 0;
}

/*
 * Takes the result and passes it on; some file systems report only at close that they are
 * full.
 */
static int part_end(struct part *p, int error)
{
	if (p->fd >= 0) {
		if (close(p->fd) && !error)
			error = -errno;
		if (error)
			folder_remove_file(p->dir, p->name);
		else
			p->store->bytes += p->bytes;
	}
	if (p->dir >= 0)
		close(p->dir);
	return error;
}

/* ---- ELF files ---- */

/* The parts of an ELF file that are not written. */
struct hole {
	uint64_t start, end;
};

typedef VEC(struct hole) hole_vec;

/* Locations of variables, macros, and indexes of sections that we read as a whole. */
static const char *const needless[] = {
	".debug_aranges",  ".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_loc",
	".debug_loclists", ".debug_macinfo",      ".debug_macro",        ".debug_names",
	".debug_pubnames", ".debug_pubtypes",     ".gdb_index",
};

static bool is_needless(const struct elf_section *section)
{
	for (size_t i = 0; i < sizeof(needless) / sizeof(needless[0]); i++) {
		size_t len = strlen(needless[i]);

		if (!strncmp(section->name, needless[i], len) &&
		    (!section->name[len] || !strcmp(section->name + len, ".dwo")))
			return true;
	}
	return false;
}

static int by_start(const void *va, const void *vb)
{
	const struct hole *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* The last one begins at the end of the file. */
static void find_holes(const struct elf_image *img, hole_vec *out)
{
	vec_for_each(const struct elf_section, section, &img->sections)
		if (is_needless(section) && section->size <= img->size &&
		    section->offset <= img->size - section->size)
			*vec_push(out) = (struct hole){ section->offset,
							section->offset + section->size };
	*vec_push(out) = (struct hole){ img->size, img->size };
	qsort(out->data, out->len, sizeof(*out->data), by_start);
}

static int copy_range(struct part *p, const struct elf_image *img, uint64_t at,
		      uint64_t end)
{
	struct strbuf chunk = { 0 };
	int error = lseek(p->fd, (off_t)at, SEEK_SET) < 0 ? -errno : 0;

	while (!error && at < end) {
		uint64_t len = end - at < CHUNK ? end - at : CHUNK;

		strbuf_clear(&chunk);
		error = elf_image_read(img, at, len, &chunk);
		if (!error)
			error = part_write(p, chunk.data, chunk.len);
		at += len;
	}
	strbuf_release(&chunk);
	return error;
}

static int copy_elf(struct part *p, const struct elf_image *img)
{
	hole_vec holes = { 0 };
	uint64_t at = 0;
	int error = ftruncate(p->fd, (off_t)img->size) ? -errno : 0;

	find_holes(img, &holes);
	for (size_t i = 0; !error && i < holes.len; i++) {
		const struct hole *hole = &holes.data[i];

		if (at < hole->start)
			error = copy_range(p, img, at, hole->start);
		at = at > hole->end ? at : hole->end;
	}
	vec_release(&holes);
	return error;
}

int archive_store_elf(struct archive_store *store, const char *name,
		      const struct elf_image *img, const struct stat *like)
{
	struct part p;
	int error = part_begin(&p, store, name);

	if (!error && p.fd >= 0)
		error = copy_elf(&p, img);
	if (!error && elf_image_is_changed(img))
		error = -ESTALE;
	if (!error && p.fd >= 0)
		error = part_share(&p, like);
	return part_end(&p, error);
}

/* ---- other files ---- */

static int copy_file(struct part *p, int from)
{
	char *chunk = xmalloc(CHUNK);
	struct stat st;
	ssize_t got;
	int error = 0;

	while (!error && (got = read(from, chunk, CHUNK)))
		error = got < 0 ? -errno : part_write(p, chunk, (size_t)got);
	free(chunk);
	if (!error && fstat(from, &st))
		error = -errno;
	if (error)
		return error;
	futimens(p->fd, (struct timespec[]){ st.st_atim, st.st_mtim });
	return part_share(p, &st);
}

int archive_store_file(struct archive_store *store, const char *name, int fd)
{
	struct part p;
	int error = part_begin(&p, store, name);

	if (!error && p.fd >= 0)
		error = copy_file(&p, fd);
	return part_end(&p, error);
}
