/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One ELF file as the unwinder sees it: its call frame information and a little of its
 * code.  Opened once in a run and shared by every process that maps it.  The unwinder
 * that uses it first is the only one that may.
 *
 * Opening reads the headers alone; .eh_frame is read when the first rule is asked for.
 * It is read, not mapped: a file that is truncated while it runs must not end us by
 * SIGBUS.  The descriptor stays open until then, for the code bytes beyond it.
 *
 * Addresses in here are the file's own (p_vaddr), those that come in from a mapping are
 * file offsets; unwind_module_vaddr converts by the PT_LOADs.
 */
#ifndef UNWIND_MODULE_H
#define UNWIND_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/quota.h"

struct unwind_module;

/*
 * Opens the ELF file FD, which becomes the module's on success and stays the caller's on
 * failure.  Returns 0 or a negative errno: -ENOEXEC for what is not 64-bit little-endian
 * ELF of an architecture that regs.h has.
 */
__attribute__((warn_unused_result)) int unwind_module_open(int fd,
							   struct unwind_module **module);

/* The same for an image in memory (the vDSO), which must outlive the module. */
__attribute__((warn_unused_result)) int
unwind_module_open_image(const void *image, size_t len, struct unwind_module **module);

/*
 * Finds the separate debug file of the module whose file is FD; the module keeps FD.  A
 * descriptor, which the module takes, or a negative errno.
 */
typedef int unwind_find_debug(const void *context, int fd);

/*
 * Asks FIND once for a debug file if the module itself lacks an address; that file's
 * .debug_frame (or .eh_frame) answers then.  CONTEXT is borrowed, and outlives the
 * module.
 */
void unwind_module_set_debug(struct unwind_module *module, unwind_find_debug *find,
			     const void *context);

/* Memory for the tables of all modules together. */
enum { UNWIND_TABLES_MIB = 1024 };

/*
 * From MEMORY, which is borrowed and outlives the module's use.  Its count is of modules
 * that lack a table.
 */
void unwind_module_set_memory(struct unwind_module *module, struct quota *memory);

/* NULL is allowed. */
void unwind_module_free(struct unwind_module *module);

/* A descriptor of its file, for the caller to close; negative for an image. */
__attribute__((warn_unused_result)) int
unwind_module_dup(const struct unwind_module *module);

/* Whether it is a Go program, whose stacks need the kernel's chain too (go_chain.h). */
bool unwind_module_is_go(struct unwind_module *module);

/* The address that the file gives to FILE_OFFSET; false where no PT_LOAD has it. */
bool unwind_module_vaddr(const struct unwind_module *module, uint64_t file_offset,
			 uint64_t *vaddr);

#endif
