/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process's file of events: read in order, in parts and around the end of its room; and
 * with random damage, after which whatever is read is within bounds.
 */
#include "region/channel_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/xalloc.h"
#include "t/unit/random.h"
#include "t/unit/scratch.h"
#include "t/unit/tap.h"

enum { SLOTS = 2, BYTES = CHANNEL_EVENTS_AT + SLOTS * CHANNEL_SLOT_BYTES };

static const struct tick_clock no_clock;
static char *bytes; /* of the file, as the process has them */

static struct channel_head *head_of(void)
{
	return (struct channel_head *)(void *)bytes;
}

static struct channel_slot *slot_of(size_t slot)
{
	return (struct channel_slot *)(void *)(bytes + CHANNEL_SLOTS_AT) + slot;
}

static struct channel_event *events_of(size_t slot)
{
	return (struct channel_event *)(void *)(bytes + CHANNEL_EVENTS_AT +
						slot * CHANNEL_SLOT_BYTES);
}

/* COUNT more events, whose times and values count up. */
static void write_events(size_t slot, uint64_t count)
{
	struct channel_slot *s = slot_of(slot);

	for (; count; count--, s->head++)
		events_of(slot)[s->head % CHANNEL_EVENTS] = (struct channel_event){
			s->head, CHANNEL_BEGIN, (uint32_t)s->head
		};
}

struct taken {
	uint64_t events[SLOTS], wrong, bad_names;
};

static int take(void *ctx, struct channel_file *file, uint32_t slot,
		const struct channel_event *event)
{
	struct taken *taken = ctx;
	struct strbuf name = { 0 };
	uint32_t domain;

	if (slot < SLOTS)
		taken->wrong += event->value != taken->events[slot]++;
	if (!channel_file_name(file, event->value, &domain, &name) &&
	    name.len > CHANNEL_NAME_MAX)
		taken->bad_names++;
	strbuf_release(&name);
	return 0;
}

static void reset(void)
{
	memset(bytes, 0, BYTES);
	head_of()->magic = CHANNEL_MAGIC;
	head_of()->pid = 7;
	head_of()->slots = SLOTS;
}

static void test_whole(const char *root, int dir)
{
	struct channel_file file = { .name = xstrdup("7-0") };
	struct taken taken = { 0 };
	struct strbuf back = { 0 };

	reset();
	write_events(0, CHANNEL_EVENTS);
	write_events(1, 5);
	slot_of(1)->lost = 3;
	head_of()->lost = 4;
	scratch_write(root, "7-0", bytes, BYTES);
	is_i64(channel_file_read(&file, dir, &no_clock, 999, take, &taken), 0,
	       "a file is read");
	is_u64(taken.events[0], 1000, "… up to a time");
	is_i64(channel_file_read(&file, dir, &no_clock, UINT64_MAX, take, &taken), 0,
	       "… and again");
	is_u64(taken.events[0], CHANNEL_EVENTS, "… the rest");
	is_u64(taken.events[1], 5, "… of each slot");
	is_u64(channel_file_lost(&file), 7, "… with what was lost");
	scratch_read(root, "7-0", &back);
	is_u64(((uint64_t *)(void *)(back.data + CHANNEL_TAILS_AT))[0], CHANNEL_EVENTS,
	       "the process has its room back");
	write_events(0, 10);
	scratch_write(root, "7-0", bytes, BYTES);
	is_i64(channel_file_read(&file, dir, &no_clock, UINT64_MAX, take, &taken), 0,
	       "… and goes around");
	is_u64(taken.events[0], CHANNEL_EVENTS + 10, "… its events are new ones");
	is_u64(taken.wrong, 0, "all in their order");
	strbuf_release(&back);
	channel_file_release(&file);
}

