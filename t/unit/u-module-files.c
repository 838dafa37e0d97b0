/* SPDX-License-Identifier: Apache-2.0 */
/* More programs than files may be open. */
#include "process/module.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"
#include "unwind/regs.h"

enum { LIMIT = 64, PROGRAMS = LIMIT };

/* How many of PROGRAMS, which are links to this one, can be unwound. */
static unsigned unwound(struct module_table *t, const char *folder, const char *own)
{
	unsigned count = 0;

	for (unsigned i = 0; i < PROGRAMS; i++) {
		char *path = xasprintf("%s/%u", folder, i);
		struct module m = { .kind = EXP_KIND_FILE, .path = path };

		if (symlink(own, path))
			exit(99);
		count += module_cfi(t, module_table_add(t, &m)) != NULL;
		free(path);
	}
	return count;
}

int main(void)
{
	char *folder = scratch_make(), own[PATH_MAX] = "";
	struct module_table t;
	struct rlimit was, low;
	int fd;

	if (!unwind_arch_host())
		skip_all("this architecture has no stacks to unwind");
	if (readlink("/proc/self/exe", own, sizeof(own) - 1) <= 0)
		skip_all("the program cannot find itself");
	getrlimit(RLIMIT_NOFILE, &was);
	low = (struct rlimit){ .rlim_cur = LIMIT, .rlim_max = was.rlim_max };
	setrlimit(RLIMIT_NOFILE, &low);
	module_table_init(&t);
	t.elsewhere = t.trust_paths = true;
	is_u64(unwound(&t, folder, own), LIMIT / MODULE_FILES_SHARE,
	       "a share of all files stay open for unwinding");
	is_u64(t.unopened, PROGRAMS - LIMIT / MODULE_FILES_SHARE,
	       "the others are counted");
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ok(fd >= 0, "and other files can be opened still");
	close(fd);
	module_table_release(&t);
	setrlimit(RLIMIT_NOFILE, &was);
	scratch_remove(folder);
	return done_testing();
}
