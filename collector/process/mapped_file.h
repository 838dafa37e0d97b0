/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file behind a mapping, as the kernel reports it, and whether an open file is the
 * same one.  A path or an address alone proves nothing: either may lead to another file
 * by the time somebody looks.
 */
#ifndef MAPPED_FILE_H
#define MAPPED_FILE_H

#include <stdbool.h>

#include "base/file_id.h"

/*
 * Whether FD is that file; false if none was reported.  If fstat gives another device, as
 * on overlayfs and btrfs, the kernel decides: the file is mapped, and its entry in
 * /proc/self/maps is compared.
 */
bool mapped_file_is(const struct file_id *file, int fd);

#endif
