/* SPDX-License-Identifier: Apache-2.0 */
/* libringprof.so: what a recorded program calls, by libcollector.h or through itt.c. */
#include <stddef.h>

#include "runtime/calls.h"
#include "runtime/trigger.h"
#include "runtime/writer.h"

/* A name in a domain; both may be NULL. */
static inline uint32_t name_of(struct writer_thread *t, const char *domain,
			       const char *name)
{
	uint32_t id = domain ? writer_name(t, CHANNEL_NO_NAME, domain) : CHANNEL_NO_NAME;

	return writer_name(t, id, name ? name : "(no name)");
}

/* The same of what has room: one that has no name is counted. */
static uint32_t counted_name_of(struct writer_thread *t, const char *domain,
				const char *name)
{
	const uint32_t id = name_of(t, domain, name);

	if (UNLIKELY(id == CHANNEL_NO_NAME))
		writer_count_unnamed();
	return id;
}

/* ---- regions that nest ---- */

/* Writes a begin, if there is room for its end too. */
static inline bool write_begin(struct writer_thread *t, uint32_t name)
{
	if (UNLIKELY(!writer_has_room(t, 2))) {
		writer_drop(t, 1);
		return false;
	}
	if (UNLIKELY(name == CHANNEL_NO_NAME))
		writer_count_unnamed();
	t->promised++;
	writer_put(t, writer_now(), CHANNEL_BEGIN, name);
	return true;
}

static inline __attribute__((always_inline)) void begin(const char *domain,
							const char *name)
{
	struct writer_thread *t = writer_enter();
	struct writer_region *region;

	if (!t)
		return;
	if (UNLIKELY(t->depth >= CHANNEL_NEST)) {
		t->depth++;
		if (t->slot)
			t->slot->deep++;
	} else {
		region = &t->open[t->depth++];
		region->name = name_of(t, domain, name);
		region->triggers = trigger_is_set && trigger_begin(name);
		region->written = write_begin(t, region->name);
	}
	writer_leave(t);
}

/* Whether a region that is still open triggers. */
static bool is_in_trigger(const struct writer_thread *t)
{
	for (uint32_t i = 0; i < t->depth; i++)
		if (t->open[i].triggers)
			return true;
	return false;
}

/* Closes the innermost one, and those in it; it has a place. */
static inline void close_down_to(struct writer_thread *t, uint32_t depth, uint64_t now,
				 uint32_t value)
{
	const struct writer_region *outer = &t->open[depth];
	bool triggers = false;

	for (uint32_t i = t->depth; i-- > depth;) {
		const struct writer_region *region = &t->open[i];

		triggers |= region->triggers;
		if (region->written)
			t->promised--;
		else
			writer_drop(t, 1);
		if (region->written && (i == depth || !outer->written))
			writer_put(t, now, CHANNEL_END,
				   i == depth ? value : CHANNEL_INNERMOST);
	}
	t->depth = depth;
	if (UNLIKELY(triggers) && !is_in_trigger(t))
		trigger_end();
}

/* An end of nothing is written, too, for the reader to count. */
static void stray(struct writer_thread *t, uint64_t now, uint32_t value)
{
	if (writer_has_room(t, 1))
		writer_put(t, now, CHANNEL_END, value);
	else
		writer_drop(t, 1);
}

static void end_named(struct writer_thread *t, uint64_t now, uint32_t name)
{
	uint32_t depth = t->depth;

	while (depth && t->open[depth - 1].name != name)
		depth--;
	if (depth)
		close_down_to(t, depth - 1, now, name);
	else
		stray(t, now, name);
}

