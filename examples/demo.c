/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that `./bootstrap demo` profiles: small rounds of work until SECONDS of CPU
 * time are used (2 unless given).  Its profile shows one thing of each kind:
 *
 *	checksum        the hottest function, with two callers: check_input calls it three
 *	                times a round and check_output once, on data of the same size, so
 *	                that its time divides 3 to 1 between them
 *	tree_insert,    recursion: inclusive time counts a sample once, however often the
 *	tree_sum        function stands in its stack
 *	compare         called by qsort in libc, which main's own code never names
 *	read_records    time that the kernel spends for the program (random numbers)
 *
 * Each round works on another number of records: rounds of the same length could keep step
 * with the samples, which would then hit the same places again and again.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Each function keeps its own name in the profile: no inlining, no specialised copies. */
#if defined(__has_attribute) && __has_attribute(noipa)
#define FUNCTION static __attribute__((noipa))
#else
#define FUNCTION static __attribute__((noinline))
#endif

enum { RECORDS = 4096, PASSES = 24 };

struct record {
	uint32_t key, value;
};

struct node {
	struct node *left, *right;
	const struct record *record;
};

struct work {
	struct record records[RECORDS];
	struct node nodes[RECORDS];
	uint32_t count; /* of them, that this round works on */
	uint32_t total;
	int source;
};

FUNCTION int read_records(struct work *w)
{
	ssize_t got = read(w->source, w->records, sizeof(w->records));

	w->count = RECORDS / 2 + w->records[0].value % (RECORDS / 2);
	return got == sizeof(w->records) ? 0 : -1;
}

FUNCTION uint32_t checksum(const struct record *records, uint32_t count)
{
	uint32_t sum = 1;

	for (uint32_t pass = 0; pass < PASSES; pass++)
		for (uint32_t i = 0; i < count; i++)
			sum = (sum ^ records[i].key) * 16777619 + pass;
	return sum;
}

FUNCTION void check_input(struct work *w)
{
	for (uint32_t i = 0; i < 3; i++)
		w->total += checksum(w->records, w->count);
}

FUNCTION void check_output(struct work *w)
{
	w->total += checksum(w->records, w->count);
}

FUNCTION int compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

FUNCTION void sort_records(struct work *w)
{
	qsort(w->records, w->count, sizeof(w->records[0]), compare);
	/* Were the call the last thing here, it would be a jump, and leave no frame. */
	w->total += w->records[0].key;
}

FUNCTION struct node *tree_insert(struct node *at, struct node *leaf)
{
	if (!at)
		return leaf;
	if (leaf->record->key < at->record->key)
		at->left = tree_insert(at->left, leaf);
	else
		at->right = tree_insert(at->right, leaf);
	return at;
}

FUNCTION uint32_t tree_sum(const struct node *at)
{
	if (!at)
		return 0;
	return tree_sum(at->left) + at->record->value + tree_sum(at->right);
}

FUNCTION void index_records(struct work *w)
{
	struct node *root = NULL;

	for (uint32_t i = 0; i < w->count; i++) {
		w->nodes[i] = (struct node){ .record = &w->records[i] };
		root = tree_insert(root, &w->nodes[i]);
	}
	w->total += tree_sum(root);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

FUNCTION int run_round(struct work *w)
{
	if (read_records(w) < 0)
		return -1;
	check_input(w);
	index_records(w);
	sort_records(w);
	check_output(w);
	return 0;
}

int main(int argc, char **argv)
{
	static struct work w;
	double seconds = argc > 1 ? atof(argv[1]) : 2;
	unsigned rounds = 0;

	w.source = open("/dev/urandom", O_RDONLY);
	if (w.source < 0) {
		perror("demo: /dev/urandom");
		return 1;
	}
	for (; cpu_seconds() < seconds; rounds++)
		if (run_round(&w) < 0) {
			perror("demo: /dev/urandom");
			return 1;
		}
	close(w.source);
	printf("demo: %u rounds in %.2f s of CPU time, total %u\n", rounds, cpu_seconds(),
	       w.total);
	return 0;
}
