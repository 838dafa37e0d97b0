/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of threads in the kernel: from names and sizes of functions to addresses. */
#include "process/kernel_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "scratch.h"
#include "tap.h"

static const char kallsyms[] = "ffffffff81000000 T kthread\n"
			       "ffffffff81000220 T kthreadd\n"
			       "ffffffff81000530 T ret_from_fork\n"
			       "ffffffff810006a0 t same\n"
			       "ffffffff810007a0 t same\n"
			       "ffffffff810008a0 T end\n"
			       "ffffffffc0000000 t work\t[ext4]\n"
			       "ffffffffc0000100 t more\t[ext4]\n";

static const char whole[] = "[<0>] kthreadd+0x2f0/0x310\n"
			    "[<0>] work+0x10/0x100 [ext4]\n"
			    "[<0>] ret_from_fork+0x151/0x170\n";

static const struct {
	const char *what, *text;
	size_t count;
	uint64_t first, last;
} rows[] = {
	{ "a stack, the innermost first", whole, 3, 0xffffffff81000510,
	  0xffffffff81000681 },
	{ "another one has some of its functions",
	  "[<0>] kthread+0xf8/0x220\n[<0>] ret_from_fork+0x151/0x170\n", 2,
	  0xffffffff810000f8, 0xffffffff81000681 },
	{ "addresses of older kernels count for nothing",
	  "[<ffffffff99999999>] kthread+0x220/0x220\n", 1, 0xffffffff81000220,
	  0xffffffff81000220 },
	{ "an empty one", "", 0, 0, 0 },
	{ "a function that is unknown", "[<0>] kthread+0xf8/0x220\n[<0>] gone+0x1/0x2\n",
	  0, 0, 0 },
	{ "the module is unloaded", "[<0>] work+0x10/0x100 [xfs]\n", 0, 0, 0 },
	{ "two have that name and size", "[<0>] same+0x1/0x100\n", 0, 0, 0 },
	{ "a size that is another one's", "[<0>] kthread+0xf8/0x310\n", 0, 0, 0 },
	{ "beyond its end", "[<0>] kthread+0x221/0x220\n", 0, 0, 0 },
	{ "a number that is too large", "[<0>] kthread+0x1/0x100000220\n", 0, 0, 0 },
	{ "no name", "[<0>] 0xffffffffc0ffee00\n", 0, 0, 0 },
	{ "no line", "kthread+0xf8/0x220\n", 0, 0, 0 },
	{ "a line that does not end", "[<0>] kthread+0xf8/0x220", 0, 0, 0 },
};

static void test_rows(const struct kernel_names *names)
{
	struct kernel_stack_places places = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t ips[KERNEL_STACK_MAX];
		size_t count = kernel_stack_parse(&places, names, rows[i].text,
						  strlen(rows[i].text), ips);

		is_u64(count, rows[i].count, "%s", rows[i].what);
		if (!count || count != rows[i].count)
			continue;
		is_u64(ips[0], rows[i].first, "its first address");
		is_u64(ips[count - 1], rows[i].last, "its last one");
	}
	kernel_stack_places_release(&places);
}

/* Every change of a byte leads to an address of a known function, or to none. */
static void test_damaged(const struct kernel_names *names)
{
	struct kernel_stack_places places = { 0 };
	char text[sizeof(whole)];
	size_t outside = 0;

	for (size_t at = 0; at + 1 < sizeof(whole); at++)
		for (int byte = 0; byte < 256; byte++) {
			uint64_t ips[KERNEL_STACK_MAX];
			size_t count;

			memcpy(text, whole, sizeof(whole));
			text[at] = (char)byte;
			count = kernel_stack_parse(&places, names, text,
						   sizeof(whole) - 1, ips);
			for (size_t i = 0; i < count; i++)
				outside += (ips[i] < 0xffffffff81000000 ||
					    ips[i] > 0xffffffff810008a0) &&
					   (ips[i] < 0xffffffffc0000000 ||
					    ips[i] > 0xffffffffc0000100);
		}
	is_u64(outside, 0, "a damaged stack has no invented addresses");
	kernel_stack_places_release(&places);
}

static void test_long(const struct kernel_names *names)
{
	struct kernel_stack_places places = { 0 };
	uint64_t ips[KERNEL_STACK_MAX];
	struct strbuf text = { 0 };

	for (size_t i = 0; i < KERNEL_STACK_MAX; i++)
		strbuf_addf(&text, "[<0>] kthread+0xf8/0x220\n");
	is_u64(kernel_stack_parse(&places, names, text.data, text.len, ips),
	       KERNEL_STACK_MAX, "as many as there may be");
	strbuf_addf(&text, "[<0>] kthread+0xf8/0x220\n");
	is_u64(kernel_stack_parse(&places, names, text.data, text.len, ips), 0,
	       "one more, and its end is not known");
	strbuf_clear(&text);
	strbuf_addf(&text, "[<0>] %0500d+0xf8/0x220\n", 1);
	is_u64(kernel_stack_parse(&places, names, text.data, text.len, ips), 0,
	       "a name that is too long");
	strbuf_release(&text);
	kernel_stack_places_release(&places);
}

int main(void)
{
	char *root = scratch_make();
	struct kernel_names names;

	scratch_text(root, "proc/kallsyms", kallsyms);
	if (!is_i64(kernel_names_open(&names, root), 0, "opens"))
		return done_testing();
	test_rows(&names);
	test_damaged(&names);
	test_long(&names);
	kernel_names_release(&names);
	scratch_remove(root);
	return done_testing();
}