/* Beyond CHANNEL_NEST ends are taken in turn. */
static inline __attribute__((always_inline)) void end(const char *domain,
						      const char *name)
{
	struct writer_thread *t = writer_enter();
	uint64_t now;

	if (!t)
		return;
	now = writer_now();
	if (UNLIKELY(t->depth > CHANNEL_NEST))
		t->depth--;
	else if (name)
		end_named(t, now, name_of(t, domain, name));
	else if (t->depth)
		close_down_to(t, t->depth - 1, now, CHANNEL_INNERMOST);
	else
		stray(t, now, CHANNEL_INNERMOST);
	writer_leave(t);
}

void collector_region_begin(const char *name)
{
	begin(NULL, name);
}

void collector_region_end(const char *name)
{
	end(NULL, name);
}

void regions_begin(const char *domain, const char *name)
{
	begin(domain, name);
}

void regions_end(const char *domain, const char *name)
{
	end(domain, name);
}

/* ---- requests ---- */

void collector_sample(const char *name)
{
	writer_request(CHANNEL_POINT, name);
}

void collector_pause(void)
{
	writer_request(CHANNEL_PAUSE, NULL);
}

void collector_resume(void)
{
	writer_request(CHANNEL_RESUME, NULL);
}

void collector_terminate_expt(void)
{
	writer_request(CHANNEL_TERMINATE, NULL);
}

/* ---- anything else ---- */

/* A time to come would keep all that follows waiting for it.  0: now. */
static uint64_t no_later_than_now(uint64_t time)
{
	const uint64_t now = writer_now();

	return time && time < now ? time : now;
}

/* The data, if there are any, and the event. */
static void say(struct writer_thread *t, const struct saying *saying)
{
	const uint32_t count = saying->type ? 2 : 1;
	uint64_t data = saying->data;
	uint32_t name = CHANNEL_NO_NAME;

	if (!writer_has_room(t, count)) {
		writer_drop(t, 1);
		return;
	}
	if (saying->name)
		name = counted_name_of(t, saying->domain, saying->name);
	if (saying->type == CHANNEL_TEXT)
		data = writer_text(t, saying->text ? saying->text : "(no text)");
	if (saying->type)
		writer_put(t, data, CHANNEL_DATA, saying->type);
	writer_put(t, no_later_than_now(saying->time), saying->kind, name);
}

void regions_say(const struct saying *saying)
{
	struct writer_thread *t = writer_enter();

	if (!t)
		return;
	say(t, saying);
	writer_leave(t);
}

void regions_whole(const char *domain, const char *name, uint64_t begin_time,
		   uint64_t end_time)
{
	struct writer_thread *t = writer_enter();

	if (!t)
		return;
	if (writer_has_room(t, 2)) {
		end_time = no_later_than_now(end_time);
		if (begin_time > end_time)
			begin_time = end_time;
		writer_put(t, begin_time, CHANNEL_SINCE, 0);
		writer_put(t, end_time, CHANNEL_WHOLE, counted_name_of(t, domain, name));
	} else {
		writer_drop(t, 1);
	}
	writer_leave(t);
}

uint64_t regions_written(void)
{
	return writer_self ? writer_self->head : 0;
}

void regions_say_late(const char *domain, const char *name, uint64_t begin_time)
{
	const uint64_t now = writer_now();
	struct writer_thread *t;
	uint32_t id;

	if (now - begin_time < writer_moment())
		return;
	t = writer_enter();
	if (!t)
		return;
	if (writer_has_room(t, 2)) {
		id = counted_name_of(t, domain, name);
		writer_put(t, begin_time, CHANNEL_BEGIN, id);
		writer_put(t, now, CHANNEL_END, CHANNEL_INNERMOST);
	} else {
		writer_drop(t, 2);
	}
	writer_leave(t);
}

void regions_ignore_thread(void)
{
	struct writer_thread *t = writer_enter();

	if (!t)
		return;
	t->ignored = true;
	writer_leave(t);
}

bool regions_are_recorded(void)
{
	return writer_process != NULL;
}

uint64_t regions_now(void)
{
	return writer_now();
}

__attribute__((constructor)) static void load(void)
{
	trigger_init();
	writer_init();
}
