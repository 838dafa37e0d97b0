/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks and conditions of the program's own: a thread that spins or waits for one says so.
 * From prepare to acquired, or cancel, it is in a region of the domain "sync", if that takes
 * a microsecond: most locks are free, and are taken by the million.  It is not recorded if
 * the thread says something else meanwhile, as one does that works while it waits.
 */
#ifndef ITT_SYNC_H
#define ITT_SYNC_H

/* Once, before any other call. */
void itt_sync_init(void);

void itt_sync_create(const void *object, const char *type, const char *name,
		     int attribute);
void itt_sync_rename(const void *object, const char *name);
void itt_sync_destroy(const void *object);
void itt_sync_prepare(const void *object);
void itt_sync_cancel(const void *object);
void itt_sync_acquired(const void *object);

#endif
