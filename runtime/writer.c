/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define NO_SLOT UINT32_MAX

enum {
	HASHED = 1 << 13,
	PROBES = 64,
	PATH_ROOM = 512,
	CHUNKS = 16, /* of a slot's events, in which they get memory */
	CHUNK_EVENTS = CHANNEL_EVENTS / CHUNKS,
	CHUNK_BYTES = CHANNEL_SLOT_BYTES / CHUNKS,
};

enum stage { STAGE_NONE, STAGE_STARTING, STAGE_READY, STAGE_OFF };

/* Zero in a forked child. */
struct writer_process {
	atomic_uint stage;
	unsigned generation; /* differs from those of ancestors */
	char *file;          /* mapped: */
	struct channel_head *head;
	char *names;
	struct channel_slot *slots;
	uint64_t *tails;
	uint32_t slots_max; /* for which there are addresses */
	char path[PATH_ROOM];
	atomic_uint hashed[HASHED];         /* names */
	atomic_uchar chunks[CHANNEL_SLOTS]; /* of its events, that have memory */
	atomic_uchar free[CHANNEL_SLOTS];   /* its thread has ended */
	atomic_uint freed;                  /* how often one did */
};

struct writer_process *writer_process;
const unsigned *writer_generation;
bool writer_may_tick;
__thread struct writer_thread *writer_self __attribute__((tls_model("initial-exec")));

static const char *folder;
static struct channel_head *ancestor; /* of this process, or the last one with a file */
static unsigned generations;
static pthread_key_t at_exit;

