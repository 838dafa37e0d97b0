/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file with the kernel's code: vmlinux, as distributions' debug packages and builds
 * have it.  Its build-id must be the recorded one.
 */
#ifndef VMLINUX_H
#define VMLINUX_H

#include <stdint.h>

#include "elf/image.h"
#include "elf/object_file.h"

/* All-zero: none. */
struct vmlinux {
	struct object_place place;
	char *path; /* place's */
	/* from an offset in the kernel, which is from its first byte of text, to the file's */
	uint64_t shift;
};

/*
 * The kernel of RELEASE with KERNEL's build-id, looked for where KERNEL's search says.  0,
 * or a negative errno: -ENOENT if there is none; -ESTALE if there are only others.  The
 * caller releases V either way, and IMG if it is open.
 */
int vmlinux_open(struct vmlinux *v, const struct object_place *kernel,
		 const char *release, struct elf_image *img)
	__attribute__((warn_unused_result));
void vmlinux_release(struct vmlinux *v);

/* Whether RELEASE may be part of a path: "6.1.0-13-amd64". */
bool vmlinux_is_release(const char *release);

#endif
