/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that processes run code from, each once for all processes that map it.
 *
 * Two mappings share a module if path and build-id agree or, without a build-id, path and
 * file.  A module is opened when its unwind information is first needed, while a process
 * that maps it probably lives: through that process, which also reaches deleted files and
 * other mount namespaces.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/build_id.h"
#include "elf/debugfile.h"
#include "experiment/format.h"
#include "base/file.h"
#include "base/idmap.h"
#include "experiment/intern.h"
#include "process/leaves.h"
#include "process/mapped_file.h"
#include "process/origin.h"
#include "process/patient.h"
#include "base/quota.h"
#include "base/strtab.h"
#include "unwind/module.h"
#include "base/vec.h"

#define MODULE_NO_ID UINT32_MAX

/*
 * The most modules and the most bytes of their paths, some 100 MB together: a build of
 * 30,000 programs has a quarter.
 */
enum { MODULES_MAX = 1 << 17, MODULE_PATHS_MAX = 1 << 25 };

/* Of the files that we may open, one in so many stay open for unwinding: half. */
enum { MODULE_FILES_SHARE = 2 };

/* The bytes of files that users serve themselves (base/served_file.h), which are copied. */
enum { MODULE_COPIES_MIB = 2048 };

/* How often to wait for a process that does not let the kernel open its file. */
enum { MODULE_WAITS_MAX = 3 };

/* The vDSO of 32-bit programs: not our image, but the kernel gives both the same name. */
#define MODULE_VDSO32 "[vdso32]"

/* What the search for a module's debug file needs; its address stays. */
struct module_debug;

struct module {
	uint32_t index; /* its own, in the table */
	char *path;     /* in the process's view, without " (deleted)" */
	struct build_id build_id;
	enum exp_module_kind kind;
	struct file_id file;   /* if the kernel reported no build-id */
	int64_t pid;           /* the process that mapped it last … */
	struct file_mark mark; /* of the file, if it has no build-id */
	uint64_t start, end;   /* its place there … */
	uint64_t offset;       /* … and START's offset in the file */
	uint64_t mapped_ns; /* when it was first mapped, by CLOCK_MONOTONIC; 0: unknown */
	uint32_t id;        /* in the experiment; MODULE_NO_ID until a frame is in it */
	struct origin_task task; /* who names files for it; ANON: the code's owner */
	struct module_debug *debug;
	const struct runtime *runtime; /* FILE: whose it is; NULL: none, or not tried */
	bool runtime_tried;
	bool named;                /* ANON: a perf map named some of its code */
	uint64_t nameless;         /* FILE: samples in functions without names */
	bool replaced;             /* its path leads to another file, see module_open */
	bool foreign;              /* FILE: it was read, and is no ELF file */
	bool cfi_tried;            /* since it was last mapped, or found */
	bool late, unopened;       /* counted as such */
	bool charged;              /* a copy of its file, to its user */
	unsigned waits;            /* without success, for the process */
	struct unwind_module *cfi; /* NULL: none, or not opened yet */
};

struct module_table {
	bool elsewhere; /* of another machine or time: a file that is here now counts only
			   where its build-id is the recorded one */
	int64_t before; /* … or, where that was of this machine and none was recorded,
			   if it is the same inode, last changed before; 0: of another */
	int64_t began_ns; /* when the recording did, since the epoch */
	bool trust_paths; /* … or, where none was recorded, whatever is at its path */
	bool kernel_here; /* … and the kernel that ran then runs now: so its vDSO is ours
			   */
	VEC(struct module) v;
	struct strtab texts;
	size_t paths;         /* bytes */
	struct leaves leaves; /* samples in files */
	struct quota tables;  /* of all modules, for unwinding */
	struct quota copies;  /* bytes of files that users serve */
	struct debug_sums sums;
	uint64_t opened;   /* files, which stay open */
	uint64_t unopened; /* … and those beyond, each once */
	struct origins origins;
	struct patient patient; /* looks at processes */
	struct idmap ids;
};

void module_table_init(struct module_table *t);
void module_table_release(struct module_table *t);

/*
 * The index of the module that NEW describes, whose strings are copied.  Each process has
 * one ANON module.  A known module is looked for in NEW's process from then on.
 * MODULE_NO_ID: it is not known, and there are too many.
 */
uint32_t module_table_add(struct module_table *t, const struct module *new_module);

/*
 * Opens the file that ran, and no other: it must have the build-id that the kernel
 * reported or, without one, be the same file (mapped_file.h).  A descriptor, or a
 * negative errno; -ESTALE: another file is at its path.
 */
int module_open(struct module_table *t, struct module *m)
	__attribute__((warn_unused_result));

/* Another experiment begins, where no module has an id. */
void module_table_turn(struct module_table *t);

/* Its id in the experiment. */
uint32_t module_id(struct module_table *t, uint32_t index, struct intern *in);

/* Whether it is the vDSO that this process has too. */
bool module_is_our_vdso(const struct module_table *t, const struct module *m);

/* Its unwind information, opened at the first call; NULL: none. */
struct unwind_module *module_cfi(struct module_table *t, uint32_t index);

/* The same without opening anything; NULL: none, or not opened yet. */
static inline struct unwind_module *module_known_cfi(const struct module_table *t,
						     uint32_t index)
{
	return t->v.data[index].cfi;
}

/* Its id, if a frame has been in it; MODULE_NO_ID. */
static inline uint32_t module_known_id(const struct module_table *t, uint32_t index)
{
	return t->v.data[index].id;
}

/* Whether the file at PATH is a Go program; false where it cannot be read. */
bool module_file_is_go(const char *path);

/* The same of the program of PID, whose file may not answer; ROOT precedes /proc. */
bool module_process_is_go(struct patient *patient, const char *root, pid_t pid);

/* The kind of a mapping with that name. */
enum exp_module_kind module_kind_of(const char *path);

#endif
