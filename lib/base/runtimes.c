/* SPDX-License-Identifier: Apache-2.0 */
#include "base/runtimes.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/*
 * Flags whose output is a perf map: jitdump files are not read.  Java's last one keeps the
 * stacks whole: most end at the first frame of generated code without it.
 */
static const struct runtime runtimes[] = {
	{ "node", "node nodejs libnode.so*", "--perf-basic-prof", "node 0.12", false },
	{ "java", "libjvm.so",
	  "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit "
	  "-XX:+PreserveFramePointer",
	  "JDK 17", false },
	{ ".NET", "libcoreclr.so", "DOTNET_PerfMapEnabled=1 in the environment", ".NET 6",
	  false },
	{ "python",
	  "python3.1[2-9] python3.1[2-9][!0-9]* python3.[2-9][0-9]* "
	  "libpython3.1[2-9][!0-9]* libpython3.[2-9][0-9]*",
	  "-X perf", "python 3.12", true },
	{ "ruby", "ruby3.[3-9] ruby[4-9].* libruby*.so.3.[3-9]* libruby*.so.[4-9]*",
	  "--yjit-perf", "ruby 3.3", false },
	{ "php", "opcache.so", "-d opcache.jit_debug=16", "PHP 8.0", false },
	{ "Erlang", "beam.smp", "+JPperf true", "OTP 24", false },
};

static bool is_listed(const char *patterns, const char *name)
{
	bool is = false;

	while (*patterns && !is) {
		size_t len = strcspn(patterns, " ");
		char *one = xasprintf("%.*s", (int)len, patterns);

		is = !fnmatch(one, name, 0);
		free(one);
		patterns += len + (patterns[len] == ' ');
	}
	return is;
}

const struct runtime *runtime_at(size_t number)
{
	return number < sizeof(runtimes) / sizeof(runtimes[0]) ? &runtimes[number] : NULL;
}

const struct runtime *runtime_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (is_listed(runtimes[i].files, name))
			return &runtimes[i];
	return NULL;
}
