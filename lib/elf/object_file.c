/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/object_file.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "elf/build_id.h"
#include "base/file.h"
#include "base/xalloc.h"

/* FNV-1a: the same on every machine. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash;
}

void object_folder(const struct object_place *place, struct strbuf *out)
{
	if (place->build_id && place->build_id[0])
		strbuf_addstr(out, place->build_id);
	else
		strbuf_addf(out, "path-%016" PRIx64, hash_of(place->path));
}

int object_part_open(const struct object_place *place, const char *part)
{
	struct strbuf path = { 0 };
	int fd;

	if (!place->archive)
		return -ENOENT;
	object_folder(place, &path);
	strbuf_addf(&path, "/%s", part);
	fd = folder_open_file(place->archive->fd, path.data);
	strbuf_release(&path);
	return fd;
}

/* ---- which file ---- */

static bool has_build_id(const struct object_place *place)
{
	return place->build_id && place->build_id[0];
}

/* Takes FD; PROOF is the proof of a file without a build-id.  */
static int open_right(const struct object_place *place, int fd, bool proof,
		      struct elf_image *out)
{
	int error = elf_image_open_fd(out, fd);

	if (error)
		return error;
	if (has_build_id(place) ? build_id_same(place->build_id, out->build_id.hex)
				: proof)
		return 0;
	elf_image_release(out);
	return has_build_id(place) || place->mark ? -ESTALE : -ENOKEY;
}

/* A partial copy counts as none. */
static bool has_its_code(const struct elf_image *img)
{
	vec_for_each(const struct elf_segment, segment, &img->segments)
		if (segment->type == PT_LOAD &&
		    (segment->filesz > img->size ||
		     segment->offset > img->size - segment->filesz))
			return false;
	return true;
}

/* The result of one way to the file: 0, or an error; the gravest is reported. */
typedef int way_fn(const struct object_place *place, struct elf_image *out,
		   struct object_found *found);

static int by_archive(const struct object_place *place, struct elf_image *out,
		      struct object_found *found)
{
	int fd = object_part_open(place, OBJECT_PART_FILE);
	int error = fd < 0 ? -ENOENT : open_right(place, fd, true, out);

	if (!error && !has_its_code(out)) {
		elf_image_release(out);
		error = -ENOENT;
	}
	found->proof = OBJECT_ARCHIVED;
	return error ? -ENOENT : 0;
}

/* Without a build-id the file must have its original path. */
static int below_symfs(const struct object_place *place, const char *dir,
		       struct elf_image *out, struct object_found *found)
{
	const char *slash = strrchr(place->path, '/');
	const char *names[] = { place->path, slash ? slash : place->path };
	size_t count = has_build_id(place) ? 2 : 1;
	int result = -ENOENT;

	for (size_t i = 0; i < count && result; i++) {
		int fd = named_file_open(NULL, dir, names[i]);
		int error = fd < 0 ? fd : open_right(place, fd, true, out);

		result = result == -ESTALE && error ? result : error;
		if (!error)
			found->path = xasprintf("%s%s%s", dir,
						*names[i] == '/' ? "" : "/", names[i]);
	}
	return result;
}

static int by_symfs(const struct object_place *place, struct elf_image *out,
		    struct object_found *found)
{
	const char *const *dir = place->search ? place->search->symfs : NULL;
	int result = -ENOENT;

	for (; dir && *dir && result; dir++) {
		int error = below_symfs(place, *dir, out, found);

		result = result == -ESTALE && error ? result : error;
	}
	found->proof = has_build_id(place) ? OBJECT_BUILD_ID : OBJECT_STATED;
	return result;
}

bool path_change_put(const struct path_change *changes, size_t count, const char *path,
		     struct strbuf *out)
{
	while (count-- > 0) {
		size_t len = strlen(changes[count].from);

		while (len && changes[count].from[len - 1] == '/')
			len--;
		if (strncmp(path, changes[count].from, len) != 0 ||
		    (path[len] != '/' && path[len]))
			continue;
		strbuf_addf(out, "%s%s", changes[count].to, path + len);
		return true;
	}
	return false;
}

