/* SPDX-License-Identifier: Apache-2.0 */
/* A file on this machine, by the numbers that the kernel reports for a mapping. */
#ifndef FILE_ID_H
#define FILE_ID_H

#include <stdint.h>

struct file_id {
	uint32_t major, minor; /* of the device */
	uint64_t inode;        /* 0: the kernel did not report the file */
	uint64_t generation;   /* of the inode, whose number may be reused; 0: unknown */
};

#endif
