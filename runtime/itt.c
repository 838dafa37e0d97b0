/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dynamic part of ITT: programs that are instrumented for Intel's tools load this
 * library (INTEL_LIBITTNOTIFY64), and what they say becomes regions, marks and names of
 * threads.
 *
 * The static part of ITT is in the program, and in each library that was linked with it:
 * each copy calls __itt_api_init with a table of its functions.  We fill in ours by their
 * names; the others get the function that does nothing.  Calls of a copy may follow at
 * once, from any thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/calls.h"
#include "runtime/itt_functions.h"
#include "runtime/itt_handles.h"
#include "runtime/itt_sync.h"
#include "runtime/itt_values.h"

/* Two calls may give one number to two things of different kinds. */
enum role { ROLE_TASK = 1, ROLE_REGION, ROLE_FRAME, ROLE_OLD_FRAME };

static uint64_t mix(uint64_t hash, uint64_t part)
{
	hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t number_of(enum role role, const struct itt_id *id)
{
	uint64_t hash = (uint64_t)role;

	for (int i = 0; i < 3; i++)
		hash = mix(hash, id->parts[i]);
	return hash;
}

/* ---- tasks and events: regions that nest ---- */

static void begin_task(const struct itt_domain *domain, struct itt_id id,
		       struct itt_id parent, const struct itt_string *name)
{
	(void)id;
	(void)parent;
	if (itt_is_on(domain))
		regions_begin(domain->name, itt_text_of(name));
}

static void begin_task_fn(const struct itt_domain *domain, struct itt_id id,
			  struct itt_id parent, const void *function)
{
	(void)id;
	(void)parent;
	if (itt_is_on(domain))
		regions_begin(domain->name, itt_function_name(function));
}

static void end_task(const struct itt_domain *domain)
{
	if (itt_is_on(domain))
		regions_end(NULL, NULL);
}

static int start_event(int event)
{
	const char *name = itt_event_name(event);

	if (name)
		regions_begin(NULL, name);
	return name ? 0 : 1;
}

static int end_event(int event)
{
	const char *name = itt_event_name(event);

	if (name)
		regions_end(NULL, name);
	return name ? 0 : 1;
}

/* ---- overlapped tasks, regions, frames: regions apart ---- */

static void open_apart(const struct itt_domain *domain, const char *name, uint64_t number,
		       uint64_t time)
{
	regions_say(&(struct saying){ CHANNEL_OPEN, domain->name, name, time,
				      CHANNEL_UNSIGNED, number, NULL });
}

static void close_apart(uint64_t number, uint64_t time)
{
	regions_say(&(struct saying){ CHANNEL_CLOSE, NULL, NULL, time, CHANNEL_UNSIGNED,
				      number, NULL });
}

static void begin_overlapped(const struct itt_domain *domain, struct itt_id id,
			     struct itt_id parent, const struct itt_string *name)
{
	(void)parent;
	if (itt_is_on(domain))
		open_apart(domain, itt_text_of(name), number_of(ROLE_TASK, &id), 0);
}

static void end_overlapped(const struct itt_domain *domain, struct itt_id id)
{
	if (itt_is_on(domain))
		close_apart(number_of(ROLE_TASK, &id), 0);
}

static void begin_region(const struct itt_domain *domain, struct itt_id id,
			 struct itt_id parent, const struct itt_string *name)
{
	(void)parent;
	if (itt_is_on(domain))
		open_apart(domain, itt_text_of(name), number_of(ROLE_REGION, &id), 0);
}

static void end_region(const struct itt_domain *domain, struct itt_id id)
{
	if (itt_is_on(domain))
		close_apart(number_of(ROLE_REGION, &id), 0);
}

/* A frame has no name, but that of its domain.  Without an id there is one in a domain. */
static uint64_t frame_number(const struct itt_domain *domain, const struct itt_id *id)
{
	const uint64_t number = mix(ROLE_FRAME, (uintptr_t)domain);

	return id ? mix(number, number_of(ROLE_FRAME, id)) : number;
}

static void begin_frame(const struct itt_domain *domain, const struct itt_id *id)
{
	if (itt_is_on(domain))
		open_apart(domain, domain->name, frame_number(domain, id), 0);
}

static void end_frame(const struct itt_domain *domain, const struct itt_id *id)
{
	if (itt_is_on(domain))
		close_apart(frame_number(domain, id), 0);
}

static void submit_frame(const struct itt_domain *domain, const struct itt_id *id,
			 unsigned long long begin, unsigned long long end)
{
	(void)id;
	if (!itt_is_on(domain))
		return;
	regions_whole(domain->name, domain->name, begin, end == ITT_NO_TIME ? 0 : end);
}

/* The older form, whose handle is the domain. */
static void begin_old_frame(const struct itt_domain *frame)
{
	if (itt_is_on(frame))
		open_apart(frame, frame->name, mix(ROLE_OLD_FRAME, (uintptr_t)frame), 0);
}

static void end_old_frame(const struct itt_domain *frame)
{
	if (itt_is_on(frame))
		close_apart(mix(ROLE_OLD_FRAME, (uintptr_t)frame), 0);
}

/* ---- calls with a time ---- */

static void begin_task_at(const struct itt_domain *domain, const void *clock,
			  unsigned long long time, struct itt_id id, struct itt_id parent,
			  const struct itt_string *name)
{
	(void)clock;
	(void)time; /* the samples in a task show when it began */
	begin_task(domain, id, parent, name);
}

static void begin_task_fn_at(const struct itt_domain *domain, const void *clock,
			     unsigned long long time, struct itt_id id,
			     struct itt_id parent, const void *function)
{
	(void)clock;
	(void)time;
	begin_task_fn(domain, id, parent, function);
}

static void end_task_at(const struct itt_domain *domain, const void *clock,
			unsigned long long time)
{
	(void)clock;
	(void)time;
	end_task(domain);
}

static void begin_overlapped_at(const struct itt_domain *domain, const void *clock,
				unsigned long long time, struct itt_id id,
				struct itt_id parent, const struct itt_string *name)
{
	(void)parent;
	if (itt_is_on(domain))
		open_apart(domain, itt_text_of(name), number_of(ROLE_TASK, &id),
			   itt_time_of(clock, time));
}

static void end_overlapped_at(const struct itt_domain *domain, const void *clock,
			      unsigned long long time, struct itt_id id)
{
	if (itt_is_on(domain))
		close_apart(number_of(ROLE_TASK, &id), itt_time_of(clock, time));
}

static unsigned long long get_time(void)
{
	return regions_now();
}

/* Any pointer: it shows that a time is not ours. */
static void *create_clock(void *function, void *data)
{
	static uint64_t clock[8]; /* as large as any version of its struct */

	(void)function;
	(void)data;
	return clock;
}

/* ---- marks ---- */

static void mark_at(const struct itt_domain *domain, const void *clock,
		    unsigned long long time, struct itt_id id,
		    const struct itt_string *name, int scope)
{
	(void)id;
	(void)scope;
	if (itt_is_on(domain))
		regions_say(&(struct saying){ .kind = CHANNEL_MARKER,
					      .domain = domain->name,
					      .name = itt_text_of(name),
					      .time = itt_time_of(clock, time) });
}

static void mark_now(const struct itt_domain *domain, struct itt_id id,
		     const struct itt_string *name, int scope)
{
	mark_at(domain, NULL, 0, id, name, scope);
}

/* A group has a name and no end. */
static void task_group(const struct itt_domain *domain, struct itt_id id,
		       struct itt_id parent, const struct itt_string *name)
{
	(void)parent;
	mark_at(domain, NULL, 0, id, name, 0);
}

static int mark_old(int mark, const char *text)
{
	const char *name = itt_mark_name(mark);

	if (!name)
		return 1;
	regions_say(&(struct saying){ .kind = CHANNEL_MARKER,
				      .name = name,
				      .type = text ? CHANNEL_TEXT : 0,
				      .text = text });
	return 0;
}

/* ---- threads ---- */

static void name_thread(const char *name)
{
	if (name)
		regions_say(&(struct saying){ .kind = CHANNEL_RENAME, .name = name });
}

static int name_thread_old(const char *name, int len)
{
	char text[ITT_TEXT_MAX];

	if (!name || len < 0)
		return 1;
	snprintf(text, sizeof(text), "%.*s", len, name);
	name_thread(text);
	return 0;
}

static const char *version(void)
{
	return "ringprof";
}

/* ---- the recording itself ---- */

enum { SCOPE_HOST = 1 }; /* others are for accelerators */

static void pause_scoped(int scope)
{
	if (scope & SCOPE_HOST)
		collector_pause();
}

static void resume_scoped(int scope)
{
	if (scope & SCOPE_HOST)
		collector_resume();
}

/* ---- the table ---- */

#define OURS(name, function)                                                             \
	{                                                                                \
		"__itt_" name, (void *)(function)                                        \
	}

static const struct {
	const char *name;
	void *function;
} ours[] = {
	OURS("api_version", version),
	OURS("clock_domain_create", create_clock),
	OURS("counter_create", itt_create_counter),
	OURS("counter_create_typed", itt_create_counter_typed),
	OURS("counter_create_v3", itt_create_counter_in),
	OURS("counter_dec", itt_count_down),
	OURS("counter_dec_delta", itt_count_down_by),
	OURS("counter_dec_delta_v3", itt_count_down_by_in),
	OURS("counter_dec_v3", itt_count_down_in),
	OURS("counter_inc", itt_count_up),
	OURS("counter_inc_delta", itt_count_up_by),
	OURS("counter_inc_delta_v3", itt_count_up_by_in),
	OURS("counter_inc_v3", itt_count_up_in),
	OURS("counter_set_value", itt_set_counter),
	OURS("counter_set_value_ex", itt_set_counter_at),
	OURS("counter_set_value_v3", itt_set_counter),
	OURS("detach", collector_terminate_expt),
	OURS("domain_create", itt_domain_of),
	OURS("event_create", itt_event_of),
	OURS("event_end", end_event),
	OURS("event_start", start_event),
	OURS("formatted_metadata_add", itt_note_formatted),
	OURS("formatted_metadata_add_overlapped", itt_note_formatted_apart),
	OURS("frame_begin", begin_old_frame),
	OURS("frame_begin_v3", begin_frame),
	OURS("frame_create", itt_domain_of),
	OURS("frame_end", end_old_frame),
	OURS("frame_end_v3", end_frame),
	OURS("frame_submit_v3", submit_frame),
	OURS("get_timestamp", get_time),
	OURS("mark", mark_old),
	OURS("mark_create", itt_mark_of),
	OURS("mark_global", mark_old),
	OURS("marker", mark_now),
	OURS("marker_ex", mark_at),
	OURS("metadata_add", itt_note_value),
	OURS("metadata_add_with_scope", itt_note_value_in_scope),
	OURS("metadata_str_add", itt_note_string),
	OURS("metadata_str_add_with_scope", itt_note_string_in_scope),
	OURS("notify_sync_acquired", itt_sync_acquired),
	OURS("notify_sync_cancel", itt_sync_cancel),
	OURS("notify_sync_prepare", itt_sync_prepare),
	OURS("pause", collector_pause),
	OURS("pause_scoped", pause_scoped),
	OURS("region_begin", begin_region),
	OURS("region_end", end_region),
	OURS("resume", collector_resume),
	OURS("resume_scoped", resume_scoped),
	OURS("string_handle_create", itt_string_of),
	OURS("sync_acquired", itt_sync_acquired),
	OURS("sync_cancel", itt_sync_cancel),
	OURS("sync_create", itt_sync_create),
	OURS("sync_destroy", itt_sync_destroy),
	OURS("sync_prepare", itt_sync_prepare),
	OURS("sync_rename", itt_sync_rename),
	OURS("sync_set_name", itt_sync_create),
	OURS("task_begin", begin_task),
	OURS("task_begin_ex", begin_task_at),
	OURS("task_begin_fn", begin_task_fn),
	OURS("task_begin_fn_ex", begin_task_fn_at),
	OURS("task_begin_overlapped", begin_overlapped),
	OURS("task_begin_overlapped_ex", begin_overlapped_at),
	OURS("task_end", end_task),
	OURS("task_end_ex", end_task_at),
	OURS("task_end_overlapped", end_overlapped),
	OURS("task_end_overlapped_ex", end_overlapped_at),
	OURS("task_group", task_group),
	OURS("thr_ignore", regions_ignore_thread),
	OURS("thr_name_set", name_thread_old),
	OURS("thread_ignore", regions_ignore_thread),
	OURS("thread_set_name", name_thread),
};

static void *find_ours(const char *name)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (!strcmp(ours[i].name, name))
			return ours[i].function;
	return NULL;
}

/* Handles that this copy made before, and the program goes on to use. */
static void choose_domains(const struct itt_global *global)
{
	if (global->major != ITT_MAJOR || global->build < ITT_HAS_LISTS)
		return;
	for (struct itt_domain *d = global->domains; d; d = d->next)
		if (d->name && !itt_domain_is_chosen(d->name))
			d->flags = 0;
}

static void init_once(void)
{
	itt_handles_init();
	itt_functions_init();
	itt_sync_init();
}

void __itt_api_init(struct itt_global *global, int groups);

PUBLIC void __itt_api_init(struct itt_global *global, int groups)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!global || !global->apis)
		return;
	pthread_once(&once, init_once);
	if (regions_are_recorded())
		choose_domains(global);
	for (struct itt_api *api = global->apis; api->name; api++) {
		void *function = NULL;

		if (api->group & groups && regions_are_recorded())
			function = find_ours(api->name);
		if (api->function)
			__atomic_store_n(api->function,
					 function ? function : api->nothing,
					 __ATOMIC_RELEASE);
	}
}
