/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernel addresses: read once, cached for this boot and these modules. */
#include "process/kernel_names.h"

#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "tap.h"

#define CACHE "cache/ringprof/kernel-names"

static char *root;

static void boot(const char *id, const char *modules, const char *kallsyms)
{
	scratch_text(root, "proc/sys/kernel/random/boot_id", id);
	scratch_text(root, "proc/modules", modules);
	scratch_text(root, "proc/kallsyms", kallsyms);
}

static const char first[] = "ffffffff81000000 T start\n"
			    "ffffffff81000100 T middle\n"
			    "ffffffff81000200 T end\n"
			    "ffffffffc0000000 t probe\t[ext4]\n";
static const char second[] = "ffffffff81000000 T renamed\n"
			     "ffffffff81000200 T end\n";

/* The name at ADDRESS in a newly opened table. */
static void is_name(uint64_t address, const char *name, bool cached, const char *what)
{
	struct kernel_names k;
	struct symbol sym = { .name = "(none)" };

	if (!is_i64(kernel_names_open(&k, root), 0, "%s: opens", what))
		return;
	kernel_names_find(&k, address, &sym);
	is_str(sym.name, name, "%s", what);
	ok(k.cached == cached, "%s: %s", what, cached ? "from the cache" : "not cached");
	kernel_names_release(&k);
}

static void test_find(void)
{
	struct kernel_names k;
	struct symbol sym;

	is_i64(kernel_names_open(&k, root), 0, "opens");
	ok(!kernel_names_find(&k, 0xffffffff80ffffff, &sym), "nothing lies below");
	ok(kernel_names_find(&k, 0xffffffff810001ff, &sym),
	   "the last byte of a function");
	is_str(sym.name, "middle", "is its own");
	is_u64(sym.start, 0xffffffff81000100, "it starts there");
	is_u64(sym.size, 0x100, "and reaches to the next");
	ok(kernel_names_find(&k, 0xffffffffc0000004, &sym), "a module's function");
	is_str(sym.object, "[ext4]", "names the module");
	is_u64(kernel_names_end(&k), 0xffffffff81001000,
	       "the kernel itself ends with the page of its last function");
	kernel_names_release(&k);
}

static void test_locate(void)
{
	struct kernel_names k;
	uint64_t start = 0;

	boot("boot-0\n", "",
	     "ffffffff81000000 T start\n"
	     "ffffffff81000100 t twice\n"
	     "ffffffff81000200 t twice\n"
	     "ffffffff81000300 t twice\n"
	     "ffffffff81000380 T end\n"
	     "ffffffffc0000000 t start\t[ext4]\n"
	     "ffffffffc0000100 t more\t[ext4]\n");
	is_i64(kernel_names_open(&k, root), 0, "opens");
	ok(kernel_names_locate(&k, "start", "", 0x100, &start),
	   "a function of the kernel");
	is_u64(start, 0xffffffff81000000, "lies there");
	ok(kernel_names_locate(&k, "start", "[ext4]", 0x100, &start), "one of a module");
	is_u64(start, 0xffffffffc0000000, "lies elsewhere");
	ok(kernel_names_locate(&k, "twice", "", 0x80, &start),
	   "one of three of its name");
	is_u64(start, 0xffffffff81000300, "is known by its size");
	ok(!kernel_names_locate(&k, "twice", "", 0x100, &start),
	   "two have the same size");
	ok(!kernel_names_locate(&k, "start", "", 0x80, &start), "another size");
	ok(!kernel_names_locate(&k, "start", "[xfs]", 0x100, &start), "another module");
	ok(!kernel_names_locate(&k, "sta", "", 0x100, &start), "a part of a name");
	kernel_names_release(&k);
	boot("boot-1\n", "", first);
}

static void test_cache(void)
{
	struct kernel_names k = { 0 };
	struct symbol sym = { 0 };

	is_name(0xffffffff81000000, "start", true, "the same boot");
	boot("boot-1\n", "", second);
	is_name(0xffffffff81000000, "start", true, "is not read again");
	is_i64(kernel_names_refresh(&k, root), 0, "unless a name is missing");
	kernel_names_find(&k, 0xffffffff81000000, &sym);
	is_str(sym.name, "renamed", "then it is");
	kernel_names_release(&k);
	boot("boot-2\n", "", first);
	is_name(0xffffffff81000000, "start", false, "another boot");
	boot("boot-2\n", "ext4 1 1 - Live 0xffffffffc0000000\n", second);
	is_name(0xffffffff81000000, "renamed", false, "another set of modules");
}

/* A cache that is cut or changed is recognized, or harmless. */
static void test_damaged(void)
{
	struct strbuf good = { 0 };

	scratch_read(root, CACHE, &good);
	for (size_t len = 0; len < good.len; len += 7) {
		struct kernel_names k;
		struct symbol sym;

		scratch_write(root, CACHE, good.data, len);
		if (kernel_names_open(&k, root))
			continue;
		kernel_names_find(&k, 0xffffffff81000001, &sym);
		kernel_names_release(&k);
	}
	for (size_t at = 0; at < good.len; at++) {
		struct kernel_names k;
		struct symbol sym = { .name = "" };

		good.data[at] ^= 0x55;
		scratch_write(root, CACHE, good.data, good.len);
		good.data[at] ^= 0x55;
		if (kernel_names_open(&k, root))
			continue;
		if (kernel_names_find(&k, 0xffffffff81000001, &sym))
			sym.size = strlen(sym.name);
		kernel_names_locate(&k, "middle", "", 0x100, &sym.start);
		kernel_names_release(&k);
	}
	ok(true, "a damaged cache leads only to our own memory");
	strbuf_release(&good);
}

static void test_hidden(void)
{
	struct kernel_names k;
	struct symbol sym;

	boot("boot-3\n", "", "0000000000000000 T start\n0000000000000000 T end\n");
	ok(kernel_names_open(&k, root) < 0, "a kernel that hides its addresses");
	ok(!kernel_names_find(&k, 0xffffffff81000000, &sym), "has no names");
	kernel_names_release(&k);
}

int main(void)
{
	struct strbuf cache = { 0 };

	root = scratch_make();
	strbuf_addf(&cache, "%s/cache", root);
	setenv("XDG_CACHE_HOME", strbuf_str(&cache), 1);
	test_locate();
	test_find();
	test_cache();
	test_damaged();
	test_hidden();
	strbuf_release(&cache);
	scratch_remove(root);
	return done_testing();
}
