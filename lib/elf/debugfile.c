/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/debugfile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/xalloc.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* The content of .gnu_debuglink: a file name, and the CRC-32 of that file. */
struct debuglink {
	char *name;
	uint32_t crc;
};

static int open_image(const struct object_place *place, const char *root,
		      const char *path, struct elf_image *out)
{
	int fd = named_file_open(place->by, root, path);

	return fd < 0 ? fd : elf_image_open_fd(out, fd);
}

/* Opens it in the debug directory below ROOT, unchecked. */
static int open_in_folder(const struct object_place *place, const char *root,
			  const char *hex, struct elf_image *out)
{
	char *path;
	int error;

	if (strlen(hex) < 4)
		return -ENOENT;
	path = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
	error = open_image(place, root, path, out);
	free(path);
	return error;
}

static bool same_build_id(const struct elf_image *a, const struct elf_image *b)
{
	return a->build_id.hex[0] && !strcmp(a->build_id.hex, b->build_id.hex);
}

static int open_by_build_id(const struct elf_image *img, const struct object_place *place,
			    const char *root, struct elf_image *out)
{
	int error = open_in_folder(place, root, img->build_id.hex, out);

	if (!error && !same_build_id(img, out)) {
		elf_image_release(out);
		error = -ENOENT;
	}
	return error ? -ENOENT : 0;
}

enum { LINK_BYTES_MAX = PATH_MAX + 64 }; /* a path, and a CRC or a build-id */

/* It must be the name of one file, not a path that leads elsewhere. */
static bool read_debuglink(const struct elf_image *img, struct debuglink *link)
{
	const struct elf_section *section = elf_section_named(img, ".gnu_debuglink");
	struct strbuf bytes = { 0 };
	struct cursor c;
	size_t pad;

	*link = (struct debuglink){ 0 };
	if (!section || elf_section_read(img, section, LINK_BYTES_MAX, &bytes) != 0)
		goto out;
	c = elf_image_cursor(img, &bytes);
	link->name = xstrdup(cursor_str(&c));
	pad = -(bytes.len - cursor_left(&c)) & 3;
	cursor_bytes(&c, pad);
	link->crc = cursor_u32(&c);
	if (!cursor_ok(&c) || !link->name[0] || strchr(link->name, '/')) {
		free(link->name);
		link->name = NULL;
	}
out:
	strbuf_release(&bytes);
	return link->name != NULL;
}

void debug_sums_init(struct debug_sums *sums)
{
	*sums = (struct debug_sums){ .largest = DEBUG_SUM_LIVE_MAX };
	quota_init(&sums->quota, (uint64_t)DEBUG_SUMS_MIB << 20);
}

void debug_sums_release(struct debug_sums *sums)
{
	quota_release(&sums->quota);
	vec_release(&sums->known);
}

static const struct debug_sum *find_sum(const struct debug_sums *sums,
					const struct debug_sum *file)
{
	vec_for_each(const struct debug_sum, sum, &sums->known)
		if (sum->device == file->device &&
		    !memcmp(&sum->mark, &file->mark, sizeof(file->mark)))
			return sum;
	return NULL;
}

static void keep_sum(struct debug_sums *sums, const struct debug_sum *sum)
{
	if (sums->known.len < DEBUG_SUMS_KNOWN)
		*vec_push(&sums->known) = *sum;
	else
		sums->known.data[sums->next++ % DEBUG_SUMS_KNOWN] = *sum;
}

/* Whether IMG's debug file of that size may be read. */
static bool may_read(struct debug_sums *sums, const struct elf_image *img, uint64_t size)
{
	struct stat st;

	if (size <= sums->largest && !fstat(img->fd, &st) &&
	    quota_take(&sums->quota, st.st_uid, size))
		return true;
	sums->quota.refused++;
	return false;
}