static void add(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

void writer_lose(void)
{
	const struct writer_process *p = writer_process;

	if (atomic_load(&p->stage) == STAGE_READY)
		add(&p->head->lost);
}

void writer_count_unnamed(void)
{
	const struct writer_process *p = writer_process;

	if (atomic_load(&p->stage) == STAGE_READY)
		add(&p->head->unnamed);
}

/* ---- the FIFO ---- */

/* If it is full, collect is awake. */
static void wake(char why)
{
	char path[PATH_ROOM];
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

/* Those that a limit on files allows: it must not cost a signal. */
static uint32_t slots_allowed(void)
{
	struct rlimit limit;
	uint32_t slots = CHANNEL_SLOTS;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 0;
	while (slots && limit.rlim_cur != RLIM_INFINITY &&
	       limit.rlim_cur < (rlim_t)size_of(slots))
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

/* The file has room for all but the events, and addresses for as many slots as it can. */
static bool map_file(struct writer_process *p, int fd)
{
	for (uint32_t slots = slots_allowed(); slots; slots /= 2) {
		void *memory;

		if (fallocate(fd, 0, 0, CHANNEL_EVENTS_AT) ||
		    ftruncate(fd, (off_t)size_of(slots)))
			return false;
		memory = mmap(NULL, size_of(slots), PROT_READ | PROT_WRITE, MAP_SHARED,
			      fd, 0);
		if (memory == MAP_FAILED)
			continue; /* a limit on addresses */
		madvise((char *)memory + CHANNEL_NAMES_AT,
			size_of(slots) - CHANNEL_NAMES_AT, MADV_DONTFORK);
		madvise(memory, size_of(slots), MADV_DONTDUMP);
		p->file = memory;
		p->slots_max = slots;
		return true;
	}
	return false;
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
	p->head = (struct channel_head *)(void *)p->file;
	p->names = p->file + CHANNEL_NAMES_AT;
	p->slots = (struct channel_slot *)(void *)(p->file + CHANNEL_SLOTS_AT);
	p->tails = (uint64_t *)(void *)(p->file + CHANNEL_TAILS_AT);
	p->head->pid = (uint32_t)getpid();
	p->head->clock = writer_may_tick ? CHANNEL_TICKS : CHANNEL_NS;
	p->head->names = 1; /* 0 is CHANNEL_NO_NAME */
	__atomic_store_n(&p->head->magic, CHANNEL_MAGIC, __ATOMIC_RELEASE);
	ancestor = p->head;
	return true;
}

/* A child that gave up its rights cannot even wake collect; its parent's file is mapped. */
static void say_that_there_is_none(void)
{
	if (ancestor)
		add(&ancestor->fileless);
	else
		wake(CHANNEL_HAS_NO_FILE);
}

/* Whether the process has a file. */
static bool start(struct writer_process *p)
{
	unsigned stage = STAGE_NONE;
	int error = errno;

	if (!atomic_compare_exchange_strong(&p->stage, &stage, STAGE_STARTING))
		return stage == STAGE_READY;
	p->generation = ++generations;
	stage = start_file(p) ? STAGE_READY : STAGE_OFF;
	atomic_store(&p->stage, stage);
	if (stage == STAGE_OFF)
		say_that_there_is_none();
	errno = error;
	return stage == STAGE_READY;
}

/* ---- a thread ---- */

static struct channel_event *events_of(const struct writer_process *p, uint32_t slot)
{
	return (struct channel_event *)(void *)(p->file + size_of(slot));
}

/* Before Linux 5.14 by the file, which must still be at its path. */
static bool allocate(const struct writer_process *p, const char *chunk)
{
	int fd = open(p->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	bool done = fd >= 0 && !fallocate(fd, 0, chunk - p->file, CHUNK_BYTES);

	if (fd >= 0)
		close(fd);
	return done;
}

/* A write to memory that there is none for would end the program. */
bool writer_populate(struct writer_thread *t, uint64_t until)
{
	struct writer_process *p = writer_process;
	const int error = errno;
	bool done = true;

	while (done && t->ready < until) {
		const unsigned chunks = atomic_load(&p->chunks[t->index]);
		char *chunk = (char *)t->events + (size_t)chunks * CHUNK_BYTES;

		done = chunks == CHUNKS ||
		       !madvise(chunk, CHUNK_BYTES, MADV_POPULATE_WRITE) ||
		       (errno == EINVAL && allocate(p, chunk));
		if (done && chunks < CHUNKS)
			atomic_store(&p->chunks[t->index], (unsigned char)(chunks + 1));
		if (done)
			t->ready = chunks >= CHUNKS - 1
					   ? UINT64_MAX
					   : (uint64_t)(chunks + 1) * CHUNK_EVENTS;
	}
	errno = error;
	return done;
}

/* Whether collect has read enough of it for another thread. */
static bool is_read(const struct writer_process *p, uint32_t slot)
{
	const uint64_t head = __atomic_load_n(&p->slots[slot].head, __ATOMIC_RELAXED),
		       tail = __atomic_load_n(&p->tails[slot], __ATOMIC_ACQUIRE);

	return head - tail < CHANNEL_EVENTS / 2;
}

/* A slot whose thread has ended; NO_SLOT: there is none. */
static uint32_t take_free(struct writer_process *p)
{
	uint32_t slots = __atomic_load_n(&p->head->slots, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < slots && i < p->slots_max; i++) {
		unsigned char is = 1;

		if (atomic_load_explicit(&p->free[i], memory_order_relaxed) &&
		    is_read(p, i) && atomic_compare_exchange_strong(&p->free[i], &is, 0))
			return i;
	}
	return NO_SLOT;
}

/* One that no thread had. */
static uint32_t take_new(struct writer_process *p)
{
	uint32_t slots = __atomic_load_n(&p->head->slots, __ATOMIC_RELAXED);

	while (slots < p->slots_max)
		if (__atomic_compare_exchange_n(&p->head->slots, &slots, slots + 1, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return slots;
	return NO_SLOT;
}

static void give_back(struct writer_process *p, uint32_t slot)
{
	atomic_store(&p->free[slot], 1);
	atomic_fetch_add(&p->freed, 1);
}

/* At its first event; and when another thread has left its slot, if there was none. */
static void take_slot(struct writer_process *p, struct writer_thread *t)
{
	const unsigned freed = atomic_load(&p->freed);
	uint32_t slot;

	if (t->slots_freed == freed + 1)
		return;
	slot = take_free(p);
	if (slot == NO_SLOT)
		slot = take_new(p);
	if (slot == NO_SLOT) {
		t->slots_freed = freed + 1;
		return;
	}
	t->index = slot;
	t->tail_of_slot = &p->tails[slot];
	t->events = events_of(p, slot);
	t->head = p->slots[slot].head;
	t->tail = __atomic_load_n(t->tail_of_slot, __ATOMIC_ACQUIRE);
	t->ready = 0;
	if (!writer_populate(t, t->head + 2)) {
		atomic_store(&p->free[slot],
			     1); /* without saying so: it would fail again */
		t->slots_freed = freed + 1;
		return;
	}
	t->slot = &p->slots[slot];
	writer_put(t, writer_now(), CHANNEL_THREAD, (uint32_t)syscall(SYS_gettid));
}

/* The thread ends; a destructor that runs later makes it anew. */
static void leave(void *value)
{
	struct writer_thread *t = value;
	struct writer_process *p = writer_process;

	if (t->slot && t->generation == p->generation) {
		t->promised = 0;
		if (writer_has_room(t, 0))
			writer_put(t, writer_now(), CHANNEL_LEAVE, 0);
		give_back(p, t->index);
	}
	writer_self = NULL;
	munmap(t, sizeof(*t));
}

static struct writer_thread *make_thread(void)
{
	struct writer_thread *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		return NULL;
	if (pthread_setspecific(at_exit, t)) {
		munmap(t, sizeof(*t));
		return NULL;
	}
	return t;
}

/* A signal's handler may come here in the midst of it: then its thread is made already. */
struct writer_thread *writer_join(void)
{
	struct writer_process *p = writer_process;
	const int error = errno;
	struct writer_thread *t;

	if (!start(p))
		return NULL;
	if (!writer_self && (t = make_thread())) {
		if (writer_self)
			munmap(t, sizeof(*t));
		else
			writer_self = t;
	}
	t = writer_self;
	if (t && (!t->inside || t->generation != p->generation)) {
		if (t->generation != p->generation) /* it was forked: nothing is open */
			*t = (struct writer_thread){ .ignored = t->ignored,
						     .generation = p->generation };
		t->inside = true;
		atomic_signal_fence(memory_order_seq_cst);
		if (!t->slot)
			take_slot(p, t);
		atomic_signal_fence(memory_order_seq_cst);
		t->inside = false;
	}
	errno = error;
	return t;
}

/* ---- names ---- */

static uint32_t hash_of(uint32_t domain, const char *name, uint32_t *len)
{
	uint32_t hash = 2166136261u ^ domain * 2654435761u, n = 0;

	for (; n < CHANNEL_NAME_MAX && name[n]; n++)
		hash = (hash ^ (unsigned char)name[n]) * 16777619u;
	*len = n;
	return hash ^ hash >> 15;
}

static bool is_name(const struct writer_process *p, uint32_t name, uint32_t domain,
		    const char *text)
{
	const struct channel_name *n =
		(const struct channel_name *)(const void *)(p->names + (size_t)name * 8);

	return n->domain == domain && !strncmp(n->text, text, CHANNEL_NAME_MAX);
}

/*
 * Writes a name that nobody knows yet, if it ends below LIMIT; CHANNEL_NO_NAME: there is no
 * room.
 */
static uint32_t write_name(struct writer_process *p, uint32_t domain, const char *text,
			   uint32_t len, uint64_t limit)
{
	const uint64_t units = (sizeof(struct channel_name) + len + 1 + 7) / 8;
	uint64_t at = __atomic_load_n(&p->head->names, __ATOMIC_RELAXED);
	struct channel_name *name;

	do
		if (at + units > limit)
			return CHANNEL_NO_NAME;
	while (!__atomic_compare_exchange_n(&p->head->names, &at, at + units, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	name = (struct channel_name *)(void *)(p->names + at * 8);
	name->len = len;
	name->domain = domain;
	memcpy(name->text, text, len);
	name->text[len] = '\0';
	return (uint32_t)at;
}

static uint32_t find_name(struct writer_process *p, uint32_t domain, const char *text,
			  uint64_t limit)
{
	uint32_t len, hash = hash_of(domain, text, &len), written = CHANNEL_NO_NAME;

	for (uint32_t i = 0; i < PROBES; i++) {
		atomic_uint *entry = &p->hashed[(hash + i) % HASHED];
		unsigned name = atomic_load_explicit(entry, memory_order_acquire);

		if (!name) {
			if (!written)
				written = write_name(p, domain, text, len, limit);
			if (!written ||
			    atomic_compare_exchange_strong(entry, &name, written))
				return written;
		}
		if (is_name(p, name, domain, text))
			return name;
	}
	return CHANNEL_NO_NAME;
}

/* A pointer may have another text by now, so it is compared. */
uint32_t writer_name(struct writer_thread *t, uint32_t domain, const char *text)
{
	const uintptr_t key = (uintptr_t)text + domain;
	struct cached_name *cached = &t->cache[(key ^ key >> 6) % WRITER_CACHED];
	struct writer_process *p = writer_process;

	if (cached->pointer == text && cached->domain == domain &&
	    is_name(p, cached->name, domain, text))
		return cached->name;
	*cached = (struct cached_name){ NULL, domain,
					find_name(p, domain, text, CHANNEL_NAMES) };
	if (cached->name != CHANNEL_NO_NAME)
		cached->pointer = text;
	return cached->name;
}

uint32_t writer_text(const char *text)
{
	return find_name(writer_process, CHANNEL_NO_NAME, text, CHANNEL_NAMES / 2);
}

/* ---- requests ---- */

void writer_request(enum channel_request request, const char *name)
{
	struct writer_process *p = writer_process;
	const uint64_t time = writer_now();
	const int error = errno;
	struct channel_control *control;
	uint64_t number;

	if (!p || !start(p))
		return;
	number = __atomic_add_fetch(&p->head->controls, 1, __ATOMIC_RELAXED);
	control = &p->head->control[number % CHANNEL_CONTROLS];
	__atomic_store_n(&control->number, 0, __ATOMIC_RELEASE);
	control->time = time;
	control->request = request;
	control->name = name ? find_name(p, CHANNEL_NO_NAME, name, CHANNEL_NAMES)
			     : CHANNEL_NO_NAME;
	__atomic_store_n(&control->number, number, __ATOMIC_RELEASE);
	wake(CHANNEL_ASKS);
	errno = error;
}

/* ---- the start ---- */

void writer_init(void)
{
	struct writer_process *p;

	folder = secure_getenv(CHANNEL_FOLDER);
	if (!folder || !*folder || strlen(folder) > PATH_ROOM - 32)
		return;
#ifdef CHANNEL_CLOCKSOURCE
	writer_may_tick = secure_getenv(CHANNEL_MAY_TICK) != NULL;
#endif
	folder = strdup(folder); /* the program may change its environment */
	if (!folder || pthread_key_create(&at_exit, leave))
		return;
	p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	if (p == MAP_FAILED)
		return;
	if (madvise(p, sizeof(*p), MADV_WIPEONFORK)) {
		munmap(p, sizeof(*p));
		return;
	}
	start(p);
	writer_generation = &p->generation;
	writer_process = p;
}