/* More than one reading takes; the first slot is full again each time. */
static void test_parts(const char *root, int dir)
{
	static const struct {
		uint64_t first, second;
		bool behind;
	} want[] = { { 600, 0, true },
		     { 1000, 200, true },
		     { 1000, 800, true },
		     { 1400, 1000, true },
		     { 2000, 1000, false } };
	struct channel_file file = { .name = xstrdup("9-0"), .most = 600 };
	struct taken taken = { 0 };

	reset();
	write_events(0, 1000);
	write_events(1, 1000);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		if (i == 2)
			write_events(0, 1000);
		scratch_write(root, "9-0", bytes, BYTES);
		ok(!channel_file_read(&file, dir, &no_clock, UINT64_MAX, take, &taken) &&
			   taken.events[0] == want[i].first &&
			   taken.events[1] == want[i].second &&
			   file.behind == want[i].behind,
		   "reading %zu: %" PRIu64 " and %" PRIu64, i, taken.events[0],
		   taken.events[1]);
	}
	is_u64(taken.wrong, 0, "all in their order");
	channel_file_release(&file);
}

static int refuse(void *ctx, struct channel_file *file, uint32_t slot,
		  const struct channel_event *event)
{
	struct taken *taken = ctx;

	(void)file;
	(void)event;
	return ++taken->events[slot] == 3 ? -EBADMSG : 0;
}

static void test_refused(const char *root, int dir)
{
	struct channel_file file = { .name = xstrdup("9-1") };
	struct taken taken = { 0 };

	reset();
	write_events(0, 1000);
	write_events(1, 1000);
	scratch_write(root, "9-1", bytes, BYTES);
	is_i64(channel_file_read(&file, dir, &no_clock, UINT64_MAX, refuse, &taken),
	       -EBADMSG, "what is no event ends the reading");
	is_u64(taken.events[0], 3, "… at once");
	is_u64(taken.events[1], 0, "… of all slots");
	channel_file_release(&file);
}

static void test_damaged(const char *root, int dir)
{
	uint64_t state = RANDOM_SEED, most = 0, bad_names = 0, refused = 0;

	for (int i = 0; i < 1500; i++) {
		struct channel_file file = { .name = xstrdup("8-0") };
		struct taken taken = { 0 };
		size_t len = BYTES;

		reset();
		write_events(0, random_below(&state, 3000));
		write_events(1, random_below(&state, 3));
		for (uint32_t n = random_below(&state, 6); n; n--) {
			const uint32_t at[] = {
				random_below(&state, 48),
				CHANNEL_NAMES_AT + random_below(&state, 4096),
				CHANNEL_SLOTS_AT + random_below(&state, 256),
			};

			bytes[at[random_below(&state, 3)]] = (char)random_next(&state);
		}
		if (!random_below(&state, 3))
			len = random_below(&state, BYTES);
		scratch_write(root, "8-0", bytes, len);
		refused += channel_file_read(&file, dir, &no_clock, UINT64_MAX, take,
					     &taken) != 0;
		for (int s = 0; s < SLOTS; s++)
			most = taken.events[s] > most ? taken.events[s] : most;
		bad_names += taken.bad_names;
		channel_file_release(&file);
	}
	ok(most <= CHANNEL_EVENTS, "no slot has more events than room");
	is_u64(bad_names, 0, "no name is longer than the longest");
	ok(refused > 100 && refused < 1400, "%zu of 1500 are refused", (size_t)refused);
}

static void test_strange(const char *root, int dir)
{
	static const char *const names[] = { "folder", "link", "second", "none" };
	char *target = xasprintf("%s/second", root),
	     *link_to = xasprintf("%s/link", root);
	char *other = xasprintf("%s/other", root);

	reset();
	scratch_write(root, "folder/x", "", 0);
	scratch_write(root, "second", bytes, BYTES);
	if (symlink("second", link_to) || link(target, other))
		exit(99);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct channel_file file = { .name = xstrdup(names[i]) };
		struct taken taken = { 0 };

		ok(channel_file_read(&file, dir, &no_clock, UINT64_MAX, take, &taken) < 0,
		   "%s is no file of a process", names[i]);
		channel_file_release(&file);
	}
	free(target);
	free(link_to);
	free(other);
}

int main(void)
{
	char *root = scratch_make();
	int dir = folder_open(root);

	bytes = xcalloc(1, BYTES);
	test_whole(root, dir);
	test_parts(root, dir);
	test_refused(root, dir);
	test_damaged(root, dir);
	test_strange(root, dir);
	close(dir);
	free(bytes);
	scratch_remove(root);
	return done_testing();
}
