/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel and the CPU in /proc and /sys of other machines. */
#include "plan/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "elf/image.h"
#include "process/kernel_map.h"
#include "process/module.h"
#include "scratch.h"
#include "tap.h"

/* A note of 4 + 20 bytes, as /sys/kernel/notes has it: GNU, type 3. */
static const unsigned char notes[] = {
	4, 0, 0, 0, 20, 0, 0, 0,  3,  0,  0,  0,  'G', 'N', 'U', 0,  1,  2,
	3, 4, 5, 6, 7,  8, 9, 10, 11, 12, 13, 14, 15,  16,  17,  18, 19, 20
};

static void test_kernel_map(void)
{
	char *root = scratch_make();
	struct module_table modules;
	struct kernel_map k;
	uint32_t module;
	uint64_t offset;

	scratch_text(root, "proc/kallsyms",
		     "0000000000000000 A fixed_percpu_data\n"
		     "garbage\n"
		     "ffffffff81000000 T _stext\n"
		     "ffffffff81000040 T other\n");
	scratch_text(root, "proc/modules",
		     "ext4 8192 1 - Live 0xffffffffc0100000\n"
		     "hidden 4096 0 - Live 0x0000000000000000\n"
		     "short line\n"
		     "huge 18446744073709551615 0 - Live 0xffffffffc0200000\n"
		     "nfs 4096 2 lockd,sunrpc, Live 0xffffffffc0102000 (OE)\n");
	scratch_write(root, "sys/kernel/notes", notes, sizeof(notes));
	scratch_write(root, "sys/module/nfs/notes/.note.gnu.build-id", notes,
		      sizeof(notes));
	module_table_init(&modules);
	kernel_map_init(&k, &modules, root);
	is_u64(k.text, 0xffffffff81000000, "where the kernel's text is");
	is_str(modules.v.data[k.kernel].build_id.hex,
	       "0102030405060708090a0b0c0d0e0f1011121314", "its build-id");
	kernel_map_find(&k, 0xffffffff81000123, &module, &offset);
	ok(module == k.kernel && offset == 0x123, "an address of the kernel");
	kernel_map_find(&k, 0xffffffffc0101fff, &module, &offset);
	is_str(modules.v.data[module].path, "[ext4]", "an address of a module");
	is_u64(offset, 0x1fff, "counts from the module's start");
	is_str(modules.v.data[module].build_id.hex, "", "the module has no build-id");
	kernel_map_find(&k, 0xffffffffc0102000, &module, &offset);
	is_str(modules.v.data[module].path, "[nfs]", "the module behind it");
	is_u64(modules.v.data[module].kind, EXP_KIND_KERNEL_MODULE, "is a kernel module");
	ok(modules.v.data[module].build_id.hex[0] != '\0', "and has a build-id");
	kernel_map_find(&k, 0xffffffffc0200010, &module, &offset);
	is_u64(module, k.kernel, "a module of impossible size is ignored");
	kernel_map_release(&k);
	module_table_release(&modules);
	scratch_remove(root);
}

/* A user without privileges sees zeros, and an empty container no files. */
static void test_hidden_kernel(void)
{
	char *root = scratch_make();

	for (int i = 0; i < 2; i++) {
		struct module_table modules;
		struct kernel_map k;
		uint32_t module;
		uint64_t offset;

		module_table_init(&modules);
		kernel_map_init(&k, &modules, root);
		kernel_map_find(&k, 0xffffffff81000123, &module, &offset);
		ok(k.text == 0 && module == k.kernel && offset == 0xffffffff81000123,
		   "%s: offsets are addresses", i ? "zeros" : "nothing");
		is_u64(k.areas.len, 0, "%s: no modules", i ? "zeros" : "nothing");
		kernel_map_release(&k);
		module_table_release(&modules);
		scratch_text(root, "proc/kallsyms", "0000000000000000 T _text\n");
		scratch_text(root, "proc/modules",
			     "ext4 8192 1 - Live 0x0000000000000000\n");
	}
	scratch_remove(root);
}

