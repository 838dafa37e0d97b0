/* SPDX-License-Identifier: Apache-2.0 */
#include "base/runtimes.h"

#include <string.h>

#include "tap.h"

/* Names as Debian, Fedora, pyenv and the projects' own builds install them. */
static const struct {
	const char *path, *runtime; /* NULL: none */
} rows[] = {
	{ "/usr/bin/node", "node" },
	{ "/usr/bin/nodejs", "node" },
	{ "/usr/lib/x86_64-linux-gnu/libnode.so.115", "node" },
	{ "node", "node" },
	{ "/usr/bin/node_exporter", NULL },
	{ "/usr/lib/node/a.out", NULL },
	{ "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so", "java" },
	{ "/usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.1/libcoreclr.so", ".NET" },
	{ "/usr/bin/python3.11", NULL },
	{ "/usr/bin/python3.12", "python" },
	{ "/usr/bin/python3.13t", "python" },
	{ "/usr/bin/python3.20", "python" },
	{ "/usr/bin/python3.1", NULL },
	{ "/usr/bin/python3.9", NULL },
	{ "/usr/lib/libpython3.12.so.1.0", "python" },
	{ "/usr/lib/libpython3.11.so.1.0", NULL },
	{ "/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.7", NULL },
	{ "/usr/lib/x86_64-linux-gnu/libruby-3.3.so.3.3.8", "ruby" },
	{ "/usr/lib64/libruby.so.3.4.1", "ruby" },
	{ "/usr/lib/php/20220829/opcache.so", "php" },
	{ "/usr/lib/erlang/erts-13.1.5/bin/beam.smp", "Erlang" },
	{ "/usr/lib/x86_64-linux-gnu/libc.so.6", NULL },
	{ "", NULL },
	{ "/usr/bin/node/", NULL },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct runtime *r = runtime_of_file(rows[i].path);

		ok(r ? rows[i].runtime && !strcmp(r->name, rows[i].runtime)
		     : !rows[i].runtime,
		   "%s: %s", rows[i].path, rows[i].runtime ? rows[i].runtime : "none");
	}
	return done_testing();
}
