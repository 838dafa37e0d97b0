/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/object_file.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

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
	fd = file_open_below(place->archive, path.data);
	strbuf_release(&path);
	return fd;
}

static bool is_newer(const struct object_place *place, int fd)
{
	struct stat st;

	return place->before && !fstat(fd, &st) && st.st_mtime > place->before;
}

/* Takes FD. */
static int open_right(const struct object_place *place, int fd, bool newer,
		      struct elf_image *out)
{
	bool known = place->build_id && place->build_id[0];
	int ret = elf_image_open_fd(out, fd);

	if (ret)
		return ret;
	if (known ? !strcmp(place->build_id, out->build_id.hex) : !newer)
		return 0;
	elf_image_release(out);
	return -ESTALE;
}

/* What was copied but in part is as if it were not there. */
static bool has_its_code(const struct elf_image *img)
{
	vec_for_each(const struct elf_segment, segment, &img->segments)
		if (segment->type == PT_LOAD &&
		    (segment->filesz > img->size ||
		     segment->offset > img->size - segment->filesz))
			return false;
	return true;
}

int object_file_open(const struct object_place *place, struct elf_image *out)
{
	int fd = object_part_open(place, OBJECT_PART_FILE), ret;

	*out = (struct elf_image){ .fd = -1 };
	if (fd >= 0 && !open_right(place, fd, false, out)) {
		if (has_its_code(out))
			return 0;
		elf_image_release(out);
	}
	fd = file_open_below(place->root, place->path);
	ret = fd < 0 ? fd : open_right(place, fd, is_newer(place, fd), out);
	if (!ret)
		return 0;
	fd = debuginfod_object(place->online, place->build_id);
	return fd < 0 || open_right(place, fd, false, out) ? ret : 0;
}
