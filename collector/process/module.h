/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that processes run code from, each once for all the processes that map it.
 *
 * Two mappings are of one module where path and build-id agree.  A module is opened when
 * its unwind information is first asked for, while a process that maps it is likely to
 * live: through that process, so that a deleted file and one in another mount namespace
 * are found too.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/build_id.h"
#include "experiment/format.h"
#include "base/idmap.h"
#include "stack/intern.h"
#include "base/strtab.h"
#include "unwind/module.h"
#include "base/vec.h"

#define MODULE_NO_ID UINT32_MAX

struct module {
	uint32_t index; /* its own, in the table */
	char *path;     /* as the process saw it, without " (deleted)" */
	struct build_id build_id;
	enum exp_module_kind kind;
	uint64_t inode;      /* 0: not known */
	int64_t pid;         /* the first process that mapped it */
	uint64_t start, end; /* where it did … */
	uint64_t offset;     /* … and which offset of the file START has */
	uint32_t id;         /* in the experiment; MODULE_NO_ID until a frame is in it */
	bool replaced;       /* its path leads to another file, see module_open */
	bool cfi_tried;
	struct unwind_module *cfi; /* NULL: none, or not opened yet */
};

struct module_table {
	bool elsewhere; /* of another machine or time: a file that is here now counts only
			   where its build-id is the recorded one */
	int64_t before; /* … or, where that was of this machine and none was recorded,
			   if it is the same inode, last changed before; 0: of another */
	bool kernel_here; /* … and the kernel that ran then runs now: so its vDSO is ours
			   */
	VEC(struct module) v;
	struct strtab texts;
	struct idmap ids;
};

void module_table_init(struct module_table *t);
void module_table_release(struct module_table *t);

/*
 * The index of the module that NEW describes; its strings are copied.  ANON modules are
 * one per process.
 */
uint32_t module_table_add(struct module_table *t, const struct module *new_module);

/*
 * Opens the file that ran, and no other: one that is at its path now has to have the
 * build-id that the kernel told, or where it told none the same inode.  A descriptor, or
 * a negative errno; -ESTALE: it was replaced.
 */
int module_open(const struct module_table *t, struct module *m);

/* Its id in the experiment. */
uint32_t module_id(struct module_table *t, uint32_t index, struct intern *in);

/* Its unwind information, opened at the first call; NULL where it has none. */
struct unwind_module *module_cfi(struct module_table *t, uint32_t index);

/* What a mapping of that name is. */
enum exp_module_kind module_kind_of(const char *path);

#endif
