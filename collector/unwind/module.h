/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unwinder's view of one ELF file: its call frame information and a little of its
 * code.  Opened once in a run and shared by all processes that map it.  Only the unwinder
 * that first uses it may use it.
 *
 * Opening reads only the headers; .eh_frame is read at the first look-up of a rule.  It
 * is read, not mapped: truncating the file must not end us by SIGBUS.  The descriptor
 * stays open for the bytes of the code.
 *
 * Addresses here are the file's own (p_vaddr), those from a mapping are file offsets;
 * unwind_module_vaddr converts by the PT_LOADs.
 */
#ifndef UNWIND_MODULE_H
#define UNWIND_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/quota.h"

struct unwind_module;

/*
 * Opens the ELF file FD, which the module owns on success, and the caller on failure.
 * Returns 0 or a negative errno: -ENOEXEC unless it is 64-bit little-endian ELF of an
 * architecture in regs.h.
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

/* The file's address of FILE_OFFSET; false if no PT_LOAD contains it. */
bool unwind_module_vaddr(const struct unwind_module *module, uint64_t file_offset,
			 uint64_t *vaddr);

#endif
