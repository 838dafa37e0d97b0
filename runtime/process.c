/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ADDRESSES_SHARE = 16 }; /* of those that are limited */

static const char *folder;
static struct channel_head *ancestor; /* of this process, or the last one with a file */
static unsigned generations;
static bool ticks;      /* times are counted in them */
static ino_t namespace; /* of collect's process ids; 0: not known */

/* ---- the FIFO ---- */

/* If it is full, collect is awake. */
void process_wake(char why)
{
	char path[PROCESS_PATH_ROOM];
	ssize_t written;
	int fd;

	snprintf(path, sizeof(path), "%s/" CHANNEL_WAKE, folder);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	written = write(fd, &why, 1);
	(void)written;
	close(fd);
}

/* ---- a process's file ---- */

static size_t size_of(uint32_t slots)
{
	return CHANNEL_EVENTS_AT + (size_t)slots * CHANNEL_SLOT_BYTES;
}

/* A limit on files must not cost a signal, and one on addresses leaves them to the program. */
static uint32_t slots_allowed(void)
{
	struct rlimit files, addresses;
	uint32_t slots = CHANNEL_SLOTS;

	if (getrlimit(RLIMIT_FSIZE, &files) < 0 || getrlimit(RLIMIT_AS, &addresses) < 0)
		return 0;
	while (slots > 1 && addresses.rlim_cur != RLIM_INFINITY &&
	       addresses.rlim_cur / ADDRESSES_SHARE < (rlim_t)size_of(slots))
		slots /= 2;
	while (slots && files.rlim_cur != RLIM_INFINITY &&
	       files.rlim_cur < (rlim_t)size_of(slots))
		slots /= 2;
	return slots;
}

