/* SPDX-License-Identifier: Apache-2.0 */
/* kallsyms, and the lines that it and perf maps are made of. */
#include "elf/kallsyms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/lines.h"
#include "tap.h"
#include "base/xalloc.h"

/* Makes a file with that content; the caller removes it and frees the path. */
static char *file_with(const char *bytes, size_t len)
{
	char *path = xstrdup("/tmp/ringprof-u-kallsyms-XXXXXX");
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	close(fd);
	return path;
}

static int read_with(int (*reader)(struct symtab *, const char *), const char *bytes,
		     size_t len, struct symtab *tab)
{
	char *path = file_with(bytes, len);
	int error = reader(tab, path);

	unlink(path);
	free(path);
	return error;
}

static void test_lines(void)
{
	static const char bytes[] = "a b\n\nlast";
	struct text rest = { bytes, bytes + sizeof(bytes) - 1 }, line, word;

	ok(text_line(&rest, &line) && text_len(&line) == 3, "a line without its end");
	word = text_until(&line, ' ');
	ok(text_len(&word) == 1 && text_len(&line) == 1, "a word, and what follows");
	ok(text_line(&rest, &line) && !text_len(&line), "an empty line is a line");
	ok(text_line(&rest, &line) && text_len(&line) == 4, "the last needs no newline");
	ok(!text_line(&rest, &line), "then there is none");
}

static void test_hex(void)
{
	static const struct {
		const char *text;
		bool number;
		uint64_t value;
	} cases[] = {
		{ "0xfF", true, 255 },
		{ "0", true, 0 },
		{ "ffffffffffffffff", true, UINT64_MAX },
		{ "10000000000000000", false, 0 },
		{ "0x", false, 0 },
		{ "12g", false, 0 },
		{ "", false, 0 },
		{ "-1", false, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *at = cases[i].text;
		struct text text = { at, at + strlen(at) };
		uint64_t value = 0;

		is_u64(text_hex(text, &value), cases[i].number, "is \"%s\" a number", at);
		is_u64(value, cases[i].value, "… and its value");
	}
}

static void expect(const struct symtab *tab, uint64_t addr, const char *name,
		   const char *object)
{
	struct symbol sym = { .name = NULL };
	bool found = symtab_find(tab, addr, &sym);

	is_str(found ? sym.name : NULL, name, "name at %#llx", (unsigned long long)addr);
	is_str(found ? sym.object : NULL, object, "… and its object");
}

static void test_kallsyms(void)
{
	static const char text[] = "ffffffff81000000 T _stext\n"
				   "ffffffff81000000 T startup_64\n"
				   "ffffffff81000100 t local\n"
				   "ffffffff81000180 D data\n"
				   "ffffffff81000200 W weak\n"
				   "rubbish\n"
				   "0000000000000000 A absolute\n"
				   "ffffffffc0000300 t later\t[ext4]\n"
				   "ffffffffc0000000 t ext4_read\t[ext4]\n"
				   "ffffffffc0008000 t bpf_prog_1\t[bpf]\n";
	struct symtab tab;

	is_i64(read_with(kallsyms_read, text, sizeof(text) - 1, &tab), 0, "it is read");
	expect(&tab, 0xffffffff80ffffff, NULL, NULL);
	expect(&tab, 0xffffffff81000000, "startup_64", NULL);
	expect(&tab, 0xffffffff81000190, "local", NULL);
	expect(&tab, 0xffffffff81000fff, "weak", NULL);
	expect(&tab, 0xffffffff81001000, NULL, NULL);
	expect(&tab, 0xffffffffc00002ff, "ext4_read", "[ext4]");
	expect(&tab, 0xffffffffc0000fff, "later", "[ext4]");
	expect(&tab, 0xffffffffc0001000, NULL, NULL);
	expect(&tab, 0xffffffffc0008001, "bpf_prog_1", "[bpf]");
	symtab_release(&tab);
}

static void test_kallsyms_refusals(void)
{
	static const char hidden[] = "0000000000000000 T _stext\n0000000000000000 t x\n";
	struct symtab tab;

	is_i64(read_with(kallsyms_read, hidden, sizeof(hidden) - 1, &tab), -EACCES,
	       "hidden addresses differ from missing ones");
	is_i64(kallsyms_read(&tab, "/nonexistent/kallsyms"), -ENOENT, "no file");
	is_i64(kallsyms_read(&tab, "/dev/null"), -EINVAL, "no regular file");
}

/* Every prefix, and every byte changed: no crash. */
static void test_damage(void)
{
	static const char text[] = "ffffffff81000000 T a\tb\n7f00 t c d\n\t \n0x1 2 3\n";
	size_t reads = 0;

	for (size_t i = 0; i < sizeof(text); i++)
		for (int k = 0; k < 4; k++) {
			char damaged[sizeof(text)];
			struct symtab tab;

			memcpy(damaged, text, sizeof(text));
			damaged[i] = " \t\n\0"[k];
			if (!read_with(kallsyms_read, damaged, k ? sizeof(text) : i,
				       &tab))
				symtab_release(&tab);
			reads++;
		}
	ok(reads == 4 * sizeof(text), "damaged tables are read or refused");
}

int main(void)
{
	test_lines();
	test_hex();
	test_kallsyms();
	test_kallsyms_refusals();
	test_damage();
	return done_testing();
}
