/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mkexp DIR: an experiment from folded stacks on standard input, so that a test can say
 * what was sampled and compute by hand what is to come out.  A line is a stack or a
 * directive; '#' starts a comment.
 *
 *	main;parse;read 3	three samples, root first; a single '.' is the empty stack
 *
 * A frame is a function of the module "a.out", or MODULE!FUNCTION.  FUNCTION@N is another
 * address in the same function; MODULE!+0x1230 an offset without a name; "?" is in no
 * known module; "<REASON>" (no_rule, depth, …), at the root, a truncated stack.
 *
 *	event METRIC UNIT PERIOD [HZ [SCALE [LABEL]]]	samples after this are of it
 *	on METRIC	the same, of an event that is there already
 *	thread PID TID NAME	samples after this are of this thread
 *	cpu N, weight N	likewise
 *	rusage SECONDS, lost N, throttled N, duration SECONDS
 *	command WORD…, started TEXT
 *	note SEVERITY TEXT
 *	path MODULE PATH	the module's path, when it is used later
 *	build MODULE HEX	its build-id
 *	running	as of a collector that was killed: no names are kept
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "exp_log.h"
#include "exp_write.h"
#include "idmap.h"
#include "strtab.h"
#include "vec.h"
#include "xalloc.h"

enum { FUNCTION_SIZE = 64, LEAF_OFFSET = 4, CALL_OFFSET = 8, SITE_STEP = 5 };

struct maker {
	struct exp_writer *out;
	struct exp_log log;
	struct strtab strings;
	uint32_t strings_written;
	struct strtab modules; /* by name; ids are one more than the experiment's */
	struct strtab paths;   /* PATH or BUILD of a module, as "path NAME\nVALUE" */
	struct idmap functions, frames, nodes, threads, processes;
	VEC(uint64_t) function_count; /* by module */
	uint32_t function_total, frame_total, node_total, thread_total, process_total;
	uint64_t time_ns, thread, cpu, event, weight;
	struct strtab settings; /* "KEY\nVALUE" of path and build */
};

static _Noreturn void fail(const char *what, const char *line)
{
	fprintf(stderr, "mkexp: %s: %s\n", what, line);
	exit(1);
}

static uint64_t string_id(struct maker *m, const char *text)
{
	uint32_t id = strtab_intern(&m->strings, text);

	for (; m->strings_written < strtab_count(&m->strings) - 1; m->strings_written++)
		exp_write_string(m->out, strtab_get(&m->strings, m->strings_written + 1));
	return id;
}
