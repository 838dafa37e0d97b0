/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/debugfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/xalloc.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* What .gnu_debuglink says: a file name, and the CRC-32 of that file. */
struct debuglink {
	char *name;
	uint32_t crc;
};

static int open_image(const char *root, const char *path, struct elf_image *out)
{
	int fd = file_open_below(root, path);

	return fd < 0 ? fd : elf_image_open_fd(out, fd);
}

static bool same_build_id(const struct elf_image *a, const struct elf_image *b)
{
	return a->build_id.hex[0] && !strcmp(a->build_id.hex, b->build_id.hex);
}

static int open_by_build_id(const struct elf_image *img, const char *root,
			    struct elf_image *out)
{
	const char *hex = img->build_id.hex;
	char *path;
	int ret;

	if (strlen(hex) < 4)
		return -ENOENT;
	path = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
	ret = open_image(root, path, out);
	free(path);
	if (!ret && !same_build_id(img, out)) {
		elf_image_release(out);
		ret = -ENOENT;
	}
	return ret ? -ENOENT : 0;
}

/* The name is one file's, not a path: it may not lead elsewhere. */
static bool read_debuglink(const struct elf_image *img, struct debuglink *link)
{
	const struct elf_section *section = elf_section_named(img, ".gnu_debuglink");
	struct strbuf bytes = { 0 };
	struct cursor c;
	size_t pad;

	*link = (struct debuglink){ 0 };
	if (!section || elf_section_read(img, section, &bytes) != 0)
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

static bool crc_is(const struct elf_image *img, uint32_t want)
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
	return at == img->size && (uint32_t)crc == want;
}

/* A build-id decides where there is one: it costs nothing, and a CRC reads the file. */
static bool is_debug_file_of(const struct elf_image *img, const struct elf_image *debug,
			     uint32_t crc)
{
	if (img->build_id.hex[0])
		return same_build_id(img, debug);
	return crc_is(debug, crc);
}

static int open_by_debuglink(const struct elf_image *img, const char *path,
			     const char *root, struct elf_image *out)
{
	static const char *const forms[][2] = { { "", "" },
						{ "", "/.debug" },
						{ DEBUG_ROOT, "" } };
	const char *slash = strrchr(path, '/');
	int dir_len = slash ? (int)(slash - path) : 0;
	struct debuglink link;
	int ret = -ENOENT;

	if (!slash || slash - path > INT32_MAX || !read_debuglink(img, &link))
		return -ENOENT;
	for (size_t i = 0; ret && i < sizeof(forms) / sizeof(forms[0]); i++) {
		char *candidate = xasprintf("%s%.*s%s/%s", forms[i][0], dir_len, path,
					    forms[i][1], link.name);

		ret = open_image(root, candidate, out);
		free(candidate);
		if (!ret && !is_debug_file_of(img, out, link.crc)) {
			elf_image_release(out);
			ret = -ENOENT;
		}
	}
	free(link.name);
	return ret ? -ENOENT : 0;
}

/* Without a build-id the folder's name tells that it is the object's; its CRC is not. */
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
	int fd = debuginfod_debug_file(place->online, img->build_id.hex);

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
	int ret = open_archived(img, place, out);

	if (ret)
		ret = open_by_build_id(img, place->root, out);
	if (ret && place->path)
		ret = open_by_debuglink(img, place->path, place->root, out);
	if (ret)
		ret = open_online(img, place, out);
	return ret;
}