static const struct {
	const char *what, *cpuinfo, *base; /* NULL: no such file */
	const char *cpu;
	double hz;
} cpus[] = {
	{ "x86",
	  "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Xeon Gold\ncpu MHz\t\t: "
	  "2000.5\n",
	  NULL, "Xeon Gold", 2000.5e6 },
	{ "x86 with a base frequency", "model name\t: Core\ncpu MHz\t\t: 800.0\n",
	  "2400000\n", "Core", 2.4e9 },
	{ "arm64",
	  "processor\t: 0\nCPU part\t: 0xd0c\n\nprocessor\t: 1\nCPU part\t: "
	  "0xd0d\n",
	  NULL, "ARM part 0xd0c", 0 },
	{ "nothing", NULL, NULL, "unknown", 0 },
	{ "lines without values", "model name\ncpu MHz\n\n:\n", "x\n", "unknown", 0 },
	{ "a negative base", "model name : A\n", "-5\n", "A", 0 },
};

static void test_machine(void)
{
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		char *root = scratch_make();
		struct exp_log log = { 0 };

		if (cpus[i].cpuinfo)
			scratch_text(root, "proc/cpuinfo", cpus[i].cpuinfo);
		if (cpus[i].base)
			scratch_text(root,
				     "sys/devices/system/cpu/cpu0/cpufreq/base_frequency",
				     cpus[i].base);
		machine_describe(&log, root);
		is_str(log.cpu, cpus[i].cpu, "%s: name", cpus[i].what);
		ok(fabs(log.hz - cpus[i].hz) < 1, "%s: rate", cpus[i].what);
		ok(log.hostname && log.kernel && log.arch && log.cpus && log.page_size,
		   "%s: the rest", cpus[i].what);
		exp_log_release(&log);
		scratch_remove(root);
	}
}

static const struct {
	const char *path;
	enum exp_module_kind kind;
} kinds[] = {
	{ "/usr/bin/true", EXP_KIND_FILE },
	{ "/usr/bin/true (deleted)", EXP_KIND_FILE },
	{ "/dev/shm/code", EXP_KIND_FILE },
	{ "/dev/nvidia0", EXP_KIND_ANON },
	{ "/dev/ashmem/dalvik-jit-code-cache", EXP_KIND_FILE },
	{ "perf.data_jit_app_cache:64-320", EXP_KIND_FILE },
	{ "/memfd:jit (deleted)", EXP_KIND_ANON },
	{ "//anon", EXP_KIND_ANON },
	{ "[vdso]", EXP_KIND_VDSO },
	{ "[vsyscall]", EXP_KIND_UNKNOWN },
	{ "[heap]", EXP_KIND_ANON },
	{ "anon_inode:[x]", EXP_KIND_ANON },
	{ "", EXP_KIND_ANON },
};

/* A deleted file is the same file; code without a file belongs to its process. */
static void test_modules(void)
{
	char lib[] = "/lib/a.so", gone[] = "/lib/a.so (deleted)", jit[] = "//anon",
	     heap[] = "[heap]", rootless[] = "/ (deleted)";
	struct module_table t;
	struct module m = { .path = lib, .kind = EXP_KIND_FILE, .pid = 1 };
	uint32_t first, second, third, anon;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		is_u64(module_kind_of(kinds[i].path), kinds[i].kind, "kind of \"%s\"",
		       kinds[i].path);
	module_table_init(&t);
	m.path = rootless;
	first = module_table_add(&t, &m);
	is_str(t.v.data[first].path, "/ (deleted)",
	       "of a file whose mount is gone nothing else is known");
	m.path = lib;
	first = module_table_add(&t, &m);
	m.path = gone;
	m.pid = 2;
	is_u64(module_table_add(&t, &m), first, "a deleted file is the same one");
	is_str(t.v.data[first].path, "/lib/a.so", "under its plain name");
	m.build_id.hex[0] = 'a';
	ok(module_table_add(&t, &m) != first, "another build is another one");
	m.build_id.hex[0] = '\0';
	m.file = (struct file_id){ 8, 1, 20, 0 };
	is_u64(module_table_add(&t, &m), first, "a record names the file first");
	m.file.inode = 21;
	second = module_table_add(&t, &m);
	ok(second != first, "another file at its path is another one");
	m.file.inode = 20;
	m.pid = 3;
	is_u64(module_table_add(&t, &m), first, "the first one is back");
	is_u64((uint64_t)t.v.data[first].pid, 3, "and its latest process is known");
	m.file.inode = 0;
	is_u64(module_table_add(&t, &m), first,
	       "a record without a file means the first one");
	m.file.inode = 21;
	m.file.generation = 5;
	is_u64(module_table_add(&t, &m), second, "a record adds the generation");
	m.file.generation = 6;
	third = module_table_add(&t, &m);
	ok(third != second, "another generation is another file");
	m.file.generation = 0;
	is_u64(module_table_add(&t, &m), third, "without a generation it is the latest");
	m = (struct module){ .path = jit, .kind = EXP_KIND_ANON, .pid = 1 };
	anon = module_table_add(&t, &m);
	m.path = heap;
	is_u64(module_table_add(&t, &m), anon,
	       "all code of a process without a file is one module");
	m.pid = 2;
	ok(module_table_add(&t, &m) != anon, "another process has its own");
	module_table_release(&t);
}

