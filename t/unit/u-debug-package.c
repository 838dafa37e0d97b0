/* SPDX-License-Identifier: Apache-2.0 */
/* How to get the debug information of a packaged file, on simulated systems. */
#include "model/debug_package.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

/* Knows the C library by its name below /lib alone, as dpkg does where that is a link. */
static const char dpkg[] = "#!/bin/sh\n"
			   "case $3 in\n"
			   "/lib/libc.so.6) echo 'diversion by x from: /lib/libc.so.6'\n"
			   "	echo 'libc6:amd64: /lib/libc.so.6' ;;\n"
			   "/usr/bin/tool) echo 'tool, tool-too: /usr/bin/tool' ;;\n"
			   "*) exit 1 ;;\n"
			   "esac\n";

static const char rpm[] = "#!/bin/sh\n"
			  "[ $4 = /usr/lib64/libc.so.6 ] && echo glibc || exit 1\n";

static const struct {
	const char *system, *list, *path, *want; /* WANT NULL: nothing is known */
} cases[] = {
	{ "ID=debian", NULL, "/usr/lib/libc.so.6", "apt-get install libc6-dbg" },
	{ "ID=debian", NULL, "/lib/libc.so.6", "apt-get install libc6-dbg" },
	{ "ID=debian", NULL, "/usr/bin/tool",
	  "DEBUGINFOD_URLS=https://debuginfod.debian.net" },
	{ "ID=debian", "mirror_debian-debug_dists_x_main_binary-amd64_Packages",
	  "/usr/bin/tool", "apt-get install tool-dbgsym" },
	{ "NAME=\"x\"\nID=\"ubuntu\"", "ddebs_dists_x_main_Packages.lz4", "/usr/bin/tool",
	  "apt-get install tool-dbgsym" },
	{ "ID=debian", NULL, "/usr/bin/mine", NULL },
	{ "ID=debian", NULL, "/usr/bin/t*", NULL },
	{ "ID=debian", NULL, "/srv/tool", NULL },
	{ "ID=debian", NULL, "/usr/local/bin/tool", NULL },
	{ "ID=fedora", NULL, "/usr/lib64/libc.so.6", "dnf debuginfo-install glibc" },
	{ "ID=\"opensuse-leap\"", NULL, "/usr/lib64/libc.so.6",
	  "zypper install glibc-debuginfo" },
	{ "ID=arch", NULL, "/usr/lib64/libc.so.6", NULL },
};

static void put_program(const char *root, const char *name, const char *text)
{
	char *path = xasprintf("%s/bin/%s", root, name),
	     *below = xasprintf("bin/%s", name);

	scratch_text(root, below, text);
	chmod(path, 0755);
	free(path);
	free(below);
}

static void test_case(size_t i)
{
	char *root = scratch_make(), *bin = xasprintf("%s/bin:/usr/bin:/bin", root);
	struct strbuf out = { 0 };
	bool known;

	put_program(root, "dpkg", dpkg);
	put_program(root, "rpm", rpm);
	setenv("PATH", bin, 1);
	scratch_text(root, "etc/os-release", cases[i].system);
	if (cases[i].list) {
		char *list = xasprintf("var/lib/apt/lists/%s", cases[i].list);

		scratch_text(root, list, "");
		free(list);
	}
	known = debug_package(root, cases[i].path, &out);
	is_str(known ? strbuf_str(&out) : "", cases[i].want ? cases[i].want : "",
	       "%s: %s", cases[i].system, cases[i].path);
	strbuf_release(&out);
	scratch_remove(root);
	free(bin);
}

int main(void)
{
	unsetenv("DEBUGINFOD_URLS");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		test_case(i);
	return done_testing();
}
