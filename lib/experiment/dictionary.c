/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/dictionary.h"

#include <string.h>

#include "experiment/dictionary_said.h"

static bool below(uint64_t id, size_t count)
{
	return id < count;
}

static int take_strings(struct experiment *exp, const struct exp_rows *rows)
{
	const char *at = strbuf_str(&rows->text);

	for (size_t i = 0; i < rows->count; i++) {
		size_t len = (size_t)rows->column[EXP_STRING_TEXT][i];

		*vec_push(&exp->strings) = exp->text.len;
		strbuf_add(&exp->text, at, strnlen(at, len));
		strbuf_addch(&exp->text, '\0');
		at += len;
	}
	return 0;
}

static int take_modules(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t path = rows->column[EXP_MODULE_PATH][i];
		uint64_t id = rows->column[EXP_MODULE_BUILD_ID][i];
		uint64_t kind = rows->column[EXP_MODULE_KIND][i];

		if (!below(path, exp->strings.len) || !below(id, exp->strings.len))
			return EXP_BLOCK_DAMAGED;
		if (kind < EXP_KIND_FILE || kind > EXP_KIND_ARTIFICIAL)
			kind = EXP_KIND_UNKNOWN;
		*vec_push(&exp->modules) = (struct exp_module){
			.path = (uint32_t)path,
			.build_id = (uint32_t)id,
			.kind = (enum exp_module_kind)kind,
			.mark = { rows->column[EXP_MODULE_INODE][i],
				  rows->column[EXP_MODULE_SIZE][i],
				  rows->column[EXP_MODULE_MTIME_NS][i] },
		};
	}
	return 0;
}

static int take_frames(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t module = rows->column[EXP_FRAME_MODULE][i];

		if (!below(module, exp->modules.len))
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->frames) = (struct exp_frame){
			.offset = rows->column[EXP_FRAME_OFFSET][i],
			.module = (uint32_t)module,
			.flags = (uint32_t)rows->column[EXP_FRAME_FLAGS][i],
		};
	}
	return 0;
}

static int take_nodes(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t parent = rows->column[EXP_NODE_PARENT][i];
		uint64_t frame = rows->column[EXP_NODE_FRAME][i];

		if (!below(parent, exp->nodes.len) || !below(frame, exp->frames.len))
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->nodes) = (struct exp_node){
			.parent = (uint32_t)parent,
			.frame = (uint32_t)frame,
		};
	}
	return 0;
}

static int take_processes(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t parent = rows->column[EXP_PROCESS_PARENT][i];
		uint64_t name = rows->column[EXP_PROCESS_NAME][i];

		if (!below(name, exp->strings.len) || parent > exp->processes.len)
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->processes) = (struct exp_process){
			.pid = (int64_t)rows->column[EXP_PROCESS_PID][i],
			.parent = (uint32_t)parent,
			.name = (uint32_t)name,
			.start_ns = rows->column[EXP_PROCESS_START_NS][i],
		};
	}
	return 0;
}

static int take_arguments(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t of = rows->column[EXP_ARGUMENT_PROCESS][i];
		uint64_t text = rows->column[EXP_ARGUMENT_TEXT][i];
		struct exp_process *process;

		if (!below(of, exp->processes.len) || !below(text, exp->strings.len))
			return EXP_BLOCK_DAMAGED;
		process = &exp->processes.data[of];
		if (!process->arguments)
			process->argument = (uint32_t)exp->arguments.len;
		else if (process->argument + process->arguments != exp->arguments.len)
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->arguments) = (uint32_t)text;
		process->arguments++;
		process->cut = rows->column[EXP_ARGUMENT_CUT][i] != 0;
	}
	return 0;
}

static int take_threads(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t process = rows->column[EXP_THREAD_PROCESS][i];
		uint64_t name = rows->column[EXP_THREAD_NAME][i];

		if (!below(name, exp->strings.len) || !below(process, exp->processes.len))
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->threads) = (struct exp_thread){
			.process = (uint32_t)process,
			.name = (uint32_t)name,
			.tid = (int64_t)rows->column[EXP_THREAD_TID][i],
			.born_ns = rows->column[EXP_THREAD_BORN_NS][i],
		};
	}
	return 0;
}

