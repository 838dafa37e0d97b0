/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file behind a mapping, as the kernel reports it, and whether an open file is the
 * same one.  A path or an address alone proves nothing: either may lead to another file
 * by the time somebody looks.
 */
#ifndef MAPPED_FILE_H
#define MAPPED_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file_id.h"

/*
 * Whether FD is that file; false if none was reported.  If fstat gives another device, as
 * on overlayfs and btrfs, the kernel decides: the file is mapped, and its entry in
 * /proc/self/maps is compared.
 */
bool mapped_file_is(const struct file_id *file, int fd);

/*
 * Whether FD was written to after the instant SINCE_NS of CLOCK_MONOTONIC, by its time of
 * modification: then it may not have the content that was mapped.  File systems take that
 * time from a clock that is up to 10 ms late.  A time in the future was set by hand, or on
 * another machine, and says nothing.
 */
bool mapped_file_is_written_since(int fd, uint64_t since_ns);

#endif
