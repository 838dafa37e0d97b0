/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment on disk: ringprof-experiment(5) is the description, this is its shape
 * for the compiler.  Table numbers, columns and codings may be added to, never changed.
 */
#ifndef EXP_FORMAT_H
#define EXP_FORMAT_H

#include <stdint.h>

#define EXP_DATA_FILE  "data"
#define EXP_LOG_FILE   "log.json"
#define EXP_LINES_FILE "lines"
#define EXP_LOG_SCHEMA "ringprof-experiment/1"

#define EXP_MAGIC       "RINGPROF"
#define EXP_BLOCK_MAGIC "RPB1"

enum {
	EXP_VERSION = 1,
	EXP_HEADER_SIZE = 16,
	EXP_BLOCK_HEADER_SIZE = 24,
	EXP_BLOCK_RAW_MAX = 16 << 20,
	EXP_BLOCK_STORED_MAX = EXP_BLOCK_RAW_MAX + (64 << 10),
	EXP_COLUMNS_MAX = 12,
};

enum exp_coding { EXP_STORED = 0, EXP_ZSTD = 1 };

enum exp_table {
	EXP_STRINGS = 1,
	EXP_MODULES,
	EXP_FRAMES,
	EXP_NODES,
	EXP_PROCESSES,
	EXP_THREADS,
	EXP_SAMPLES,
	EXP_SYMBOLS,
	EXP_LOSSES,
	/* of the file of lines */
	EXP_LINE_KEY,
	EXP_LINE_MODULES,
	EXP_LINES,
	/* of the data file again */
	EXP_DETAILS,
	EXP_TABLES, /* one past the last */
};

/* The columns of each table, in their order. */
/* clang-format off */
enum { EXP_STRING_TEXT, EXP_STRING_COLUMNS };
enum {
	EXP_MODULE_PATH, EXP_MODULE_BUILD_ID, EXP_MODULE_KIND, EXP_MODULE_INODE,
	EXP_MODULE_SIZE, EXP_MODULE_MTIME_NS, EXP_MODULE_COLUMNS
};
enum { EXP_FRAME_MODULE, EXP_FRAME_OFFSET, EXP_FRAME_FLAGS, EXP_FRAME_COLUMNS };
enum { EXP_NODE_PARENT, EXP_NODE_FRAME, EXP_NODE_COLUMNS };
enum {
	EXP_PROCESS_PID, EXP_PROCESS_PARENT, EXP_PROCESS_NAME, EXP_PROCESS_START_NS,
	EXP_PROCESS_COLUMNS
};
enum {
	EXP_THREAD_PROCESS, EXP_THREAD_TID, EXP_THREAD_NAME, EXP_THREAD_BORN_NS,
	EXP_THREAD_COLUMNS
};
enum {
	EXP_SAMPLE_TIME_NS, EXP_SAMPLE_THREAD, EXP_SAMPLE_CPU, EXP_SAMPLE_EVENT,
	EXP_SAMPLE_WEIGHT, EXP_SAMPLE_NODE, EXP_SAMPLE_ADDRESS, EXP_SAMPLE_LATENCY,
	EXP_SAMPLE_DATA_SOURCE, EXP_SAMPLE_COLUMNS
};
enum {
	EXP_DETAIL_SAMPLE, EXP_DETAIL_PHYSICAL, EXP_DETAIL_DATA_PAGE,
	EXP_DETAIL_CODE_PAGE, EXP_DETAIL_CGROUP, EXP_DETAIL_TRANSACTION,
	EXP_DETAIL_WEIGHT2, EXP_DETAIL_WEIGHT3, EXP_DETAIL_RAW, EXP_DETAIL_AUX,
	EXP_DETAIL_BRANCHES, EXP_DETAIL_MISPREDICTED, EXP_DETAIL_COLUMNS
};
enum {
	EXP_SYMBOL_MODULE, EXP_SYMBOL_START, EXP_SYMBOL_SIZE, EXP_SYMBOL_NAME,
	EXP_SYMBOL_SOURCE, EXP_SYMBOL_COLUMNS
};
enum {
	EXP_LOSS_TIME_NS, EXP_LOSS_THREAD, EXP_LOSS_CPU, EXP_LOSS_COUNT,
	EXP_LOSS_COLUMNS
};

enum { EXP_LINE_KEY_BYTES, EXP_LINE_KEY_STARTED, EXP_LINE_KEY_COLUMNS };
enum { EXP_LINE_MODULE_ID, EXP_LINE_MODULE_DEBUG_FILE, EXP_LINE_MODULE_COLUMNS };
enum {
	EXP_LINE_FRAME, EXP_LINE_FUNCTION, EXP_LINE_FILE, EXP_LINE_NUMBER,
	EXP_LINE_COLUMNS
};
/* clang-format on */

enum exp_column_coding { EXP_DELTA, EXP_PLAIN, EXP_TEXT };

struct exp_table_desc {
	const char *name;
	unsigned columns;
	enum exp_column_coding coding[EXP_COLUMNS_MAX];
};

/* By table number; [0] is unused. */
extern const struct exp_table_desc exp_tables[EXP_TABLES];

enum exp_module_kind {
	EXP_KIND_FILE = 1,
	EXP_KIND_KERNEL,
	EXP_KIND_KERNEL_MODULE,
	EXP_KIND_VDSO,
	EXP_KIND_ANON,
	EXP_KIND_UNKNOWN,
	EXP_KIND_ARTIFICIAL,
};

enum { EXP_FRAME_RETURN = 1, EXP_FRAME_FLAG_BITS = 1 };

/*
 * How a stack ended; the frame of <Truncated> has the offset EXP_TRUNCATED + reason, that
 * of <Unsampled> the offset EXP_UNSAMPLED, that of counts for the whole machine
 * EXP_NOT_PROGRAM.
 */
enum exp_stack_end {
	EXP_END_ROOT,
	EXP_END_TRUNCATED,
	EXP_END_NO_RULE,
	EXP_END_BAD_MEMORY,
	EXP_END_DEPTH,
	EXP_END_OTHER,
	EXP_END_NONE,
	EXP_END_OTHER_STACK,
	EXP_END_NO_REGISTER,
	EXP_END_UNKNOWN,
	EXP_ENDS, /* one past the last */
};
enum { EXP_TRUNCATED = 1, EXP_UNSAMPLED = 64, EXP_NOT_PROGRAM };

/* The key of a reason in log.json and in reports: "root", "truncated", … */
extern const char *const exp_stack_end_names[EXP_ENDS];

enum exp_symbol_source {
	EXP_SOURCE_SYMTAB = 1,
	EXP_SOURCE_DYNSYM,
	EXP_SOURCE_DEBUG_FILE,
	EXP_SOURCE_PLT,
	EXP_SOURCE_UNWIND,
	EXP_SOURCE_KALLSYMS,
	EXP_SOURCE_PERF_MAP,
	EXP_SOURCE_ARTIFICIAL,
	EXP_SOURCE_NONE,
	EXP_SOURCE_MINI,
	EXP_SOURCE_RECORDING,
};

#endif
