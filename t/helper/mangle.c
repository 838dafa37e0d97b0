/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mangle FILE CUTS CHANGES: imports a perf.data file cut at CUTS places and with CHANGES
 * random changes of a byte each, and of some bytes each, always the same ones.  It fails
 * if an import does not end, or takes more than SECONDS_MAX of CPU time; a sanitizer ends
 * it at a read out of bounds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

#define SECONDS_MAX 60.0 /* a slow machine's sanitizers take one */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static double slowest;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* An exact copy, so that a sanitizer sees what reads on. */
static void try(const struct strbuf *file, size_t len, const char *what, unsigned i)
{
	double start = now(), took;

	LLVMFuzzerTestOneInput((const uint8_t *)file->data, len);
	took = now() - start;
	if (took > slowest)
		slowest = took;
	if (took < SECONDS_MAX)
		return;
	printf("%s %u takes %.1f s\n", what, i, took);
	exit(1);
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Changes from one to eight bytes, and undoes it. */
static void change(struct strbuf *file, uint64_t *state, unsigned i)
{
	char *saved = xmalloc(file->len);
	unsigned count = 1 + (unsigned)(i % 8);

	memcpy(saved, file->data, file->len);
	while (count--)
		file->data[next(state) % file->len] = (char)next(state);
	try(file, file->len, "change", i);
	memcpy(file->data, saved, file->len);
	free(saved);
}

int main(int argc, char **argv)
{
	uint64_t state = 20260101;
	struct strbuf file = { 0 };
	struct rusage usage;
	unsigned cuts, changes;

	if (argc != 4 || file_read(argv[1], SIZE_MAX, &file) || !file.len) {
		fprintf(stderr, "usage: mangle FILE CUTS CHANGES\n");
		return 2;
	}
	cuts = (unsigned)strtoul(argv[2], NULL, 10);
	changes = (unsigned)strtoul(argv[3], NULL, 10);
	for (unsigned i = 0; i < cuts; i++)
		try(&file, file.len * i / cuts, "cut", i);
	for (unsigned i = 0; i < changes; i++)
		change(&file, &state, i);
	getrusage(RUSAGE_SELF, &usage);
	printf("%u cuts, %u changes, slowest %.3f s, %ld kB\n", cuts, changes, slowest,
	       usage.ru_maxrss);
	strbuf_release(&file);
	return 0;
}
