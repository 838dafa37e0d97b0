/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/format.h"

const struct exp_table_desc exp_tables[EXP_TABLES] = {
	[EXP_STRINGS] = { "strings", EXP_STRING_COLUMNS, { EXP_TEXT } },
	[EXP_MODULES] = { "modules", EXP_MODULE_COLUMNS },
	[EXP_FRAMES] = { "frames", EXP_FRAME_COLUMNS },
	[EXP_NODES] = { "nodes", EXP_NODE_COLUMNS },
	[EXP_PROCESSES] = { "processes", EXP_PROCESS_COLUMNS },
	[EXP_THREADS] = { "threads", EXP_THREAD_COLUMNS },
	[EXP_SAMPLES] = { "samples",
			  EXP_SAMPLE_COLUMNS,
			  { [EXP_SAMPLE_LATENCY] = EXP_PLAIN,
			    [EXP_SAMPLE_DATA_SOURCE] = EXP_DELTA } },
	[EXP_SYMBOLS] = { "symbols",
			  EXP_SYMBOL_COLUMNS,
			  { [EXP_SYMBOL_SOURCE] = EXP_PLAIN,
			    [EXP_SYMBOL_TWIN] = EXP_PLAIN } },
	[EXP_LOSSES] = { "losses", EXP_LOSS_COLUMNS },
	[EXP_LINE_KEY] = { "line_key", EXP_LINE_KEY_COLUMNS },
	[EXP_LINE_MODULES] = { "line_modules", EXP_LINE_MODULE_COLUMNS },
	[EXP_LINES] = { "lines", EXP_LINE_COLUMNS },
	[EXP_DETAILS] = { "details", EXP_DETAIL_COLUMNS },
	[EXP_SUM_SIZES] = { "sum_sizes", EXP_SUM_SIZE_COLUMNS },
	[EXP_SUMS] = { "sums",
		       EXP_SUM_COLUMNS,
		       { [EXP_SUM_WEIGHT] = EXP_PLAIN, [EXP_SUM_SAMPLES] = EXP_PLAIN } },
	[EXP_ARGUMENTS] = { "arguments", EXP_ARGUMENT_COLUMNS },
	[EXP_GROUPS] = { "groups", EXP_GROUP_COLUMNS },
};

const char *const exp_stack_end_names[EXP_ENDS] = {
	[EXP_END_ROOT] = "root",
	[EXP_END_TRUNCATED] = "truncated",
	[EXP_END_NO_RULE] = "no_rule",
	[EXP_END_BAD_MEMORY] = "bad_memory",
	[EXP_END_DEPTH] = "depth",
	[EXP_END_OTHER] = "other",
	[EXP_END_NONE] = "none",
	[EXP_END_OTHER_STACK] = "other_stack",
	[EXP_END_NO_REGISTER] = "no_register",
	[EXP_END_UNKNOWN] = "unknown",
};