/* The process has ended, so only the path remains. */
static int open_by_path(struct module_table *t, struct module *m)
{
	int fd = module_open(t, m);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* False: the file has none. */
static bool read_build_id(const char *path, struct module *m)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool has = !elf_image_build_id(fd, &m->build_id);

	close(fd);
	return has;
}

static void test_replaced(void)
{
	struct module_table t;
	struct module m = { .kind = EXP_KIND_FILE, .pid = -1 };
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	bool has_build_id;
	struct stat st;

	path[len > 0 ? len : 0] = '\0';
	m.path = path;
	module_table_init(&t);
	ok(!stat(path, &st), "this program is a file");
	is_u64((uint64_t)-open_by_path(&t, &m), ESTALE,
	       "without facts about the file that ran, nothing proves that it is this "
	       "one");
	m.file = (struct file_id){ major(st.st_dev), minor(st.st_dev), st.st_ino, 0 };
	is_u64((uint64_t)open_by_path(&t, &m), 0, "it is the file that ran");
	m.file.minor++;
	is_u64((uint64_t)-open_by_path(&t, &m), ESTALE, "the inode is on another device");
	m.file.minor--;
	m.file.inode++;
	is_u64((uint64_t)-open_by_path(&t, &m), ESTALE, "it has another inode");
	ok(m.replaced, "… which is remembered");
	has_build_id = read_build_id(path, &m);
	is_u64((uint64_t)-open_by_path(&t, &m), has_build_id ? 0 : ESTALE,
	       "a build-id decides before the inode");
	memcpy(m.build_id.hex, "0123", 5);
	is_u64((uint64_t)-open_by_path(&t, &m), ESTALE, "it has another build-id");
	strcat(path, "/gone");
	is_u64((uint64_t)-open_by_path(&t, &m), ENOTDIR,
	       "a missing file has another error");
	ok(!m.replaced, "… and is not a replaced one");
	module_table_release(&t);
}

/* Compares with the kernel's report of our own mapping. */
static void test_mapped_file(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct file_id file;
	long room = 0;
	struct stat st;

	ok(fd >= 0 && !fstat(fd, &st), "this program is a file");
	file = (struct file_id){ major(st.st_dev), minor(st.st_dev), st.st_ino, 0 };
	ok(mapped_file_is(&file, fd), "by its device and inode");
	if (!ioctl(fd, FS_IOC_GETVERSION, &room)) {
		memcpy(&file.generation, &room, sizeof(int));
		ok(mapped_file_is(&file, fd), "and by its generation");
		file.generation++;
		ok(!mapped_file_is(&file, fd), "a later file has its inode's number");
	}
	ok(!mapped_file_is(&(struct file_id){ 0 }, fd),
	   "without a report it does not match");
	close(fd);
}

/*
 * Whether FD, modified at SHARE of the machine's uptime, is known to be written since it was
 * mapped at half of it.  An emulated machine may have run for seconds alone.
 */
static bool written_at(int fd, double share)
{
	struct timespec now, uptime, times[2] = { { 0, UTIME_OMIT }, { 0, 0 } };
	int64_t up, written;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_MONOTONIC, &uptime);
	up = uptime.tv_sec * INT64_C(1000000000) + uptime.tv_nsec;
	written = now.tv_sec * INT64_C(1000000000) + now.tv_nsec +
		  (int64_t)((double)up * (share - 1));
	times[1].tv_sec = written / 1000000000;
	times[1].tv_nsec = written % 1000000000;
	if (futimens(fd, times))
		exit(99);
	return mapped_file_is_written_since(fd, (uint64_t)up / 2);
}