static bool crc_of(const struct elf_image *img, uint32_t *out)
{
	struct strbuf chunk = { 0 };
	uLong crc = crc32(0, NULL, 0);
	uint64_t at = 0;

	while (at < img->size) {
		uint64_t len = img->size - at < 1 << 20 ? img->size - at : 1 << 20;

		strbuf_clear(&chunk);
		if (elf_image_read(img, at, len, &chunk) != 0)
			break;
		crc = crc32(crc, (const Bytef *)chunk.data, (uInt)len);
		at += len;
	}
	strbuf_release(&chunk);
	*out = (uint32_t)crc;
	return at == img->size && !elf_image_is_changed(img);
}

static bool crc_is(const struct elf_image *img, const struct elf_image *debug,
		   struct debug_sums *sums, uint32_t want)
{
	struct debug_sum own = { .mark = debug->mark };
	const struct debug_sum *known;
	struct stat st;

	if (debug->size > DEBUG_SUM_MAX || fstat(debug->fd, &st))
		return false;
	own.device = st.st_dev;
	known = sums ? find_sum(sums, &own) : NULL;
	if (known)
		return known->crc == want;
	if ((sums && !may_read(sums, img, debug->size)) || !crc_of(debug, &own.crc))
		return false;
	if (sums)
		keep_sum(sums, &own);
	return own.crc == want;
}

/* A build-id decides if there is one: it is free, but a CRC reads the file. */
static bool is_debug_file_of(const struct elf_image *img, const struct elf_image *debug,
			     struct debug_sums *sums, uint32_t crc)
{
	if (img->build_id.hex[0])
		return same_build_id(img, debug);
	return crc_is(img, debug, sums, crc);
}

static int open_by_debuglink(const struct elf_image *img,
			     const struct object_place *place, const char *root,
			     struct elf_image *out)
{
	const char *path = place->path;
	static const char *const forms[][2] = { { "", "" },
						{ "", "/.debug" },
						{ DEBUG_ROOT, "" } };
	const char *slash = strrchr(path, '/');
	int dir_len = slash ? (int)(slash - path) : 0;
	struct debuglink link;
	int error = -ENOENT;

	if (!slash || slash - path > INT32_MAX || !read_debuglink(img, &link))
		return -ENOENT;
	for (size_t i = 0; error && i < sizeof(forms) / sizeof(forms[0]); i++) {
		char *candidate = xasprintf("%s%.*s%s/%s", forms[i][0], dir_len, path,
					    forms[i][1], link.name);

		error = open_image(place, root, candidate, out);
		free(candidate);
		if (!error && !is_debug_file_of(img, out, place->sums, link.crc)) {
			elf_image_release(out);
			error = -ENOENT;
		}
	}
	free(link.name);
	return error ? -ENOENT : 0;
}

/* Without a build-id the directory's name proves the object; the CRC is not its own. */
static int open_archived(const struct elf_image *img, const struct object_place *place,
			 struct elf_image *out)
{
	int fd = object_part_open(place, OBJECT_PART_DEBUG);

	if (fd < 0 || elf_image_open_fd(out, fd))
		return -ENOENT;
	if (!strcmp(img->build_id.hex, out->build_id.hex))
		return 0;
	elf_image_release(out);
	return -ENOENT;
}

static int open_online(const struct elf_image *img, const struct object_place *place,
		       struct elf_image *out)
{
	struct debuginfod *online = place->search ? place->search->online : NULL;
	int fd = debuginfod_debug_file(online, img->build_id.hex);

	if (fd < 0 || elf_image_open_fd(out, fd))
		return -ENOENT;
	if (same_build_id(img, out))
		return 0;
	elf_image_release(out);
	return -ENOENT;
}

int debugfile_open(const struct elf_image *img, const struct object_place *place,
		   struct elf_image *out)
{
	int error = open_archived(img, place, out);
	const char *root;

	for (size_t i = 0; error && object_root(place, i, &root); i++)
		error = open_by_build_id(img, place, root, out);
	for (size_t i = 0; error && place->path && object_root(place, i, &root); i++)
		error = open_by_debuglink(img, place, root, out);
	if (error)
		error = open_online(img, place, out);
	return error;
}

