/* SPDX-License-Identifier: Apache-2.0 */
/* Which samples have a hole in their stack, and how it is read; in this process. */
#include "stack/stack_holes.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "stack/hole_read.h"
#include "tap.h"

enum { PAGE = 4096, ROOM = 8192, PAGES = 8 };

static const struct {
	const char *what;
	uint64_t sp, len;
	bool faulting;
	uint64_t want;
} rows[] = {
	{ "a whole copy", 0x10800, ROOM, false, 0 },
	{ "a copy that ends at a page", 0x10800, 0x800, false, 0x11000 },
	{ "… in a page fault", 0x10800, 0x800, true, 0x11000 },
	{ "one that ends a few words before it", 0x10800, 0x7c0, false, 0x10000 },
	{ "one that ends within a page", 0x10800, 0x400, false, 0 },
	{ "nothing copied: the pointer's own page", 0x10800, 0, false, 0x10000 },
	{ "nothing copied in a page fault", 0x10800, 0, true, 0 },
	{ "a stack pointer of zero", 0, 0, false, 0 },
	{ "a stack pointer at the end of the address space", UINT64_MAX - 7, 8, false,
	  0 },
};

static void test_find(void)
{
	struct stack_holes h;

	stack_holes_init(&h, "", PAGE);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct record_sample s = { .stack_len = rows[i].len,
						 .stack_room = ROOM };

		is_u64(stack_holes_find(&h, &s, rows[i].sp, rows[i].faulting),
		       rows[i].want, "%s", rows[i].what);
	}
	is_u64(h.count, 0, "the search requests nothing");
	stack_holes_release(&h);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* PAGES pages, only the first used; and behind them one without any access. */
static char *map_stack(void)
{
	size_t page = page_size();
	char *at = mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + PAGES * page, page, PROT_NONE))
		skip_all("no memory");
	madvise(at, (PAGES + 1) * page, MADV_NOHUGEPAGE);
	*(volatile char *)at = 1;
	return at;
}

/* How many of the pages from AT on are present. */
static unsigned present(char *at, size_t pages)
{
	unsigned char there[PAGES] = { 0 };
	unsigned count = 0;

	if (mincore(at, pages * page_size(), there))
		return UINT32_MAX;
	for (size_t i = 0; i < pages; i++)
		count += there[i] & 1;
	return count;
}

/* The resident kilobytes of the mapping at AT. */
static long resident_kb(const char *at)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512], want[32];
	bool inside = false;
	long kb = -1;

	snprintf(want, sizeof(want), "%lx-", (unsigned long)(uintptr_t)at);
	while (f && kb < 0 && fgets(line, sizeof(line), f)) {
		inside |= !strncmp(line, want, strlen(want));
		if (inside && sscanf(line, "Rss: %ld", &kb) != 1)
			kb = -1;
	}
	if (f)
		fclose(f);
	return kb;
}

/* Most kernels map one page of zeros wherever a page is read before it is written. */
static bool reading_allocates(void)
{
	char *at = map_stack();
	const long before = resident_kb(at);

	(void)*(volatile char *)(at + 3 * page_size());
	return resident_kb(at) > before;
}

static uint64_t address(const char *at)
{
	return (uint64_t)(uintptr_t)at;
}

/* False: this process may not be read. */
static bool test_read(void)
{
	size_t page = page_size();
	char *stack = map_stack(), *shared;
	uint64_t sp = address(stack) + 64, hole = address(stack) + 2 * page;
	long before = resident_kb(stack);
	ssize_t got = hole_read("", getpid(), sp, hole, page);

	if (got < 0) {
		skip(9, "this process may not be read");
		return false;
	}
	is_i64(got, PAGES - 2, "all pages from the hole to the stack's end are read");
	is_u64(present(stack, PAGES), PAGES - 1, "they are present, and no others");
	if (reading_allocates())
		skip(1, "this kernel gives each page that is read memory of its own");
	else
		ok(before > 0 && resident_kb(stack) <= before,
		   "but do not count as the process's memory");
	is_i64(stack[3 * page], 0, "and their content is unchanged");
	is_i64(hole_read("", getpid(), hole, hole + PAGES * page, page), 0,
	       "a protected page is not read");
	is_i64(hole_read("", getpid(), sp, address(stack) + PAGES * page, page), 0,
	       "nor a page outside the stack pointer's mapping");
	ok(hole_read("", -1, sp, hole, page) < 0, "a process that has ended");
	shared = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	is_i64(hole_read("", getpid(), address(shared), address(shared), page), 0,
	       "shared memory is no stack");
	is_u64(present(shared, 2), 0, "and is not read");
	munmap(shared, 2 * page);
	munmap(stack, (PAGES + 1) * page);
	return true;
}

/* Waits up to ten minutes for another thread. */
static bool comes(char *at, unsigned want)
{
	for (int i = 0; i < 600000 && present(at, PAGES) != want; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return present(at, PAGES) == want;
}

static void test_mend(void)
{
	size_t page = page_size();
	char *stack = map_stack();
	uint64_t sp = address(stack) + page - 256;
	const struct record_sample cut = { .stack_len = 256, .stack_room = ROOM };
	const struct record_sample whole = { .stack_len = ROOM, .stack_room = ROOM };
	struct stack_holes h;

	stack_holes_init(&h, "", page);
	ok(!stack_holes_mend(&h, &whole, (uint32_t)getpid(), sp, false),
	   "no hole, no request");
	ok(!stack_holes_mend(&h, &cut, (uint32_t)getpid(), sp, false),
	   "the first one may be temporary");
	ok(stack_holes_mend(&h, &cut, (uint32_t)getpid(), sp, false),
	   "a hole is requested");
	is_u64(h.count, 1, "and counted");
	ok(comes(stack, PAGES), "it is read");
	ok(!stack_holes_mend(&h, &cut, (uint32_t)getpid(), sp, false), "and only once");
	ok(!stack_holes_mend(&h, &cut, (uint32_t)getpid(), sp + page, false) &&
		   stack_holes_mend(&h, &cut, (uint32_t)getpid(), sp + page, false),
	   "the next page is another hole");
	ok(!stack_holes_mend(&h, &cut, UINT32_MAX, sp, false) &&
		   stack_holes_mend(&h, &cut, UINT32_MAX, sp, false),
	   "so is the same page of another process");
	stack_holes_release(&h);
	munmap(stack, (PAGES + 1) * page);
}

int main(void)
{
	test_find();
	if (test_read())
		test_mend();
	return done_testing();
}
