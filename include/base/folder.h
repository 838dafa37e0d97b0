/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes, opens and removes files in a directory that is held open.
 *
 * Another user may own, or be able to write, the directory that contains an experiment.
 * That user can rename entries and replace them with links at any moment.  So no call
 * here uses a path from outside: each takes the directory's descriptor (DIR) and a NAME
 * in it, follows no link, and never leaves the directory.
 */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A directory, with its path for messages. */
struct folder {
	int fd;     /* -1: there is none */
	char *path; /* owned */
};

#define FOLDER_NONE                                                                      \
	{                                                                                \
		.fd = -1                                                                 \
	}

void folder_release(struct folder *folder);

/*
 * Opens the directory at PATH, which the user chose, so links are followed.  The
 * directory can be listed if the user may list it.  A descriptor or a negative errno.
 */
int folder_open(const char *path) __attribute__((warn_unused_result));

/* Opens the directory NAME; -ENOTDIR for anything else, including a link to one. */
int folder_enter(int dir, const char *name) __attribute__((warn_unused_result));

/* Makes the directory NAME and enters it; -EEXIST if the name is taken. */
int folder_make(int dir, const char *name, mode_t mode)
	__attribute__((warn_unused_result));

/* Whether NAME is the directory open as FD. */
bool folder_is(int dir, const char *name, int fd);

/*
 * Whether DIR's owner is the owner of files that this process makes: its user, except on
 * file systems that give every file one owner.
 */
bool folder_is_ours(int dir);

/*
 * Opens the regular file at PATH for reading; PATH may lead through directories below
 * DIR. A descriptor or a negative errno: -ELOOP for a link on the way, -EINVAL for
 * anything but a regular file.
 */
int folder_open_file(int dir, const char *path) __attribute__((warn_unused_result));

/* Describes that error. */
const char *folder_error(int error);

/*
 * Makes the file NAME for writing; -EEXIST if the name is taken.  Those who can read DIR
 * can read it, and its owner can write it, within the permissions of AT_MOST.
 */
int folder_create_file(int dir, const char *name, mode_t at_most)
	__attribute__((warn_unused_result));

/*
 * Replaces the content of the file NAME atomically, by way of NAME.PID beside it.  0, or
 * a negative errno and NAME unchanged.
 */
int folder_replace_file(int dir, const char *name, const void *bytes, size_t len)
	__attribute__((warn_unused_result));

/* Removes the file or link NAME. */
void folder_remove_file(int dir, const char *name);

/*
 * Removes NAME and everything in it: links, not their targets; no directory of another
 * owner or with another file system mounted on it.  Whatever cannot be removed stays.
 */
void folder_remove_tree(int dir, const char *name);

/* Calls VISIT for each name in DIR except "." and "..".  VISIT may remove that entry. */
void folder_list(int dir, void (*visit)(void *ctx, int dir, const char *name), void *ctx);

#endif
