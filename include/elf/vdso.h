/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vDSO's image: the kernel maps the same one into every 64-bit process, ours too.
 */
#ifndef VDSO_H
#define VDSO_H

#include <stddef.h>

/* The image, which lives as long as we do; NULL: the kernel mapped none. */
const void *vdso_image(size_t *len);

#endif
