/* SPDX-License-Identifier: Apache-2.0 */
#include "output/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/archive_store.h"
#include "elf/debugfile.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/folder.h"
#include "elf/lineinfo_apart.h"
#include "base/xalloc.h"
#include "output/note.h"

const char *const archive_mode_names[ARCHIVE_MODES] = {
	[ARCHIVE_OFF] = "off", [ARCHIVE_ON] = "on",     [ARCHIVE_COPY] = "copy",
	[ARCHIVE_SRC] = "src", [ARCHIVE_USED] = "used", [ARCHIVE_USEDSRC] = "usedsrc",
};

static bool takes_sources(enum archive_mode mode)
{
	return mode == ARCHIVE_SRC || mode == ARCHIVE_USEDSRC;
}

static bool takes_unused(enum archive_mode mode)
{
	return mode != ARCHIVE_USED && mode != ARCHIVE_USEDSRC;
}

/* Of an object; a hostile one could produce parts without end. */
enum { PARTS_MAX = 1 << 18 };

struct archiver {
	const struct archive *what;
	struct archive_store store;
	/* of the current object */
	struct module *module;
	struct object_place place; /* where it was */
	struct stat like;          /* its owner and mode */
	size_t parts;              /* of its debug information, so far */
	/* files that could not be kept: the first, and how many more */
	char *left_out;
	int error;
	unsigned more;
};

static void leave_out(struct archiver *a, const char *what, int error)
{
	if (!error)
		return;
	if (a->left_out) {
		a->more++;
		return;
	}
	a->left_out = xstrdup(what);
	a->error = error;
}

/* ---- an object ---- */

static int store_part(struct archiver *a, const char *part, const struct elf_image *img,
		      const struct stat *like)
{
	struct strbuf name = { 0 };
	int error;

	object_folder(&a->place, &name);
	strbuf_addf(&name, "/%s", part);
	error = archive_store_elf(&a->store, name.data, img, like);
	strbuf_release(&name);
	return error;
}

static int store_file(struct archiver *a, const char *part, const struct elf_image *img,
		      struct stat *like)
{
	return fstat(img->fd, like) ? -errno : store_part(a, part, img, like);
}

/* "alt", "dwp", "dwo/0123456789abcdef": the only parts that lines have. */
static bool is_part(const char *name)
{
	static const char digits[] = "0123456789abcdef";
	size_t folder = sizeof(OBJECT_PART_SPLITS "/") - 1;

	if (!strcmp(name, OBJECT_PART_ALT) || !strcmp(name, OBJECT_PART_PACKAGE))
		return true;
	return !strncmp(name, OBJECT_PART_SPLITS "/", folder) &&
	       strlen(name) == folder + 16 && strspn(name + folder, digits) == 16;
}

/*
 * Keeps a part in another file. NAME and LIKE come from a process that read hostile
 * files: they may only make a copy less readable than the object's.
 */
static void keep_part(void *ctx, const char *name, const struct stat *like,
		      const void *bytes, size_t len)
{
	struct archiver *a = ctx;
	struct stat safe = a->like;
	struct elf_image img;
	int error;

	safe.st_mode &= like->st_mode;
	if (!is_part(name) || a->parts++ >= PARTS_MAX)
		return;
	if (!len) /* 1 GiB or more, the limit of the archive */
		leave_out(a, name, -EDQUOT);
	if (!len || elf_image_memory(&img, bytes, len))
		return;
	error = store_part(a, name, &img, &safe);
	leave_out(a, name, error);
	elf_image_release(&img);
}

static void keep_debug_file(struct archiver *a, const struct elf_image *img)
{
	struct elf_image debug;
	struct stat like;
	int error;

	if (debugfile_open(img, &a->place, &debug))
		return;
	error = store_file(a, OBJECT_PART_DEBUG, &debug, &like);
	leave_out(a, a->module->path, error);
	elf_image_release(&debug);
}

static void keep_sources(struct archiver *a, const struct line_answers *answers)
{
	vec_for_each(const struct line_frame, frame, &answers->frames) {
		const char *path = strtab_get(&answers->texts, frame->file);
		char *name = xasprintf(EXP_SOURCES "%s", path);
		int fd = *path == '/' ? named_file_open(a->place.by, NULL, path)
				      : -ENOENT;
		int error;

		if (fd >= 0) {
			error = archive_store_file(&a->store, name, fd);
			leave_out(a, path, error);
			close(fd);
		}
		free(name);
	}
}

