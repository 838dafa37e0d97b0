/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes bytes of the call frame information in this program's own file, thousands of
 * times by a seed: no crash, no frame outside of code, and bounded work.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "self.h"
#include "random.h"
#include "tap.h"
#include "unwind/lookup.h"
#include "base/xalloc.h"

#define ROUNDS      4000
#define MAX_CHANGES 16
struct damage {
	struct unwinder *u;
	struct self_space space;
	struct self_sample sample;
	struct self_map *self;
	unsigned char *image;
	size_t len;
	uint64_t seed;
	/* Where .eh_frame_hdr and .eh_frame are in the image. */
	uint64_t from, to;
	unsigned long stacks, roots, outside, too_deep;
};

static __attribute__((noinline)) int record(struct damage *d)
{
	SELF_SAMPLE_HERE(&d->sample, &d->space, 64 << 10);
	return 1;
}

static __attribute__((noinline)) int recurse(struct damage *d, int depth)
{
	return (depth ? recurse(d, depth - 1) : record(d)) + depth;
}

static void load_image(struct damage *d)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		skip_all("the program cannot read itself");
	d->len = (size_t)st.st_size;
	d->image = xmalloc(d->len);
	if (pread(fd, d->image, d->len, 0) != st.st_size)
		skip_all("the program cannot read itself");
	close(fd);
}

static void find_self(struct damage *d)
{
	vec_for_each(struct self_map, m, &d->space.maps)
		if (d->sample.regs.pc >= m->map.start && d->sample.regs.pc < m->map.end)
			d->self = m;
}

static void find_cfi(struct damage *d)
{
	struct elf_file f;
	const struct elf_segment *s;

	if (elf_file_init_image(&f, d->image, d->len))
		return;
	s = elf_segment_of(&f, f.eh_frame_hdr.vaddr);
	d->from = f.eh_frame_hdr.offset;
	d->to = s ? s->offset + s->filesz : d->from;
	elf_file_release(&f);
}

static void judge(struct damage *d, const struct unwind_frames *frames)
{
	d->stacks++;
	d->roots += frames->end == UNWIND_END_ROOT;
	d->too_deep += frames->v.len > UNWIND_MAX_FRAMES;
	vec_for_each(const struct unwind_frame, f, &frames->v) {
		const struct self_map *m = self_map_of(&d->space, f->address - 1);

		d->outside += !m || !m->map.executable;
	}
}

/* Tries one changed file: rules everywhere in it, and the stack. */
static void try_module(struct damage *d, struct unwind_frames *frames)
{
	struct unwind_module *kept = d->self->map.module, *module;

	if (unwind_module_open_image(d->image, d->len, &module))
		return;
	for (unsigned int i = 0; i < 100; i++)
		unwind_is_root(d->u, module, random_next(&d->seed) % d->len);
	d->self->map.module = module;
	self_unwind(d->u, &d->space, &d->sample, frames);
	judge(d, frames);
	d->self->map.module = kept;
	unwind_module_free(module);
}

static void change(struct damage *d, uint64_t *at, unsigned char *was, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		at[i] = d->from + random_next(&d->seed) % (d->to - d->from);
		was[i] = d->image[at[i]];
		d->image[at[i]] = (unsigned char)random_next(&d->seed);
	}
}

static void test_changes(struct damage *d)
{
	struct unwind_frames frames = { 0 };
	unsigned char was[MAX_CHANGES];
	uint64_t at[MAX_CHANGES];

	for (unsigned int round = 0; round < ROUNDS; round++) {
		unsigned int n = round % MAX_CHANGES + 1;

		change(d, at, was, n);
		/* Every third file also lacks its table, and is read linearly. */
		if (round % 3 == 0)
			d->image[d->from] ^= 0xff;
		try_module(d, &frames);
		if (round % 3 == 0)
			d->image[d->from] ^= 0xff;
		while (n--)
			d->image[at[n]] = was[n];
	}
	unwind_frames_release(&frames);
}

/* The file is cut anywhere in its call frame information. */
static void test_cuts(struct damage *d)
{
	struct unwind_frames frames = { 0 };
	size_t whole = d->len;

	for (unsigned int i = 0; i < 500; i++) {
		d->len = d->from + random_next(&d->seed) % (d->to - d->from);
		try_module(d, &frames);
	}
	d->len = whole;
	unwind_frames_release(&frames);
}

int main(int argc, char **argv)
{
	static struct damage d;
	struct unwind_frames frames = { 0 };

	d.seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	if (!unwind_arch_host() || !d.seed)
		skip_all("no stacks to unwind, or seed 0");
	d.u = unwinder_new();
	self_space_init(&d.space);
	recurse(&d, 20);
	load_image(&d);
	find_self(&d);
	find_cfi(&d);
	if (!ok(d.self && d.to > d.from, "the program has call frame information"))
		return done_testing();
	try_module(&d, &frames);
	is_u64(d.roots, 1, "undamaged, the stack is complete");
	test_changes(&d);
	test_cuts(&d);
	ok(d.stacks > ROUNDS, "%lu stacks, %lu of them still complete", d.stacks,
	   d.roots);
	is_u64(d.outside, 0, "no frame outside of code");
	is_u64(d.too_deep, 0, "no stack beyond the limit");
	unwind_frames_release(&frames);
	free(d.image);
	unwinder_free(d.u);
	self_space_release(&d.space);
	return done_testing();
}