static int by_change(const struct object_place *place, struct elf_image *out,
		     struct object_found *found)
{
	const struct object_search *search = place->search;
	struct strbuf path = { 0 };
	int error = -ENOENT, fd;

	if (!search ||
	    !path_change_put(search->changes, search->change_count, place->path, &path))
		return error;
	fd = named_file_open(NULL, NULL, path.data);
	error = fd < 0 ? fd : open_right(place, fd, true, out);
	found->proof = has_build_id(place) ? OBJECT_BUILD_ID : OBJECT_STATED;
	if (!error)
		found->path = strbuf_detach(&path);
	strbuf_release(&path);
	return error;
}

static int by_path(const struct object_place *place, struct elf_image *out,
		   struct object_found *found)
{
	int fd = named_file_open(place->by, place->root, place->path), error = fd;

	if (fd >= 0)
		error = open_right(place, fd,
				   place->trusted ||
					   (place->mark && file_mark_is(place->mark, fd)),
				   out);
	found->proof = has_build_id(place) ? OBJECT_BUILD_ID
		       : place->trusted    ? OBJECT_STATED
					   : OBJECT_MARK;
	if (!error)
		found->path = xasprintf("%s%s", place->root ? place->root : "",
					place->path);
	return error;
}

static int by_server(const struct object_place *place, struct elf_image *out,
		     struct object_found *found)
{
	static const size_t lengths[] = { 16, 8 };
	struct debuginfod *online = place->search ? place->search->online : NULL;
	struct build_id other;
	int fd;

	if (!online || !has_build_id(place))
		return -ENOENT;
	found->proof = OBJECT_ONLINE;
	fd = debuginfod_object(online, place->build_id);
	for (size_t i = 0; fd < 0 && i < sizeof(lengths) / sizeof(lengths[0]); i++)
		if (build_id_unpadded(place->build_id, lengths[i], &other))
			fd = debuginfod_object(online, other.hex);
	return fd < 0 ? -ENOENT : open_right(place, fd, false, out);
}

int object_file_find(const struct object_place *place, struct elf_image *out,
		     struct object_found *found)
{
	static way_fn *const ways[] = { by_archive, by_change, by_symfs, by_path,
					by_server };
	int result = -ENOENT;

	*out = (struct elf_image){ .fd = -1 };
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct object_found here = { 0 };
		int error = ways[i](place, out, &here);

		if (!error) {
			if (found)
				*found = here;
			else
				object_found_release(&here);
			return 0;
		}
		result = error == -ENOENT ? result : error;
	}
	if (found)
		*found = (struct object_found){ 0 };
	return result;
}

void object_found_release(struct object_found *found)
{
	free(found->path);
	found->path = NULL;
}

int object_file_open(const struct object_place *place, struct elf_image *out)
{
	return object_file_find(place, out, NULL);
}

int object_file_settled(const struct object_place *place, struct elf_image *out,
			struct object_found *found)
{
	const struct timespec pause = { .tv_nsec = ELF_FRESH_NS };
	int error = object_file_find(place, out, found);

	for (int tries = 5; !error && elf_image_is_fresh(out) && tries; tries--) {
		elf_image_release(out);
		if (found)
			object_found_release(found);
		nanosleep(&pause, NULL);
		error = object_file_find(place, out, found);
	}
	if (error || !elf_image_is_fresh(out))
		return error;
	elf_image_release(out);
	return -ESTALE;
}

/* ---- files that belong to it ---- */

bool object_root(const struct object_place *place, size_t index, const char **root)
{
	const char *const *dir = place->search ? place->search->symfs : NULL;

	for (; dir && *dir; dir++)
		if (!index--) {
			*root = *dir;
			return true;
		}
	*root = place->root;
	return !index;
}

int object_open_below(const struct object_place *place, const char *path)
{
	const char *root;
	int fd = -ENOENT;

	for (size_t i = 0; fd < 0 && object_root(place, i, &root); i++)
		fd = named_file_open(place->by, root, path);
	return fd;
}