static int open_lines(const struct archiver *a, const struct elf_image *img,
		      struct lineinfo **out)
{
	int fd = fcntl(img->fd, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : lineinfo_open_fd(&a->place, fd, out);
}

/* Reading the lines of all stacks opens every part that they need. */
static void keep_line_parts(struct archiver *a, const struct elf_image *img)
{
	VEC(uint64_t) offsets = { 0 };
	struct line_job job = { 0 };

	vec_for_each(const struct intern_frame, f, &a->what->in->frames)
		if (f->module == a->module->id)
			*vec_push(&offsets) = f->offset -
					      (f->flags & EXP_FRAME_RETURN ? 1 : 0);
	if (!offsets.len || open_lines(a, img, &job.info))
		goto out;
	job.offsets = offsets.data;
	job.count = offsets.len;
	lineinfo_ask(&job, 1, keep_part, a);
	if (!job.error && takes_sources(a->what->mode))
		keep_sources(a, &job.reply.answers);
	if (!job.error)
		line_reply_release(&job.reply);
	else if (job.error != -ENOEXEC) /* it was damaged before */
		leave_out(a, a->module->path, job.error);
	lineinfo_free(job.info);
out:
	vec_release(&offsets);
}

/* It may have been overwritten in place. */
static bool is_what_ran(const struct module *m, const struct elf_image *img)
{
	if (m->build_id.hex[0])
		return build_id_same(m->build_id.hex, img->build_id.hex);
	return !file_mark_is_known(&m->mark) || file_mark_is(&m->mark, img->fd);
}

static void keep_object(struct archiver *a)
{
	struct module *m = a->module;
	int fd = m->cfi ? unwind_module_dup(m->cfi) : module_open(a->what->modules, m);
	struct elf_image img;
	int error;

	if (fd < 0 || elf_image_open_fd(&img, fd))
		return;
	a->place = (struct object_place){ .path = m->path,
					  .build_id = m->build_id.hex,
					  .by = origin_by(m->task.origin),
					  .sums = &a->what->modules->sums };
	a->parts = 0;
	error = is_what_ran(m, &img) ? store_file(a, OBJECT_PART_FILE, &img, &a->like)
				     : -ESTALE;
	leave_out(a, m->path, error);
	if (!error) {
		keep_debug_file(a, &img);
		keep_line_parts(a, &img);
	}
	elf_image_release(&img);
}

/* ---- all of them ---- */

static void put_lack(const struct archiver *a, struct strbuf *out)
{
	strbuf_addf(out, "the archive lacks %s", a->left_out);
	if (a->more)
		strbuf_addf(out, " and %u other file%s", a->more,
			    a->more == 1 ? "" : "s");
	if (a->error == -EDQUOT)
		strbuf_addf(out, ": it would be larger than %llu MB",
			    (unsigned long long)(a->store.limit >> 20));
	else if (a->error == -ESTALE)
		strbuf_addstr(out, ": it was changed meanwhile");
	else if (line_job_failure(a->error))
		strbuf_addf(out, ": its debug information %s",
			    line_job_failure(a->error));
	else
		strbuf_addf(out, ": %s", strerror(-a->error));
}

/* If the log cannot be rewritten, it stays as it was, complete. */
static void tell(const struct archiver *a)
{
	struct strbuf text = { 0 };

	if (!a->left_out)
		return;
	put_lack(a, &text);
	log_note(a->what->log, "warning", text.data);
	if (exp_log_write_at(a->what->log, a->what->dir))
		diag_warn("%s does not tell that", a->what->experiment);
	strbuf_release(&text);
}

static void keep_objects(struct archiver *a)
{
	const struct archive *what = a->what;

	vec_for_each(struct module, m, &what->modules->v) {
		if (m->kind != EXP_KIND_FILE ||
		    (!takes_unused(what->mode) && m->id == MODULE_NO_ID))
			continue;
		a->module = m;
		keep_object(a);
	}
}

uint64_t archive_write(const struct archive *archive)
{
	struct archiver a = { .what = archive, .store = { .limit = archive->limit } };
	struct stat st;

	if (archive->mode == ARCHIVE_OFF)
		return 0;
	a.store.dir = fstat(archive->dir, &st)
			      ? -errno
			      : folder_make(archive->dir, EXP_ARCHIVE, st.st_mode & 0777);
	if (a.store.dir < 0) {
		leave_out(&a, "everything", a.store.dir);
	} else {
		keep_objects(&a);
		close(a.store.dir);
	}
	tell(&a);
	free(a.left_out);
	return a.store.bytes;
}
