/* SPDX-License-Identifier: Apache-2.0 */
/* Which file, on this machine: the numbers that the kernel reports of a mapping. */
#ifndef FILE_ID_H
#define FILE_ID_H

#include <stdint.h>

struct file_id {
	uint32_t major, minor; /* of the device */
	uint64_t inode;        /* 0: the kernel did not report the file */
	uint64_t generation;   /* of the inode, whose number may be reused; 0: unknown */
};

#endif
