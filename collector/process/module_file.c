/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the file of a module that ran, which may be deleted, replaced, served or hang. */
#include "process/module.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/image.h"
#include "base/file.h"
#include "base/served_file.h"
#include "base/xalloc.h"

static bool is_mapped_file(const struct module *m, int fd)
{
	struct build_id found;

	if (m->build_id.hex[0])
		return !elf_image_build_id(fd, &found) &&
		       build_id_same(found.hex, m->build_id.hex);
	if (served_file_is_copy(fd))
		return true; /* the child compared it */
	if (m->mapped_ns && mapped_file_is_written_since(fd, m->mapped_ns))
		return false;
	return mapped_file_is(&m->file, fd);
}

static bool is_recorded_file(const struct module_table *t, const struct module *m, int fd)
{
	struct stat st;

	if (m->build_id.hex[0])
		return is_mapped_file(m, fd);
	if (t->trust_paths)
		return true;
	return is_mapped_file(m, fd) && !fstat(fd, &st) && st.st_mtime < t->before;
}

/* FD if it is right, else an error; FD may be one already. */
static int only_if(bool right, int fd)
{
	if (fd < 0 || right)
		return fd;
	close(fd);
	return -ESTALE;
}

static int only_mapped(const struct module *m, int fd)
{
	return only_if(fd >= 0 && is_mapped_file(m, fd), fd);
}

static struct patient_process process_of(const struct module *m)
{
	const struct origin *origin = m->task.origin;

	return (struct patient_process){
		.pid = m->pid,
		.file = m->build_id.hex[0] ? NULL : &m->file,
		.user = origin && !origin->by.refused ? origin->rights.uid
						      : PATIENT_NO_USER,
	};
}

/* Another file may have replaced the recorded one. */
static int open_area(struct patient *patient, const struct module *m)
{
	const struct patient_process of = process_of(m);
	char *path = xasprintf("/proc/%" PRId64 "/map_files/%" PRIx64 "-%" PRIx64, m->pid,
			       m->start, m->end);
	int fd = patient_open(patient, &of, path);

	free(path);
	return only_mapped(m, fd);
}

/*
 * The program that the process executes.  Ordinary users may not open map_files, which
 * requires a capability, but can reach a program this way even if it was deleted or
 * rebuilt.
 */
static int open_program(struct patient *patient, const struct module *m)
{
	const struct patient_process of = process_of(m);
	char *path = xasprintf("/proc/%" PRId64 "/exe", m->pid);
	int fd = patient_open(patient, &of, path);

	free(path);
	return only_mapped(m, fd);
}

static int open_path_by(struct patient *patient, const struct module *m,
			const struct namer_of_files *by)
{
	const struct patient_process of = process_of(m);
	int fd = patient_open_named(patient, &of, by, m->path);

	/* nobody compared the file of a copy by name, and the copy has another number */
	if (fd >= 0 && !m->build_id.hex[0] && served_file_is_copy(fd))
		return only_if(false, fd);
	return only_mapped(m, fd);
}

/* Its path in the process's root, then in ours. */
static int open_path(struct patient *patient, const struct module *m)
{
	const struct namer_of_files *by = origin_by(m->task.origin);
	int fd = by ? open_path_by(patient, m, by) : -ENOENT, own;

	if (fd >= 0 || patient_is_late(fd))
		return fd;
	own = open_path_by(patient, m, NULL);
	return own < 0 && fd == -ESTALE ? fd : own;
}

/*
 * Tries the process first: that reaches deleted and replaced files, and those that only
 * its mount namespace has.  The process must be alive, and ours to inspect.  If it does
 * not answer, the file itself may be what hangs, and other ways to it would hang too.
 */
static int open_mapped(struct patient *patient, const struct module *m)
{
	int fd = open_area(patient, m);

	if (fd < 0 && !patient_is_late(fd))
		fd = open_program(patient, m);
	return fd < 0 && !patient_is_late(fd) ? open_path(patient, m) : fd;
}

static void count_once(bool happened, bool *counted, uint64_t *count)
{
	*count += happened && !*counted;
	*counted |= happened;
}

/*
 * FD, or -EFBIG: that its user serves too much.  Copies may stay as long as the recording; of
 * a file that is opened several times only one does.
 */
static int charge_copy(struct module_table *t, struct module *m, int fd)
{
	struct stat st;

	if (fd < 0 || m->charged || !served_file_is_copy(fd))
		return fd;
	m->charged = !fstat(fd, &st) &&
		     quota_take(&t->copies, process_of(m).user, (uint64_t)st.st_size);
	if (m->charged)
		return fd;
	close(fd);
	return -EFBIG;
}

static int open_file(struct module_table *t, struct module *m)
{
	int fd;

	if (t->elsewhere) {
		fd = named_file_open(NULL, NULL, m->path);
		return only_if(fd >= 0 && is_recorded_file(t, m, fd), fd);
	}
	fd = open_mapped(&t->patient, m);
	fd = charge_copy(t, m, fd);
	m->replaced = fd == -ESTALE;
	count_once(patient_is_late(fd), &m->late, &t->patient.given_up);
	return fd;
}

/* Files are named by the process or, once it has ended, by the file's owner. */
int module_open(struct module_table *t, struct module *m)
{
	int fd;

	if (!m->task.origin && !t->elsewhere)
		origins_of_task(&t->origins, m->pid, &m->task);
	fd = open_file(t, m);
	if (fd >= 0 && !m->task.origin)
		m->task.origin = origins_of_file(&t->origins, fd);
	return fd;
}
