/* SPDX-License-Identifier: Apache-2.0 */
#include "model/vmlinux.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Where Debian, Fedora and kernel builds put it. */
static const char *const paths[] = {
	"/usr/lib/debug/boot/vmlinux-%s",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
	"/boot/vmlinux-%s",
	"/lib/modules/%s/build/vmlinux",
};

enum { PATHS = sizeof(paths) / sizeof(paths[0]), RELEASE_MAX = 64 };

bool vmlinux_is_release(const char *release)
{
	size_t len = strspn(release,
			    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789._+~-");

	return len && !release[len] && len <= RELEASE_MAX && *release != '.';
}

/* PATTERN has one %s.  The caller frees it. */
static char *path_of(const char *pattern, const char *release)
{
	const char *gap = strstr(pattern, "%s");

	return xasprintf("%.*s%s%s", (int)(gap - pattern), pattern, release, gap + 2);
}

/* The kernel's text begins with the lowest executable segment, and so do its names. */
static int find_shift(const struct elf_image *img, uint64_t *shift)
{
	const struct elf_segment *first = NULL;

	vec_for_each(const struct elf_segment, segment, &img->segments)
		if (segment->type == PT_LOAD && segment->flags & PF_X &&
		    (!first || segment->vaddr < first->vaddr))
			first = segment;
	if (!first)
		return -ENODATA;
	*shift = first->offset;
	return 0;
}

int vmlinux_open(struct vmlinux *v, const struct object_place *kernel,
		 const char *release, struct elf_image *img)
{
	struct object_search search = { 0 };
	int error = -ENOENT;

	if (!kernel->build_id || !*kernel->build_id || !vmlinux_is_release(release))
		return -ENOENT;
	if (kernel->search)
		search = *kernel->search;
	for (size_t i = 0; i < PATHS; i++) {
		int here;

		/* a server is asked once */
		search.online = kernel->search && i + 1 == PATHS ? kernel->search->online
								 : NULL;
		v->place = *kernel;
		free(v->path);
		v->place.path = v->path = path_of(paths[i], release);
		v->place.search = &search;
		here = object_file_open(&v->place, img);
		v->place.search = kernel->search;
		if (!here) {
			error = find_shift(img, &v->shift);
			if (error)
				elf_image_release(img);
			return error;
		}
		error = here == -ENOENT ? error : here;
	}
	return error;
}

void vmlinux_release(struct vmlinux *v)
{
	free(v->path);
	*v = (struct vmlinux){ 0 };
}