static int create_file(struct writer_process *p)
{
	int fd = -1;

	for (unsigned i = 0; fd < 0 && i < 1000; i++) {
		snprintf(p->path, sizeof(p->path), "%s/%ld-%u", folder, (long)getpid(),
			 i);
		fd = open(p->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			  0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static void place(struct writer_process *p, char *file)
{
	p->file = file;
	p->head = (struct channel_head *)(void *)file;
	p->names = file + CHANNEL_NAMES_AT;
	p->slots = (struct channel_slot *)(void *)(file + CHANNEL_SLOTS_AT);
	p->tails = (uint64_t *)(void *)(file + CHANNEL_TAILS_AT);
}

/* The file has room for all but the events, and addresses for those of one slot. */
static bool map_file(struct writer_process *p, int fd)
{
	const size_t size = size_of(1);
	char *memory;

	p->slots_max = slots_allowed();
	if (!p->slots_max || fallocate(fd, 0, 0, CHANNEL_EVENTS_AT) ||
	    ftruncate(fd, (off_t)size_of(p->slots_max)))
		return false;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return false;
	madvise(memory + CHANNEL_NAMES_AT, size - CHANNEL_NAMES_AT, MADV_DONTFORK);
	madvise(memory, size, MADV_DONTDUMP);
	place(p, memory);
	atomic_store(&p->events[0], memory + CHANNEL_EVENTS_AT);
	return true;
}

/* A container has ids that others have outside it. */
static bool is_foreign(void)
{
	struct stat st;

	return !namespace || stat("/proc/self/ns/pid", &st) < 0 || st.st_ino != namespace;
}

static bool start_file(struct writer_process *p)
{
	int fd = create_file(p);

	if (fd < 0)
		return false;
	if (!map_file(p, fd)) {
		unlink(p->path);
		close(fd);
		return false;
	}
	close(fd);
	p->head->pid = (uint32_t)getpid();
	p->head->foreign = is_foreign();
	p->head->clock = ticks ? CHANNEL_TICKS : CHANNEL_NS;
	p->head->names = 1; /* 0 is CHANNEL_NO_NAME */
	__atomic_store_n(&p->head->magic, CHANNEL_MAGIC, __ATOMIC_RELEASE);
	ancestor = p->head;
	return true;
}

/* A child that gave up its rights cannot even wake collect; its parent's file is mapped. */
static void say_that_there_is_none(void)
{
	if (ancestor)
		__atomic_fetch_add(&ancestor->fileless, 1, __ATOMIC_RELAXED);
	else
		process_wake(CHANNEL_HAS_NO_FILE);
}

bool process_start(struct writer_process *p)
{
	unsigned stage = PROCESS_NEW;
	int error = errno;

	if (!atomic_compare_exchange_strong(&p->stage, &stage, PROCESS_STARTING))
		return stage == PROCESS_READY;
	p->generation = ++generations;
	stage = start_file(p) ? PROCESS_READY : PROCESS_OFF;
	atomic_store(&p->stage, stage);
	if (stage == PROCESS_OFF)
		say_that_there_is_none();
	errno = error;
	return stage == PROCESS_READY;
}

/* ---- the events of a slot ---- */

/*
 * Maps them without the file, which the process may no longer be able to open: mremap(2) of
 * no bytes copies a shared mapping, which may go on behind the old one's end.  It begins in
 * the last page of the nearest slot that is mapped.  The copy is as the old one in a fork.
 */
static char *map_events(const struct writer_process *p, uint32_t slot)
{
	const uintptr_t in_page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
	uint32_t near = slot - 1; /* the first one always is */
	size_t before, spare;
	char *end, *memory;

	while (!atomic_load(&p->events[near]))
		near--;
	end = atomic_load(&p->events[near]) + CHANNEL_SLOT_BYTES;
	before = (((uintptr_t)end - 1) & in_page) + 1 +
		 (size_t)(slot - near - 1) * CHANNEL_SLOT_BYTES;
	spare = before & ~in_page;
	memory = mremap(end - (((uintptr_t)end - 1) & in_page) - 1, 0,
			before + CHANNEL_SLOT_BYTES, MREMAP_MAYMOVE);
	if (memory == MAP_FAILED)
		return NULL;
	if (spare)
		munmap(memory, spare);
	return memory + before;
}

struct channel_event *process_events(struct writer_process *p, uint32_t slot)
{
	char *events = atomic_load(&p->events[slot]);

	if (!events) {
		events = map_events(p, slot);
		atomic_store(&p->events[slot], events);
	}
	return (struct channel_event *)(void *)events;
}

/* ---- forks in the midst of a call ---- */

/* Before Linux 4.17 the address is a hint, and followed too, as nothing is there. */
static void fill_hole(char *at, size_t size)
{
	void *memory = mmap(at, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (memory != MAP_FAILED && memory != at)
		munmap(memory, size);
}

/* The parent's is shared: what is counted there would be missing to the parent. */
static struct channel_head *other_head(void)
{
	struct channel_head *head = mmap(NULL, sizeof(*head), PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (head == MAP_FAILED)
		return NULL;
	head->names = 1;
	return head;
}

/* The child's own children may return to the call, too. */
void process_stand_in(struct writer_process *p, char *file, char *events)
{
	struct channel_head *head;

	fill_hole(file + CHANNEL_NAMES_AT, CHANNEL_EVENTS_AT - CHANNEL_NAMES_AT);
	if (events)
		fill_hole(events, CHANNEL_SLOT_BYTES);
	place(p, file);
	head = other_head();
	if (head)
		p->head = head;
	madvise(p, sizeof(*p), MADV_KEEPONFORK);
}

/* ---- the start ---- */

bool process_init(bool counts_ticks)
{
	const char *number = secure_getenv(CHANNEL_NAMESPACE);

	ticks = counts_ticks;
	namespace = number ? strtoull(number, NULL, 10) : 0;
	folder = secure_getenv(CHANNEL_FOLDER);
	if (!folder || !*folder || strlen(folder) > PROCESS_PATH_ROOM - 32)
		return false;
	folder = strdup(folder); /* the program may change its environment */
	return folder != NULL;
}

struct writer_process *process_make(void)
{
	struct writer_process *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (madvise(p, sizeof(*p), MADV_WIPEONFORK)) {
		munmap(p, sizeof(*p));
		return NULL;
	}
	return p;
}
