/* SPDX-License-Identifier: Apache-2.0 */
#include "region/channel_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

enum {
	CHUNK = 1024,       /* events read at once */
	HEADLESS_MAX = 100, /* readings of a file that its process does not begin */
};

/* The file in our folder, as the first time: a regular one of the user's own. */
static int open_file(struct channel_file *file, int dir, int access)
{
	struct stat st;

	file->fd = openat(dir, file->name,
			  access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0)
		return -errno;
	if (fstat(file->fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    st.st_uid != geteuid() || (file->inode && st.st_ino != file->inode)) {
		close(file->fd);
		return -EBADMSG;
	}
	file->inode = st.st_ino;
	return 0;
}

/* 0, 1: the process is still making it; or negative. */
static int read_head(struct channel_file *file, struct channel_head *head)
{
	int error = file_read_at(file->fd, 0, head, sizeof(*head));

	if (error == -ENODATA || (!error && !head->magic))
		return 1;
	if (error)
		return error;
	if (head->magic != CHANNEL_MAGIC || !head->pid || head->slots > CHANNEL_SLOTS ||
	    (file->pid && file->pid != head->pid) || head->slots < file->slots.len)
		return -EBADMSG;
	file->pid = head->pid;
	file->foreign = head->foreign;
	file->ticks = head->clock == CHANNEL_TICKS;
	file->lost = head->lost;
	file->unnamed = head->unnamed;
	file->fileless = head->fileless;
	return 0;
}

static uint64_t events_at(uint32_t slot)
{
	return CHANNEL_EVENTS_AT + (uint64_t)slot * CHANNEL_SLOT_BYTES;
}

/* How many of MOST events follow one another in the file from the number FIRST on. */
static uint64_t in_one_piece(uint64_t first, uint64_t end, uint64_t most)
{
	uint64_t count = CHANNEL_EVENTS - first % CHANNEL_EVENTS;

	if (count > end - first)
		count = end - first;
	if (count > most)
		count = most;
	return count < CHUNK ? count : CHUNK;
}

/* What the reading of a file needs. */
struct reading {
	struct channel_file *file;
	const struct tick_clock *clock; /* NULL: times are nanoseconds */
	uint64_t until_ns;
	uint64_t left; /* events that it may still take */
	channel_event_fn *take;
	void *ctx;
};

/* Whether its time, which becomes one of CLOCK_MONOTONIC, is no later than the end. */
static bool is_due(const struct reading *r, struct channel_event *event)
{
	if (r->clock)
		event->time = tick_clock_ns(r->clock, event->time);
	return event->time <= r->until_ns;
}

/* Gives TAKE the events of a slot up to the number END, or to UNTIL_NS, or some of them. */
static int read_events(struct reading *r, uint32_t slot, uint64_t end)
{
	struct channel_file *file = r->file;
	struct channel_event events[CHUNK];
	uint64_t *next = &file->slots.data[slot].events;

	while (*next < end && r->left) {
		const uint64_t count = in_one_piece(*next, end, r->left);
		const uint64_t at = events_at(slot) +
				    *next % CHANNEL_EVENTS * sizeof(*events);
		int error = file_read_at(file->fd, at, events, count * sizeof(*events));

		if (error)
			return error;
		for (uint64_t i = 0; i < count && !error; i++) {
			if (events[i].kind != CHANNEL_DATA && !is_due(r, &events[i]))
				return 0;
			error = r->take(r->ctx, file, slot, &events[i]);
			++*next;
			r->left--;
		}
		if (error)
			return error;
	}
	file->behind |= *next < end;
	return 0;
}

/* A short write, or none, only costs the process its room. */
static void give_back(const struct channel_file *file, uint32_t slot)
{
	const uint64_t tail = file->slots.data[slot].events;
	ssize_t written = pwrite(file->fd, &tail, sizeof(tail),
				 (off_t)(CHANNEL_TAILS_AT + slot * sizeof(tail)));

	(void)written;
}

/* HEAD is what the process says of it now. */
static int read_slot(struct reading *r, uint32_t slot, const struct channel_slot *head)
{
	struct channel_file *file = r->file;
	struct channel_slot_read *read = &file->slots.data[slot];
	const uint64_t before = read->events;
	int error;

	read->lost = head->lost;
	read->deep = head->deep;
	if (head->head == before)
		return 0;
	if (head->head - before > CHANNEL_EVENTS)
		return -EBADMSG;
	error = read_events(r, slot, head->head);
	if (!error && read->events != before)
		give_back(file, slot);
	return error;
}

/*
 * The heads of all slots are read at once, before any of their events.  A reading that
 * leaves some goes on there the next time.
 */
static int read_slots(struct reading *r)
{
	struct channel_file *file = r->file;
	const size_t bytes = file->slots.len * sizeof(struct channel_slot),
		     first = file->next_slot;
	struct channel_slot *heads = xcalloc(file->slots.len + 1, sizeof(*heads));
	int error = file_read_at(file->fd, CHANNEL_SLOTS_AT, heads, bytes);

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	file->behind = false;
	for (size_t n = 0; n < file->slots.len && !error && !file->behind; n++) {
		const uint32_t slot = (uint32_t)((first + n) % file->slots.len);

		file->next_slot = slot;
		error = read_slot(r, slot, &heads[slot]);
	}
	if (!file->behind)
		file->next_slot = 0;
	free(heads);
	return error;
}

int channel_file_read(struct channel_file *file, int dir, const struct tick_clock *clock,
		      uint64_t until_ns, channel_event_fn *take, void *ctx)
{
	struct reading r = {
		.file = file,
		.until_ns = until_ns,
		.left = file->most ? file->most : CHANNEL_FILE_READ_MAX,
		.take = take,
		.ctx = ctx,
	};
	struct channel_head head = { 0 };
	uint32_t slots;
	int error = open_file(file, dir, O_RDWR);

	if (error)
		return error;
	error = read_head(file, &head);
	slots = error ? 0 : head.slots;
	if (file->ticks && clock->count > 1)
		r.clock = clock;
	while (file->slots.len < slots)
		*vec_push(&file->slots) = (struct channel_slot_read){ 0 };
	if (!error)
		error = read_slots(&r);
	if (error == 1 && ++file->headless == HEADLESS_MAX)
		error = -EBADMSG;
	file->asks = head.controls > file->controls;
	close(file->fd);
	return error < 0 ? error : 0;
}

/* The newest ones: a process has room for so many. */
static uint64_t oldest_request(const struct channel_file *file, uint64_t controls)
{
	const uint64_t next = file->controls + 1;

	if (controls > CHANNEL_CONTROLS && next < controls - CHANNEL_CONTROLS + 1)
		return controls - CHANNEL_CONTROLS + 1;
	return next;
}

/* One that is still being written is taken the next time. */
static void take_requests(struct channel_file *file, const struct channel_head *head,
			  const struct tick_clock *clock, channel_request_fn *take,
			  void *ctx)
{
	uint64_t n = oldest_request(file, head->controls);

	file->forgotten += n - file->controls - 1;
	file->controls = n - 1;
	for (uint64_t left = head->controls - n + 1; left; left--, n++) {
		struct channel_control control = head->control[n % CHANNEL_CONTROLS];

		if (control.number < n)
			return;
		file->controls = n;
		if (control.number > n) {
			file->forgotten++;
			continue;
		}
		if (file->ticks && clock->count > 1)
			control.time = tick_clock_ns(clock, control.time);
		take(ctx, file, &control);
	}
}

int channel_file_requests(struct channel_file *file, int dir,
			  const struct tick_clock *clock, channel_request_fn *take,
			  void *ctx)
{
	struct channel_head head = { 0 };
	int error = open_file(file, dir, O_RDWR);

	if (error)
		return error;
	error = read_head(file, &head);
	if (!error && head.controls > file->controls)
		take_requests(file, &head, clock, take, ctx);
	file->asks = head.controls > file->controls;
	close(file->fd);
	return error < 0 ? error : 0;
}

int channel_file_name(const struct channel_file *file, uint32_t name, uint32_t *domain,
		      struct strbuf *out)
{
	const uint64_t at = (uint64_t)name * 8;
	struct channel_name head;
	char text[CHANNEL_NAME_MAX];
	int error;

	if (name >= CHANNEL_NAMES || at + sizeof(head) > CHANNEL_NAMES_BYTES)
		return -EBADMSG;
	error = file_read_at(file->fd, CHANNEL_NAMES_AT + at, &head, sizeof(head));
	if (error)
		return error;
	if (head.len > CHANNEL_NAME_MAX ||
	    head.len > CHANNEL_NAMES_BYTES - at - sizeof(head))
		return -EBADMSG;
	error = file_read_at(file->fd, CHANNEL_NAMES_AT + at + sizeof(head), text,
			     head.len);
	if (error)
		return error;
	strbuf_add(out, text, strnlen(text, head.len));
	*domain = head.domain;
	return 0;
}

/* The kernel leases a file for reading only if no descriptor or mapping may write it. */
bool channel_file_is_used(struct channel_file *file, int dir)
{
	bool leased;

	if (open_file(file, dir, O_RDONLY))
		return true;
	leased = !fcntl(file->fd, F_SETLEASE, F_RDLCK);
	if (leased)
		fcntl(file->fd, F_SETLEASE, F_UNLCK);
	close(file->fd);
	return !leased;
}

uint64_t channel_file_lost(const struct channel_file *file)
{
	uint64_t lost = file->lost;

	vec_for_each(const struct channel_slot_read, slot, &file->slots)
		if (__builtin_add_overflow(lost, slot->lost, &lost))
			return UINT64_MAX;
	return lost;
}

uint64_t channel_file_deep(const struct channel_file *file)
{
	uint64_t deep = 0;

	vec_for_each(const struct channel_slot_read, slot, &file->slots)
		if (__builtin_add_overflow(deep, slot->deep, &deep))
			return UINT64_MAX;
	return deep;
}

void channel_file_release(struct channel_file *file)
{
	free(file->name);
	vec_release(&file->slots);
}
