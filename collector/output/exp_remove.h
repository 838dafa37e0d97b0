/* SPDX-License-Identifier: Apache-2.0 */
/* Removing an experiment that is held open, and its size. */
#ifndef EXP_REMOVE_H
#define EXP_REMOVE_H

#include <stdint.h>

/*
 * Removes collect's files in the directory FD, and itself, called NAME in PARENT unless
 * somebody renamed it.  The log goes last: what is left of an interrupted removal still says
 * what it is.
 */
void exp_remove(int fd, int parent, const char *name);

/* The disk space of the experiment FD, with its archive. */
uint64_t exp_bytes(int fd);

#endif