/* ---- what dwz moved ---- */

/* The content of .gnu_debugaltlink: a path, and that file's build-id. */
struct altlink {
	char *name;
	struct build_id id;
};

static bool read_altlink(const struct elf_image *img, struct altlink *link)
{
	const struct elf_section *section = elf_section_named(img, ".gnu_debugaltlink");
	struct strbuf bytes = { 0 };
	const char *name = NULL;
	struct cursor c;
	size_t len = 0;

	*link = (struct altlink){ 0 };
	if (section && !elf_section_read(img, section, LINK_BYTES_MAX, &bytes)) {
		c = elf_image_cursor(img, &bytes);
		name = cursor_str(&c);
		len = cursor_left(&c);
	}
	if (name && *name && len && len <= BUILD_ID_BYTES_MAX) {
		link->name = xstrdup(name);
		build_id_from_bytes(cursor_bytes(&c, len), len, &link->id);
	}
	strbuf_release(&bytes);
	return link->name;
}

/* 0 if OUT was opened (RET) and has the build-id; else releases it. */
static int only_with(const struct altlink *link, int error, struct elf_image *out)
{
	if (error)
		return -ENOENT;
	if (!strcmp(link->id.hex, out->build_id.hex))
		return 0;
	elf_image_release(out);
	return -ENOENT;
}

/* The path of FD below the directory ROOT; NULL: it is elsewhere. */
static char *path_below(int root, int fd)
{
	char top[PATH_MAX] = "", path[PATH_MAX], link[32];
	ssize_t top_len = 0, len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (root >= 0) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", root);
		top_len = readlink(link, top, sizeof(top) - 1);
	}
	if (len <= 0 || top_len < 0)
		return NULL;
	path[len] = top[top_len] = '\0';
	if (top_len && top[top_len - 1] == '/')
		top_len--;
	if (strncmp(path, top, (size_t)top_len) != 0 || path[top_len] != '/')
		return NULL;
	return xstrdup(path + top_len);
}

/* A relative name counts from IMG's directory. */
static int open_beside(const struct elf_image *img, const struct object_place *place,
		       const char *name, struct elf_image *out)
{
	char *own = img->fd < 0 ? NULL
				: path_below(place->by ? place->by->root : -1, img->fd);
	char *path;
	int error;

	if (!own)
		return -ENOENT;
	path = xasprintf("%.*s/%s", (int)(strrchr(own, '/') - own), own, name);
	error = open_image(place, NULL, path, out);
	free(path);
	free(own);
	return error;
}

static int open_alt_online(const struct object_place *place, const struct altlink *link,
			   struct elf_image *out)
{
	struct debuginfod *online = place->search ? place->search->online : NULL;
	int fd = debuginfod_debug_file(online, link->id.hex);

	return fd < 0 ? fd : elf_image_open_fd(out, fd);
}

static int find_alt(const struct elf_image *img, const struct object_place *place,
		    const struct altlink *link, struct elf_image *out)
{
	int fd = object_part_open(place, OBJECT_PART_ALT);
	int error = only_with(link, fd < 0 ? fd : elf_image_open_fd(out, fd), out);
	const char *root;

	for (size_t i = 0; error && object_root(place, i, &root); i++) {
		error = only_with(link, open_in_folder(place, root, link->id.hex, out),
				  out);
		if (error && link->name[0] == '/')
			error = only_with(link, open_image(place, root, link->name, out),
					  out);
	}
	if (error && link->name[0] != '/')
		error = only_with(link, open_beside(img, place, link->name, out), out);
	return error ? only_with(link, open_alt_online(place, link, out), out) : 0;
}

int altfile_open(const struct elf_image *img, const struct object_place *place,
		 struct elf_image *out)
{
	struct altlink link;
	int error = -ENOENT;

	if (read_altlink(img, &link))
		error = find_alt(img, place, &link, out);
	free(link.name);
	return error;
}
