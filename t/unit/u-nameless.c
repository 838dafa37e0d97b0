/* SPDX-License-Identifier: Apache-2.0 */
/* What collect says of samples in stripped files, and how it counts them. */
#include "process/nameless.h"

#include <stdlib.h>

#include "scratch.h"
#include "tap.h"
#include "tasks_world.h"

enum { PROGRAM_AT = 0x1000, CODE_AT = 0x100000, OFFSET = 0x4000 };

static void test_leaves(void)
{
	struct module_table modules;
	const struct space *space;
	struct world w;
	uint32_t file, code;

	world_open(&w);
	module_table_init(&modules);
	file = module_table_add(&modules, &(struct module){ .path = (char[]){ "/bin/a" },
							    .kind = EXP_KIND_FILE });
	code = module_table_add(&modules, &(struct module){ .path = (char[]){ "//anon" },
							    .kind = EXP_KIND_ANON });
	tasks_map(&w.tasks, tasks_process(&w.tasks, 1),
		  &(struct mapping){ PROGRAM_AT, PROGRAM_AT + 0x1000, OFFSET, file });
	map(&w, 1, CODE_AT, code);
	space = &tasks_process(&w.tasks, 1)->space;
	for (int i = 0; i < 3; i++)
		nameless_take(&modules, space, PROGRAM_AT + 8);
	nameless_take(&modules, space, PROGRAM_AT + 9);
	nameless_take(&modules, space, CODE_AT + 8);
	nameless_take(&modules, space, 0xffffffff81000000);
	is_u64(leaves_at(&modules.leaves, file, OFFSET + 8), 3, "by the file's offset");
	is_u64(leaves_at(&modules.leaves, file, OFFSET + 9), 1, "the next place");
	is_u64(leaves_at(&modules.leaves, file, OFFSET + 10), 0, "none there");
	is_u64(leaves_at(&modules.leaves, code, 8), 0, "no file: not counted");
	modules.v.data[file].nameless = 4;
	module_table_turn(&modules);
	is_u64(leaves_at(&modules.leaves, file, OFFSET + 8), 0, "another experiment");
	is_u64(modules.v.data[file].nameless, 0, "... of which nothing is known yet");
	module_table_release(&modules);
	world_read(&w);
	world_close(&w);
}

static const struct {
	const char *system, *servers; /* os-release, DEBUGINFOD_URLS */
	const char *path;
	uint64_t nameless, other; /* samples of that file, of another one; all: 1000 */
	const char *want, *what;
} cases[] = {
	{ "ID=debian", NULL, "/srv/prog", 0, 0, "", "all have names" },
	{ "ID=debian", NULL, "/srv/prog", 99, 0, "", "too few" },
	{ "ID=debian", NULL, "/srv/prog", 370, 0,
	  "37 % in functions of prog without names: it was stripped", "one's own" },
	{ "ID=debian", NULL, "/usr/lib/libz.so.1", 410, 400,
	  "41 % in functions of libz.so.1 without names: run er_print with "
	  "DEBUGINFOD_URLS=https://debuginfod.debian.net",
	  "the system's, and the one with the most" },
	{ "ID=\"opensuse-leap\"", NULL, "/usr/lib/libz.so.1", 410, 0,
	  "41 % in functions of libz.so.1 without names: run er_print with "
	  "DEBUGINFOD_URLS=https://debuginfod.opensuse.org",
	  "another system's" },
	{ "ID=arch", NULL, "/usr/lib/libz.so.1", 410, 0,
	  "41 % in functions of libz.so.1 without names: its debug package has them",
	  "of a system without a known server" },
	{ "ID=debian", "https://example.org", "/usr/lib/libz.so.1", 410, 0, "",
	  "er_print asks the server anyway" },
};

static void test_case(size_t i)
{
	char *root = scratch_make();
	struct module_table modules;
	struct strbuf got = { 0 };
	uint32_t one, two;

	scratch_text(root, "etc/os-release", cases[i].system);
	if (cases[i].servers)
		setenv("DEBUGINFOD_URLS", cases[i].servers, 1);
	else
		unsetenv("DEBUGINFOD_URLS");
	module_table_init(&modules);
	one = module_table_add(&modules, &(struct module){
						 .path = (char *)(uintptr_t)cases[i].path,
						 .kind = EXP_KIND_FILE,
					 });
	two = module_table_add(&modules, &(struct module){ .path = (char[]){ "/bin/two" },
							   .kind = EXP_KIND_FILE });
	modules.v.data[one].nameless = cases[i].nameless;
	modules.v.data[two].nameless = cases[i].other;
	is_u64(nameless_advise(&modules, 1000, root, &got),
	       *cases[i].want ? cases[i].nameless : 0, "samples: %s", cases[i].what);
	is_str(strbuf_str(&got), cases[i].want, "%s", cases[i].what);
	strbuf_release(&got);
	module_table_release(&modules);
	scratch_remove(root);
}

int main(void)
{
	test_leaves();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		test_case(i);
	return done_testing();
}