static int take_symbols(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t module = rows->column[EXP_SYMBOL_MODULE][i];
		uint64_t name = rows->column[EXP_SYMBOL_NAME][i];
		uint64_t file = rows->column[EXP_SYMBOL_FILE][i];

		if (!below(module, exp->modules.len) || !below(name, exp->strings.len) ||
		    !below(file, exp->strings.len))
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->symbols) = (struct exp_symbol){
			.start = rows->column[EXP_SYMBOL_START][i],
			.size = rows->column[EXP_SYMBOL_SIZE][i],
			.module = (uint32_t)module,
			.name = (uint32_t)name,
			.source = (enum exp_symbol_source)
					  rows->column[EXP_SYMBOL_SOURCE][i],
			.file = (uint32_t)file,
			.twin = (uint32_t)rows->column[EXP_SYMBOL_TWIN][i],
		};
	}
	return 0;
}

static int take_losses(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t thread = rows->column[EXP_LOSS_THREAD][i];

		if (thread > exp->threads.len)
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->losses) = (struct exp_loss){
			.time_ns = rows->column[EXP_LOSS_TIME_NS][i],
			.count = rows->column[EXP_LOSS_COUNT][i],
			.thread = (uint32_t)thread,
			.cpu = (uint32_t)rows->column[EXP_LOSS_CPU][i],
		};
	}
	return 0;
}

static int take_groups(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t thread = rows->column[EXP_GROUP_THREAD][i];
		uint64_t cgroup = rows->column[EXP_GROUP_CGROUP][i];

		if (!below(thread, exp->threads.len) || !below(cgroup, exp->strings.len))
			return EXP_BLOCK_DAMAGED;
		exp->threads.data[thread].cgroup = (uint32_t)cgroup;
	}
	return 0;
}

static int take_lives(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t thread = rows->column[EXP_LIFE_THREAD][i];
		uint64_t from = rows->column[EXP_LIFE_FROM_NS][i];
		uint64_t to = rows->column[EXP_LIFE_TO_NS][i];

		if (!below(thread, exp->threads.len) || to < from)
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->lives) = (struct exp_life){
			.from_ns = from,
			.to_ns = to,
			.thread = (uint32_t)thread,
			.flags = (unsigned)rows->column[EXP_LIFE_FLAGS][i],
		};
	}
	return 0;
}

/* Kinds of a later version are unknown. */
static int take_wakers(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t kind = rows->column[EXP_WAKER_KIND][i];
		uint64_t thread = rows->column[EXP_WAKER_THREAD][i];
		uint64_t node = rows->column[EXP_WAKER_NODE][i];

		if (!below(node, exp->nodes.len) ||
		    (kind == EXP_WAKER_OF_RECORDING && !below(thread, exp->threads.len)))
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->wakers) = (struct exp_waker){
			.kind = kind < EXP_WAKER_KINDS ? (enum exp_waker_kind)kind : 0,
			.thread = (uint32_t)thread,
			.node = (uint32_t)node,
		};
	}
	return 0;
}

exp_dictionary_fn *exp_dictionary_taker(unsigned table)
{
	static exp_dictionary_fn *const takers[EXP_TABLES] = {
		[EXP_STRINGS] = take_strings,
		[EXP_MODULES] = take_modules,
		[EXP_FRAMES] = take_frames,
		[EXP_NODES] = take_nodes,
		[EXP_PROCESSES] = take_processes,
		[EXP_THREADS] = take_threads,
		[EXP_SYMBOLS] = take_symbols,
		[EXP_LOSSES] = take_losses,
		[EXP_ARGUMENTS] = take_arguments,
		[EXP_GROUPS] = take_groups,
		[EXP_LIVES] = take_lives,
		[EXP_REGION_PATHS] = exp_take_region_paths,
		[EXP_REGIONS] = exp_take_regions,
		[EXP_REGION_FAULTS] = exp_take_region_faults,
		[EXP_MARKS] = exp_take_marks,
		[EXP_SPANS] = exp_take_spans,
		[EXP_POINTS] = exp_take_points,
		[EXP_POINT_COUNTS] = exp_take_point_counts,
		[EXP_WAKERS] = take_wakers,
	};

	return table < EXP_TABLES ? takers[table] : NULL;
}
