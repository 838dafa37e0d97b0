/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does splicing invent frames?  The test samples a program at random nodes of random trees;
 * the functions that evaluate these have frames of similar size.  Each stack is unwound
 * twice: completely, as the truth, and from a short copy with splicing.
 */
#include <stdlib.h>
#include <string.h>

#include "self.h"
#include "unwind/splice.h"
#include "random.h"
#include "tap.h"
#include "base/xalloc.h"

#define NODES   4000
#define TREES   6
#define SAMPLES 6000
#define COPY    1024

struct node;
typedef uint64_t eval_fn(const struct node *n, uint64_t x);

struct node {
	const struct node *left, *right;
	eval_fn *eval;
	uint64_t constant;
};

/* Global because the functions under test have the arguments of an evaluator. */
static struct {
	struct self_space space;
	struct self_sample sample;
	struct unwinder *u;
	struct unwind_frames whole, cut;
	struct splice splice;
	struct node nodes[NODES];
	size_t used;
	uint64_t seed;
	unsigned long samples, truncated, spliced, wrong;
} t;

static uint64_t next_random(void)
{
	return random_next(&t.seed);
}

static bool same_frames(void)
{
	if (t.whole.v.len != t.cut.v.len)
		return false;
	for (size_t i = 0; i < t.cut.v.len; i++)
		if (t.whole.v.data[i].address != t.cut.v.data[i].address)
			return false;
	return true;
}

static __attribute__((noinline)) void sample(void)
{
	SELF_SAMPLE_HERE(&t.sample, &t.space, SELF_STACK);
	self_unwind(t.u, &t.space, &t.sample, &t.whole);
	/* The copy begins here; record's own frame of a kilobyte is not in it. */
	t.sample.stack_len = t.whole.v.data[0].cfa + COPY -
			     t.sample.regs.reg[unwind_arch_host()->sp];
	self_unwind(t.u, &t.space, &t.sample, &t.cut);
	t.samples++;
	t.truncated += t.cut.end == UNWIND_END_TRUNCATED;
	if (splice_apply(&t.splice, &t.cut)) {
		t.spliced++;
		t.wrong += !same_frames();
	}
}

static uint64_t below(const struct node *n, uint64_t x)
{
	return n ? n->eval(n, x) : x;
}

/* Some leaves take a sample. */
static __attribute__((noinline)) uint64_t leaf(const struct node *n, uint64_t x)
{
	if (next_random() % 64 == 0)
		sample();
	return n->constant ^ x;
}

static __attribute__((noinline)) uint64_t add(const struct node *n, uint64_t x)
{
	return below(n->left, x) + below(n->right, x) + n->constant;
}

static __attribute__((noinline)) uint64_t mix(const struct node *n, uint64_t x)
{
	return below(n->left, x) ^ (below(n->right, x) * n->constant);
}

static __attribute__((noinline)) uint64_t sub(const struct node *n, uint64_t x)
{
	return below(n->left, x) - below(n->right, x) - n->constant;
}

/* A chain of DEPTH nodes with leaves on either side. */
static const struct node *make_tree(unsigned int depth)
{
	static eval_fn *const inner[] = { add, mix, sub };
	struct node *n = &t.nodes[t.used++ % NODES];
	const struct node *tree, *other;

	*n = (struct node){ .eval = leaf, .constant = next_random() };
	if (!depth)
		return n;
	tree = make_tree(depth - 1);
	other = make_tree(0);
	n->eval = inner[next_random() % 3];
	n->left = next_random() % 2 ? tree : other;
	n->right = n->left == tree ? other : tree;
	return n;
}

int main(int argc, char **argv)
{
	const struct node *trees[TREES];
	uint64_t sum = 0;

	if (!unwind_arch_host())
		skip_all("this architecture has no stacks to unwind");
	t.seed = argc > 1 ? strtoull(argv[1], NULL, 0) | 1 : 1;
	t.u = unwinder_new();
	self_space_init(&t.space);
	for (unsigned int i = 0; i < TREES; i++)
		trees[i] = make_tree(10 + i * 12);
	while (t.samples < SAMPLES) {
		const struct node *tree = trees[next_random() % TREES];

		for (unsigned int i = 0; i < 20; i++)
			sum += tree->eval(tree, i);
	}
	ok(t.truncated > SAMPLES / 4, "%lu of %lu stacks truncated", t.truncated,
	   t.samples);
	ok(t.spliced > t.truncated / 10, "%lu of them spliced", t.spliced);
	is_u64(t.wrong, 0, "no frame is invented (%#lx)", (unsigned long)sum);
	splice_release(&t.splice);
	unwind_frames_release(&t.whole);
	unwind_frames_release(&t.cut);
	unwinder_free(t.u);
	self_space_release(&t.space);
	return done_testing();
}
