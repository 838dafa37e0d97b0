/* SPDX-License-Identifier: Apache-2.0 */
#include "filter.h"

const struct filter_name filter_names[FILTER_WORDS] = {
	[WORD_TSTAMP] = { "TSTAMP", KIND_SAMPLE, "time since the start, in nanoseconds" },
	[WORD_SAMPLE] = { "SAMPLE", KIND_SAMPLE, "the second of the run, from 1" },
	[WORD_THRID] = { "THRID", KIND_SAMPLE,
			 "the thread's number in its experiment, from 1" },
	[WORD_LWPID] = { "LWPID", KIND_SAMPLE, "the thread's id, as threads shows it" },
	[WORD_PID] = { "PID", KIND_SAMPLE, "the process's id" },
	[WORD_CPUID] = { "CPUID", KIND_SAMPLE, "the CPU" },
	[WORD_EXPID] = { "EXPID", KIND_SAMPLE, "the experiment's number, from 1" },
	[WORD_EXPGRID] = { "EXPGRID", KIND_SAMPLE,
			   "the number of the group that is compared, from 1" },
	[WORD_WEIGHT] = { "WEIGHT", KIND_SAMPLE,
			  "what the sample stands for, in its event's unit" },
	[WORD_DEPTH] = { "DEPTH", KIND_STACK, "how many frames the stack has" },
	[WORD_STACK] = { "STACK", KIND_FRAMES, "the functions of the stack, root first" },
	[WORD_LEAF] = { "LEAF", KIND_FRAMES, "the function that was running" },
	[WORD_FNAME] = { "FNAME", KIND_FUNCTIONS, "functions by name: FNAME(\"regex\")" },
	[WORD_OBJNAME] = { "OBJNAME", KIND_FUNCTIONS,
			   "functions by their object: OBJNAME(\"regex\")" },
	[WORD_TNAME] = { "TNAME", KIND_LABEL,
			 "1 where the thread's name fits: TNAME(\"regex\")" },
	[WORD_PNAME] = { "PNAME", KIND_LABEL,
			 "1 where the process's name fits: PNAME(\"regex\")" },
	[WORD_EVENT] = { "EVENT", KIND_LABEL,
			 "1 where the metric's id fits: EVENT(\"regex\")" },
};
