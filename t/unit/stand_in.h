/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulates other kernels and filters for code that calls the C library's syscall(): a
 * test linked with this may answer such calls itself.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>

/* True: *ANSWER, with errno, is the answer to system call NUMBER; else the kernel is asked. */
typedef bool stand_in_fn(long number, const long *args, long *answer);

extern stand_in_fn *stand_in; /* NULL: the kernel is always asked */

/* Asks the kernel. */
long stand_in_real(long number, const long *args);

#endif
