/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/left_out.h"

#include <inttypes.h>
#include <string.h>

#include "process/symbol_writer.h"

void left_out_fill(const struct recording *rec, struct exp_log *log)
{
	memcpy(log->left_out, rec->left_out, sizeof(log->left_out));
	log->left_out[EXP_LEFT_PROCESSES] = rec->tasks.room.emptied;
	log->left_out[EXP_LEFT_STACKS] = rec->stack.left_out;
	log->left_out[EXP_LEFT_THREADS] = rec->tasks.given_up;
	log->left_out[EXP_LEFT_NAMES] = rec->tasks.names.unnamed;
	log->left_out[EXP_LEFT_CGROUPS] = rec->details.left_out;
	log->left_out[EXP_LEFT_TABLES] = rec->modules.tables.refused;
	log->left_out[EXP_LEFT_LOCKED] = rec->modules.patient.given_up;
	log->left_out[EXP_LEFT_COMMANDS] = rec->command_lines.left_out;
	log->left_out[EXP_LEFT_DEBUG] = rec->modules.sums.quota.refused;
	log->left_out[EXP_LEFT_FILES] = rec->modules.unopened;
	log->left_out[EXP_LEFT_ORIGINS] = rec->modules.origins.left_out;
}

void left_out_count_symbols(struct recording *rec, const struct symbols_left_out *left)
{
	rec->left_out[EXP_LEFT_JIT] = left->jit;
	rec->left_out[EXP_LEFT_SYMBOLS] = left->symbols;
	rec->left_out[EXP_LEFT_LABELS] = left->labels;
}

/* A count, BEYOND, BOUND and EFFECT make a sentence. */
static const struct {
	const char *beyond;
	unsigned bound;
	const char *effect;
} kinds[EXP_LEFT_KINDS] = {
	[EXP_LEFT_MAPPINGS] = { "executable mappings were left out, beyond",
				TASKS_MAPPED_MAX,
				"of all processes, or half of that of one: code in them "
				"is [unknown]" },
	[EXP_LEFT_PROCESSES] = { "processes lost the mappings of those that forked them, "
				 "beyond",
				 TASKS_MAPPED_MAX,
				 "of all processes: code in them is [unknown]" },
	[EXP_LEFT_MODULES] = { "mappings of files were left out, beyond the first",
			       MODULES_MAX,
			       "files or 32 MiB of their paths: code in them is "
			       "[unknown]" },
	[EXP_LEFT_KERNEL] = { "areas of kernel code were left out, beyond the first",
			      SPACE_MAX,
			      "areas, or 131072 areas and files or 32 MiB of their "
			      "names: code in them has no name" },
	[EXP_LEFT_STACKS] = { "stacks are shown by their innermost function alone, "
			      "beyond a "
			      "tree of",
			      INTERN_NODES_MAX, "nodes" },
	[EXP_LEFT_THREADS] = { "threads were taken as ended, since more than",
			       TASKS_THREADS_MAX,
			       "lived or had ends that were lost: if they ran again, "
			       "they are shown "
			       "as new ones, whose code may be [unknown]" },
	[EXP_LEFT_NAMES] = { "times a thread or process had a name beyond the first",
			     TASK_NAMES_MAX,
			     "sampled ones: they are called " TASK_OTHER_NAME },
	[EXP_LEFT_CGROUPS] = { "control groups have no path, beyond the first",
			       DETAILS_CGROUPS_MAX, "control groups" },
	[EXP_LEFT_TABLES] = { "files lack tables for unwinding: one owner's may take "
			      "half "
			      "of what others left of",
			      UNWIND_TABLES_MIB,
			      "MiB, and each file a quarter of his rest, or half of it "
			      "at first: stacks through them may end early" },
	[EXP_LEFT_ORIGINS] = { "files were opened without what they name (debug files, "
			       "sources), "
			       "beyond",
			       ORIGINS_MAX,
			       "roots and users of processes, or a quarter of the limit "
			       "of open "
			       "files: names and lines may be missing" },
	[EXP_LEFT_LOCKED] = { "mappings of processes, or files of them, could not be "
			      "looked at within",
			      PATIENT_READ_MS,
			      "ms, or a fortieth of that while recording, as the kernel "
			      "kept them locked (a file system may not answer), or the "
			      "same user's processes answered too slowly before: "
			      "code in them may be [unknown]" },
	[EXP_LEFT_DEBUG] = { "times a debug file was not compared with a program "
			     "without a build-id: larger than 32 MiB while recording, or "
			     "beyond "
			     "what the program's owner may have read of",
			     DEBUG_SUMS_MIB,
			     "MiB: stacks may end early, and names may be missing" },
	[EXP_LEFT_SYMBOLS] = { "files lack symbols: those of one owner may take half of "
			       "what others left of",
			       SYMBOLS_MIB,
			       "MiB, and each table a quarter of his rest, or half of it "
			       "at first: functions may have no names" },
	[EXP_LEFT_LABELS] = { "functions have no name, since it is longer than "
			      "256 KiB or its file's owner has used up his share of",
			      LABELS_MIB, "MiB" },
	[EXP_LEFT_COMMANDS] = { "command lines of processes are missing: they could not "
				"be read in time, or exceed one user's share of",
				COMMAND_LINES_MIB, "MiB" },
	[EXP_LEFT_FILES] = { "programs and libraries were not opened for unwinding, "
			     "which keeps open at most",
			     100 / MODULE_FILES_SHARE,
			     "% of the files that the limit allows (ulimit -Hn): stacks "
			     "through them may end early" },
	[EXP_LEFT_JIT] = { "addresses in JIT code have no name: of a perf map at "
			   "most the last",
			   PERF_MAPS_MIB / PERF_MAP_SHARE,
			   "MiB are read, less where there are many, and none if it is "
			   "rewritten meanwhile" },
};

bool left_out_say(const struct exp_log *log, size_t kind, struct strbuf *out)
{
	if (!log->left_out[kind])
		return false;
	strbuf_addf(out, "%" PRIu64 " %s %u %s", log->left_out[kind], kinds[kind].beyond,
		    kinds[kind].bound, kinds[kind].effect);
	return true;
}
