/* SPDX-License-Identifier: Apache-2.0 */
/* Which flag would name the most code that runtimes generated. */
#include "recording/generated.h"

#include "tap.h"
#include "tasks_world.h"

enum { FILE_AT = 0x1000, ANON_AT = 0x100000 };

/* A process of PROGRAM that generates code: the code's module. */
static uint32_t start(struct world *w, struct module_table *modules, uint32_t pid,
		      const char *program)
{
	uint32_t file = module_table_add(
		modules, &(struct module){ .path = (char *)(uintptr_t)program,
					   .kind = EXP_KIND_FILE,
					   .pid = pid,
					   .start = FILE_AT });
	uint32_t anon = module_table_add(modules,
					 &(struct module){ .path = (char[]){ "//anon" },
							   .kind = EXP_KIND_ANON,
							   .pid = pid,
							   .start = ANON_AT });

	map(w, pid, FILE_AT, file);
	map(w, pid, ANON_AT, anon);
	return anon;
}

static void sample(struct world *w, struct generated *g, struct module_table *modules,
		   uint32_t pid, uint64_t ip, int count)
{
	while (count--)
		generated_take(g, modules, &tasks_process(&w->tasks, pid)->space, ip);
}

static void advised(const struct generated *g, struct module_table *modules,
		    uint64_t samples, const char *want, const char *what)
{
	struct strbuf got = { 0 };

	generated_advise(g, modules, samples, &got);
	is_str(strbuf_str(&got), want, "%s", what);
	strbuf_release(&got);
}

int main(void)
{
	struct module_table modules;
	struct generated g = { 0 };
	struct world w;
	uint32_t java;

	world_open(&w);
	module_table_init(&modules);
	start(&w, &modules, 1, "/usr/bin/node");
	start(&w, &modules, 2, "/usr/bin/node");
	java = start(&w, &modules, 3, "/usr/lib/jvm/lib/server/libjvm.so");
	start(&w, &modules, 4, "/usr/bin/luajit");
	advised(&g, &modules, 100, "", "no samples");
	sample(&w, &g, &modules, 1, FILE_AT + 8, 50);
	sample(&w, &g, &modules, 1, 0xffffffff81000000, 50);
	sample(&w, &g, &modules, 4, ANON_AT + 8, 50);
	advised(&g, &modules, 150, "",
		"neither its own code, nor the kernel's, nor that of an unknown runtime");
	sample(&w, &g, &modules, 1, ANON_AT + 8, 20);
	sample(&w, &g, &modules, 2, ANON_AT + 8, 10);
	sample(&w, &g, &modules, 3, ANON_AT + 8, 25);
	advised(&g, &modules, 200,
		"15 % in generated code of node: run it with --perf-basic-prof (since "
		"node 0.12)",
		"the one with the most, in all its processes");
	advised(&g, &modules, 1000, "", "too few");
	sample(&w, &g, &modules, 3, ANON_AT + 8, 25);
	advised(&g, &modules, 200,
		"25 % in generated code of java: run it with "
		"-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit "
		"-XX:+PreserveFramePointer (since JDK 17)",
		"another has more");
	modules.v.data[java].named = true;
	advised(&g, &modules, 200,
		"15 % in generated code of node: run it with --perf-basic-prof (since "
		"node 0.12)",
		"but it has names");
	generated_release(&g);
	module_table_release(&modules);
	world_read(&w);
	world_close(&w);
	return done_testing();
}