/* The same for a time that no file should have. */
static bool written_in_second(int fd, time_t second)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, { second, 0 } };

	if (futimens(fd, times))
		exit(99);
	return mapped_file_is_written_since(fd, 1);
}

static void test_written_since(void)
{
	FILE *file = tmpfile();
	int fd = file ? fileno(file) : -1;

	ok(fd >= 0 && !written_at(fd, 0.25), "modified before it was mapped");
	ok(written_at(fd, 0.75), "modified after it was mapped");
	ok(!mapped_file_is_written_since(fd, UINT64_MAX - 99),
	   "it cannot have been mapped after this");
	ok(!written_at(fd, 1.5), "a time in the future says nothing");
	ok(!written_in_second(fd, INT64_MAX / 2) && !written_in_second(fd, INT64_MIN / 2),
	   "nor one that no file has");
	if (file)
		fclose(file);
}

static void test_vdso(void)
{
	struct module_table t = { .elsewhere = false };
	char own[] = "[vdso]", other[] = MODULE_VDSO32;
	struct module m = { .path = own, .kind = EXP_KIND_VDSO };

	ok(module_is_our_vdso(&t, &m), "the vDSO of 64-bit programs is ours");
	m.path = other;
	ok(!module_is_our_vdso(&t, &m), "the one of 32-bit programs is not");
	m.path = own;
	t.elsewhere = true;
	ok(!module_is_our_vdso(&t, &m), "nor is another kernel's");
}

/* Adds [START, START + LEN); returns how many areas were left out. */
static unsigned add_area(struct kernel_map *k, struct module_table *modules,
			 uint64_t start, uint64_t len, const char *name)
{
	return kernel_map_add(k, modules, name, start, len, 0, &(struct build_id){ 0 });
}

static const char *area_at(const struct kernel_map *k, const struct module_table *modules,
			   uint64_t address)
{
	uint32_t module;
	uint64_t offset;

	kernel_map_find(k, address, &module, &offset);
	return modules->v.data[module].path;
}

/* An area without room still removes the older ones in its place. */
static void test_full_kernel_map(void)
{
	const uint64_t base = 0xffffffffc0000000;
	struct module_table modules;
	struct kernel_map k;
	char name[32];

	module_table_init(&modules);
	kernel_map_init_unknown(&k, &modules);
	for (uint64_t i = 0; i < SPACE_MAX; i++)
		add_area(&k, &modules, base + 0x1000 * i, 0x1000, "[old]");
	is_u64(add_area(&k, &modules, base + 0x800, 0x1000, "[new]"), 1,
	       "one area too many is left out");
	is_str(area_at(&k, &modules, base + 0x900), "[unknown kernel]",
	       "the code that it covers is unknown");
	is_str(area_at(&k, &modules, base + 0x100), "[old]",
	       "the code beside it is known");
	is_u64(add_area(&k, &modules, base + 0x3000, 0x1000, "[new]"), 0,
	       "one that replaces another is accepted");
	is_str(area_at(&k, &modules, base + 0x3900), "[new]", "and is known");
	is_u64(add_area(&k, &modules, base + 0x5400, 0x100, "[none]"), 2,
	       "one within another also removes the upper part");
	is_u64(k.areas.len, SPACE_MAX, "the number of areas stays");
	ok(modules.v.len == 3, "an area that is left out makes no module");
	while (modules.v.len < MODULES_MAX) {
		snprintf(name, sizeof(name), "[%zu]", modules.v.len);
		module_table_add(
			&modules,
			&(struct module){ .path = name, .kind = EXP_KIND_KERNEL_MODULE });
	}
	is_u64(add_area(&k, &modules, base + 0x7000, 0x1000, "[none]"), 1,
	       "an area with one name too many is left out");
	is_str(area_at(&k, &modules, base + 0x7900), "[unknown kernel]",
	       "and the code that it covers is unknown");
	kernel_map_release(&k);
	module_table_release(&modules);
}

int main(void)
{
	test_kernel_map();
	test_full_kernel_map();
	test_hidden_kernel();
	test_machine();
	test_modules();
	test_replaced();
	test_mapped_file();
	test_written_since();
	test_vdso();
	return done_testing();
}
