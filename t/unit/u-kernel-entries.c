/* SPDX-License-Identifier: Apache-2.0 */
/* Behind an interrupt a kernel stack goes on with the interrupted instruction. */
#include "process/kernel_entries.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "experiment/log.h"
#include "experiment/read.h"
#include "process/kernel_names.h"
#include "recording/recording.h"
#include "sample/sample_attr.h"
#include "scratch.h"
#include "tap.h"

#define TEXT UINT64_C(0xffffffff81000000)

enum { ID = 7, TARGET = 100 };

static const char kallsyms[] = "ffffffff81000000 T _stext\n"
			       "ffffffff81000100 T asm_exc_page_fault\n"
			       "ffffffff81000200 T asm_load_gs_index\n"
			       "ffffffff81000300 T asm_sysvec_apic_timer_interrupt\n"
			       "ffffffff81000400 T error_entry\n"
			       "ffffffff81000500 T el1h_64_irq\n"
			       "ffffffff81000600 t el1h_64_irq_handler\n"
			       "ffffffff81001000 T handler\n"
			       "ffffffff81002000 t __pfx_leaf\n"
			       "ffffffff81002010 t leaf\n"
			       "ffffffff81003000 t caller\n"
			       "ffffffff81004000 T its_return_thunk\n"
			       "ffffffff81004040 T __x86_indirect_thunk_rax\n"
			       "ffffffff81004060 T end\n"
			       "ffffffffc0000000 t asm_exc_page_fault\t[strange]\n"
			       "ffffffffc0001000 t end\t[strange]\n";

static void test_places(const char *root)
{
	struct kernel_entries e = { 0 };
	struct kernel_names names;
	const struct {
		uint64_t inner, address;
		bool exact;
		const char *what;
	} rows[] = {
		{ 0x100, 0x2010, true, "an exception's first byte" },
		{ 0x1ff, 0x2010, true, "and its last one" },
		{ 0x0ff, 0x2010, false, "the byte before it" },
		{ 0x200, 0x2010, false, "what is called in the same section" },
		{ 0x3ff, 0x2011, true, "an interrupt" },
		{ 0x400, 0x2010, false, "what an exception calls" },
		{ 0x500, 0x2010, true, "an interrupt of arm64" },
		{ 0x600, 0x2010, false, "its handler" },
		{ 0x2010, 0x3008, false, "another function" },
		{ 0x4000, 0x2010, true, "a function that a retpoline is about to begin" },
		{ 0x4000, 0x3008, false, "where a function returns to" },
		{ 0x4040, 0x2010, false, "where a thunk was called" },
		{ UINT64_C(0x3f000000), 0x2010, false, "a module's function" },
	};

	if (kernel_names_open(&names, root))
		exit(99);
	kernel_entries_find(&e, &names);
	kernel_names_release(&names);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(kernel_entries_is_exact(&e, TEXT + rows[i].inner,
					   TEXT + rows[i].address) == rows[i].exact,
		   "%s", rows[i].what);
	ok(kernel_entries_is_thunk(&e, TEXT + 0x4000) &&
		   kernel_entries_is_thunk(&e, TEXT + 0x4045) &&
		   !kernel_entries_is_thunk(&e, TEXT + 0x305) &&
		   !kernel_entries_is_thunk(&e, TEXT + 0x4060),
	   "thunks");
	is_u64(e.code_end, TEXT + 0x5000, "where its code ends");
	kernel_entries_move(&e, 0x1000000);
	ok(!kernel_entries_is_exact(&e, TEXT + 0x100, 0) &&
		   kernel_entries_is_exact(&e, TEXT + 0x1000100, 0),
	   "those of a kernel that was elsewhere");
	kernel_entries_release(&e);
}

