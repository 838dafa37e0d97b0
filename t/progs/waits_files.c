/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of the program waits: files, and pages of memory that are read from them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "waits.h"

enum { FILE_BYTES = 32 << 20, STEP = 1 << 20 };

/* a function's return, and a load of the byte at its argument */
#ifdef __x86_64__
#define RETURN "\xc3"
#define LOAD   "\x8a\x07"
#else
#define RETURN "\xc0\x03\x5f\xd6"
#define LOAD   "\x00\x00\x40\x39"
#endif

static NOINLINE ssize_t in_disk_write(int fd, const char *block)
{
	ssize_t done;

	WAIT(DISK, done = write(fd, block, STEP));
	return done;
}

static NOINLINE void in_disk_sync(int fd)
{
	WAIT(DISK, fsync(fd));
}

static int open_file(const char *file, int flags)
{
	static char block[STEP];
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t done = 0;

	if (fd < 0)
		fail(file);
	for (size_t i = 0; i < STEP; i++)
		block[i] = (char)(i * 2654435761u >> 24);
	for (int i = 0; i < FILE_BYTES / STEP; i++)
		done += in_disk_write(fd, block);
	if (done != FILE_BYTES)
		fail(file);
	in_disk_sync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	fd = open(file, O_RDONLY | flags);
	if (fd < 0)
		fail(file);
	return fd;
}

static NOINLINE void in_disk(int fd, void *buffer, off_t at)
{
	WAIT(DISK, (void)!pread(fd, buffer, STEP, at));
}

void shape_disk(const char *file)
{
	int fd = open_file(file, O_DIRECT);
	void *buffer;

	if (posix_memalign(&buffer, 4096, STEP))
		fail("memory");
	for (off_t at = 0; at < FILE_BYTES; at += STEP)
		in_disk(fd, buffer, at);
	free(buffer);
	unlink(file);
}

static NOINLINE void in_datafault(volatile const char *at)
{
	WAIT(FAULT, (void)*at);
}

void shape_datafault(const char *file)
{
	int fd = open_file(file, 0);
	const char *map = mmap(NULL, FILE_BYTES, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		fail("map");
	madvise((void *)(uintptr_t)map, FILE_BYTES, MADV_RANDOM);
	for (size_t at = 0; at < FILE_BYTES; at += 16384)
		in_datafault(map + at);
	unlink(file);
}

/* Reads the instruction that is there, and comes back. */
static NOINLINE void in_textfault(void (*at)(void))
{
	WAIT(TEXT, at());
}

/* Code that is not in memory, in a file of which the kernel reads all at once. */
static void *map_code(const char *file)
{
	static char code[STEP] = RETURN;
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	void *map;

	if (fd < 0 || in_disk_write(fd, code) != STEP)
		fail(file);
	in_disk_sync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	map = mmap(NULL, STEP, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		fail("map");
	close(fd);
	unlink(file);
	return map;
}

void shape_textfault(const char *file)
{
	for (int i = 0; i < 40; i++)
		in_textfault((void (*)(void))(uintptr_t)map_code(file));
}

/* ---- pages: threads that want some at random, of two files that are taken from memory ---- */

enum {
	PAGE = 4096,
	PAGES = 8192,
	LOAD_AT = 16,
	TRIPLES = 3,
	ROUNDS = 20,
	REST_MS = 4,
	RUN_MS = 30
};

static const char *code, *data;
static atomic_bool rests, ends;

static const char *map_pages(const char *file, int prot, int *fd)
{
	static char page[PAGE] = RETURN;
	const char *map;

	*fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	memcpy(page + LOAD_AT, LOAD RETURN, sizeof(LOAD RETURN) - 1);
	for (int i = 0; i < PAGES; i++)
		if (write(*fd, page, PAGE) != PAGE)
			fail(file);
	fsync(*fd);
	map = mmap(NULL, (size_t)PAGES * PAGE, prot, MAP_PRIVATE, *fd, 0);
	if (map == MAP_FAILED)
		fail("map");
	unlink(file);
	return map;
}

static size_t place(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (size_t)(*seed >> 8) % PAGES * PAGE;
}

static void read_page(unsigned *seed)
{
	(void)*(volatile const char *)(data + place(seed));
}

static void call_page(unsigned *seed)
{
	((void (*)(void))(uintptr_t)(code + place(seed)))();
}

/* The instruction may be missing, and then its data. */
static void call_and_read_page(unsigned *seed)
{
	const char *at = data + place(seed);

	((void (*)(const char *))(uintptr_t)(code + place(seed) + LOAD_AT))(at);
}

static void (*const wants[])(unsigned *seed) = { read_page, call_page,
						 call_and_read_page };

static void *want_pages(void *arg)
{
	unsigned number = *(unsigned *)arg, seed = number + 1;

	while (!ends) {
		while (rests && !ends)
			usleep(1000);
		wants[number % 3](&seed);
	}
	return arg;
}

static void forget(const char *map, int fd)
{
	madvise((void *)(uintptr_t)map, (size_t)PAGES * PAGE, MADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

void shape_pages(const char *file)
{
	pthread_t threads[3 * TRIPLES];
	unsigned numbers[3 * TRIPLES];
	int code_fd, data_fd;

	code = map_pages(file, PROT_READ | PROT_EXEC, &code_fd);
	data = map_pages(file, PROT_READ, &data_fd);
	rests = true;
	for (unsigned i = 0; i < 3 * TRIPLES; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, want_pages, &numbers[i]))
			fail("thread");
	}
	for (int i = 0; i < ROUNDS; i++) {
		rests = true;
		usleep(REST_MS * 1000);
		forget(code, code_fd);
		forget(data, data_fd);
		rests = false;
		usleep(RUN_MS * 1000);
	}
	ends = true;
	for (int i = 0; i < 3 * TRIPLES; i++)
		pthread_join(threads[i], NULL);
}
