/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as an experiment's log: it is refused with a sentence, or read; writing and
 * reading it again gives the same.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiment/log.h"
#include "scratch.h"
#include "base/utf8.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* A folder whose log is the memory file FD, or a file of its own. */
static char *make_dir(int fd)
{
	char *dir = xmalloc(SCRATCH_PATH_MAX), *to, *log;

	scratch_make(dir);
	if (fd < 0)
		return dir;
	to = xasprintf("/proc/self/fd/%d", fd);
	log = xasprintf("%s/%s", dir, EXP_LOG_FILE);
	if (symlink(to, log) < 0)
		abort();
	free(log);
	free(to);
	return dir;
}

/* B was written of A, as UTF-8. */
static void compare(const struct exp_log *a, const struct exp_log *b)
{
	struct strbuf name = { 0 };

	utf8_clean(&name, a->hostname);
	if (a->complete != b->complete || a->command.len != b->command.len ||
	    a->events.len != b->events.len || a->notes.len != b->notes.len ||
	    strcmp(strbuf_str(&name), b->hostname) != 0)
		abort();
	strbuf_release(&name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char *dir, *again;
	static int fd;
	struct exp_log log, copy;
	struct strbuf err = { 0 };

	if (!dir) {
		fd = memfd_create("log", 0);
		dir = make_dir(fd);
		again = make_dir(-1);
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, bytes, len, 0) != (ssize_t)len)
		abort();
	if (exp_log_read(&log, dir, &err)) {
		if (!err.len)
			abort();
	} else {
		if (exp_log_write(&log, again) || exp_log_read(&copy, again, &err))
			abort();
		compare(&log, &copy);
		exp_log_release(&copy);
	}
	exp_log_release(&log);
	strbuf_release(&err);
	return 0;
}
