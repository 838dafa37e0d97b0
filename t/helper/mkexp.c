/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mkexp DIR: an experiment from folded stacks on standard input, so a test can state the
 * samples and compute the expected result by hand.  A line is a stack or a directive; '#'
 * starts a comment.
 *
 *	main;parse;read 3	three samples, root first; a single '.' is the empty stack
 *
 * A frame is a function of the module "a.out", or MODULE!FUNCTION.  FUNCTION@N is another
 * address in the same function, MODULE!+0x1230 an offset without a name, "?" in no known
 * module, "<REASON>" (no_rule, depth, …), at the root, a truncated stack; "<unsampled>"
 * alone is an unsampled count.  The directives are in a table of mkexp_directives.c; those
 * of samples apply to the stacks that follow.
 *
 * FUNCTION~FILE#N is one of several functions of that name: the Nth of FILE.  With N 0 it
 * is as in a recording that does not say so.
 */
#include "mkexp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"

static void start_log(struct exp_log *log)
{
	*log = (struct exp_log){
		.complete = true,
		.version = xstrdup("0"),
		.cwd = xstrdup("/tmp"),
		.pid = 100,
		.hostname = xstrdup("host"),
		.kernel = xstrdup("Linux 6.1"),
		.arch = xstrdup("x86_64"),
		.cpu = xstrdup("Some CPU"),
		.cpus = 4,
		.page_size = 4096,
		.hz = 2e9,
		.started = xstrdup("2026-01-02T03:04:05Z"),
		.comment = xstrdup(""),
		.stack = xstrdup("cfi"),
	};
}

static void finish_log(struct maker *m)
{
	m->log.duration_ns = m->time_ns;
	m->log.threads = m->counts[EXP_THREADS];
	m->log.processes = m->counts[EXP_PROCESSES];
	if (exp_log_write(&m->log, m->dir))
		mkexp_fail(m->dir, "log.json cannot be written");
}

static void release(struct maker *m)
{
	exp_log_release(&m->log);
	strtab_release(&m->strings);
	strtab_release(&m->functions);
	strtab_release(&m->paths);
	idmap_release(&m->modules);
	idmap_release(&m->frames);
	idmap_release(&m->nodes);
	idmap_release(&m->threads);
	idmap_release(&m->processes);
	idmap_release(&m->region_paths);
}

int main(int argc, char **argv)
{
	struct maker m = { .step_ns = MKEXP_PERIOD_NS };
	char *line = NULL;
	size_t room = 0;

	if (argc != 2)
		mkexp_fail("usage", "mkexp DIR <STACKS");
	m.dir = argv[1];
	if (mkdir(m.dir, 0777) || exp_writer_open(m.dir, &m.out))
		mkexp_fail(m.dir, "cannot be made");
	strtab_init(&m.strings);
	strtab_init(&m.functions);
	strtab_init(&m.paths);
	start_log(&m.log);
	while (getline(&line, &room, stdin) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line && *line != '#' && !mkexp_take_directive(&m, line))
			mkexp_take_stack(&m, line);
	}
	free(line);
	if (!m.no_names)
		mkexp_write_symbols(&m);
	finish_log(&m);
	if (exp_writer_close(m.out))
		mkexp_fail(m.dir, "data cannot be written");
	release(&m);
	return 0;
}