/* They are found once in each boot, whatever is in the cache. */
static void test_cache(const char *root)
{
	struct strbuf file = { 0 };

	scratch_text(root, "proc/sys/kernel/random/boot_id", "boot-0\n");
	for (int again = 0; again < 2; again++) {
		struct kernel_entries e = { 0 };

		kernel_entries_open(&e, root);
		ok(kernel_entries_is_exact(&e, TEXT + 0x100, TEXT + 0x2010) &&
			   e.code_end == TEXT + 0x5000,
		   again ? "from the cache" : "from the names");
		kernel_entries_release(&e);
		scratch_text(root, "proc/kallsyms", "ffffffff81000000 T _stext\n");
	}
	scratch_read(root, "cache/ringprof/kernel-entries", &file);
	for (size_t len = 0; len < file.len; len += 5) {
		struct kernel_entries e = { 0 };

		scratch_write(root, "cache/ringprof/kernel-entries", file.data, len);
		scratch_text(root, "cache/ringprof/kernel-names", "");
		kernel_entries_open(&e, root);
		if (e.v.len)
			ok(false, "a cache of %zu of %zu bytes", len, file.len);
		kernel_entries_release(&e);
	}
	ok(file.len > 0, "a cut cache is made anew");
	for (int again = 0; again < 2; again++) {
		struct kernel_entries e = { 0 };

		kernel_entries_open(&e, root);
		is_u64(e.v.len, 0, "a kernel without known entries");
		kernel_entries_release(&e);
	}
	scratch_text(root, "proc/kallsyms", kallsyms);
	scratch_text(root, "proc/sys/kernel/random/boot_id", "boot-1\n");
	strbuf_release(&file);
}

static void record(const char *root, const char *to, const uint64_t *ips, size_t len)
{
	struct record r = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_KERNEL,
		.at = { .pid = TARGET, .tid = TARGET, .time = 1, .id = ID },
		.sample = { .ip = ips[0], .period = 1, .kernel = { ips, len } },
	};
	struct recording_setup setup = { .format = sample_format(STACK_FP),
					 .mode = STACK_FP,
					 .root = root,
					 .everyone = true };
	struct exp_log log = { 0 };
	struct recording rec;

	if (exp_writer_open(to, &setup.writer))
		exit(99);
	recording_init(&rec, &setup);
	recording_expect(&rec, 1);
	sources_add(&rec.sources, ID, 0, -1);
	recording_take_record(&rec, &r);
	recording_release(&rec);
	*vec_push(&log.events) = (struct exp_event){ .scale = 1 };
	if (exp_writer_close(setup.writer) || exp_log_write(&log, to))
		exit(99);
	exp_log_release(&log);
}

/* The stack of the only sample, from its leaf on. */
static void test_stack(const char *root)
{
	const uint64_t ips[] = { TEXT + 0x1008, TEXT + 0x305, TEXT + 0x2010,
				 TEXT + 0x3008 };
	static const unsigned flags[] = { 0, EXP_FRAME_RETURN, 0, EXP_FRAME_RETURN };
	char *to = scratch_make();
	struct exp_walk walk = { 0 };
	struct strbuf err = { 0 };
	struct exp_samples block;
	struct experiment *exp;
	uint64_t node;

	record(root, to, ips, 4);
	if (experiment_open(to, &exp, &err) || experiment_next(exp, &walk, &block) <= 0)
		exit(99);
	node = block.node[0];
	for (size_t i = 0; i < 4; i++) {
		const struct exp_node *n = &exp->nodes.data[node];
		const struct exp_frame *f = &exp->frames.data[n->frame];

		is_u64(f->offset, ips[i] - TEXT, "frame %zu of the stack", i);
		is_u64(f->flags, flags[i], "whether it returns there");
		node = n->parent;
	}
	exp_walk_release(&walk);
	experiment_free(exp);
	strbuf_release(&err);
	scratch_remove(to);
}

int main(void)
{
	char *root = scratch_make();
	struct strbuf cache = { 0 };

	strbuf_addf(&cache, "%s/cache", root);
	setenv("XDG_CACHE_HOME", strbuf_str(&cache), 1);
	scratch_text(root, "proc/kallsyms", kallsyms);
	test_places(root);
	test_cache(root);
	test_stack(root);
	strbuf_release(&cache);
	scratch_remove(root);
	return done_testing();
}
