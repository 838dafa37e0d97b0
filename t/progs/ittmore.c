/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ittmore HOW: what a program may say by ITT besides tasks and events, with a static part
 * of its own: regions that threads hand over, frames, marks, counters, notes, locks, names
 * of threads, domains that it made before.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct itt_id {
	unsigned long long d1, d2, d3;
};

struct domain {
	volatile int flags;
	const char *name;
	void *wide;
	int extra1;
	void *extra2;
	struct domain *next;
};

typedef unsigned long long stamp;

static const struct itt_id none;

/* ---- the static part ---- */

/* The calls that we make: name, result, arguments. */
#define CALLS(CALL)                                                                      \
	CALL(clock_domain_create, void *, (void *, void *))                              \
	CALL(counter_create, void *, (const char *, const char *))                       \
	CALL(counter_create_typed, void *, (const char *, const char *, int))            \
	CALL(counter_dec_delta, void, (void *, stamp))                                   \
	CALL(counter_inc, void, (void *))                                                \
	CALL(counter_inc_delta_v3, void, (const struct domain *, void *, stamp))         \
	CALL(counter_set_value, void, (void *, const void *))                            \
	CALL(domain_create, struct domain *, (const char *))                             \
	CALL(formatted_metadata_add, void, (const struct domain *, void *, ...))         \
	CALL(frame_begin_v3, void, (const struct domain *, const struct itt_id *))       \
	CALL(frame_end_v3, void, (const struct domain *, const struct itt_id *))         \
	CALL(frame_submit_v3, void,                                                      \
	     (const struct domain *, const struct itt_id *, stamp, stamp))               \
	CALL(get_timestamp, stamp, (void))                                               \
	CALL(mark, int, (int, const char *))                                             \
	CALL(mark_create, int, (const char *))                                           \
	CALL(marker, void, (const struct domain *, struct itt_id, void *, int))          \
	CALL(metadata_add, void,                                                         \
	     (const struct domain *, struct itt_id, void *, int, size_t, const void *))  \
	CALL(metadata_str_add, void,                                                     \
	     (const struct domain *, struct itt_id, void *, const char *, size_t))       \
	CALL(region_begin, void,                                                         \
	     (const struct domain *, struct itt_id, struct itt_id, void *))              \
	CALL(region_end, void, (const struct domain *, struct itt_id))                   \
	CALL(string_handle_create, void *, (const char *))                               \
	CALL(sync_acquired, void, (void *))                                              \
	CALL(sync_cancel, void, (void *))                                                \
	CALL(sync_create, void, (void *, const char *, const char *, int))               \
	CALL(sync_prepare, void, (void *))                                               \
	CALL(task_begin, void,                                                           \
	     (const struct domain *, struct itt_id, struct itt_id, void *))              \
	CALL(task_begin_fn, void,                                                        \
	     (const struct domain *, struct itt_id, struct itt_id, void *))              \
	CALL(task_begin_overlapped, void,                                                \
	     (const struct domain *, struct itt_id, struct itt_id, void *))              \
	CALL(task_begin_overlapped_ex, void,                                             \
	     (const struct domain *, void *, stamp, struct itt_id, struct itt_id,        \
	      void *))                                                                   \
	CALL(task_end, void, (const struct domain *))                                    \
	CALL(task_end_overlapped, void, (const struct domain *, struct itt_id))          \
	CALL(task_end_overlapped_ex, void,                                               \
	     (const struct domain *, void *, stamp, struct itt_id))                      \
	CALL(thread_ignore, void, (void))                                                \
	CALL(thread_set_name, void, (const char *))

#define DECLARE(name, result, arguments) static result(*name) arguments;
CALLS(DECLARE)

struct api {
	const char *name;
	void **function;
	void *init, *null;
	int group;
};

#define ROW(name, result, arguments) { "__itt_" #name, (void **)&name, NULL, NULL, 1 },

static struct api apis[] = { CALLS(ROW){ NULL, NULL, NULL, NULL, 0 } };

static struct domain made_before = { 1, "before", NULL, 0, NULL, NULL };
static struct domain unwanted = { 1, "unwanted", NULL, 0, NULL, &made_before };

static struct {
	unsigned char magic[8];
	unsigned long major, minor, build;
	volatile long state[3];
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct api *apis;
	void *next, *threads;
	struct domain *domains;
} global = { .major = 3, .build = 20180723, .apis = apis, .domains = &unwanted };

static int load(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void (*init)(void *, int) = NULL;

	global.library = path ? dlopen(path, RTLD_LAZY) : NULL;
	if (global.library)
		*(void **)&init = dlsym(global.library, "__itt_api_init");
	if (init)
		init(&global, -1);
	return domain_create != NULL;
}

/* ---- what it says ---- */

static struct domain *domain;

static void *on_thread(void *(*run)(void *), const char *arg)
{
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, NULL, run, (void *)(uintptr_t)arg) ||
	    pthread_join(thread, &result))
		exit(1);
	return result;
}

static void *end_all(void *unused)
{
	for (unsigned i = 1; i <= 10; i++)
		task_end_overlapped(domain, (struct itt_id){ i, 0, 0 });
	region_end(domain, (struct itt_id){ 7, 7, 7 });
	return unused;
}

/* Another thread ends them; one number twice, two kinds with the same, one that stays open. */
static void apart(void)
{
	struct itt_id id = { 1, 0, 0 };
	void *name = string_handle_create("request");

	for (id.d1 = 1; id.d1 <= 10; id.d1++)
		task_begin_overlapped(domain, id, none, name);
	id.d1 = 1;
	task_begin_overlapped(domain, id, none, name); /* ignored: it is open */
	region_begin(domain, (struct itt_id){ 7, 7, 7 }, none, name);
	on_thread(end_all, NULL);
	task_end_overlapped(domain, id); /* of the one that was ignored */
	task_end_overlapped(domain, id); /* stray */
	task_begin_overlapped(domain, (struct itt_id){ 99, 0, 0 }, none,
			      string_handle_create("stays"));
}

/* With times: 1 ms each by get_timestamp; of a clock of our own they are not taken. */
static void frames(void)
{
	struct itt_id id = { 5, 0, 0 };
	stamp begin = get_timestamp(), end = begin;
	void *clock = clock_domain_create(NULL, NULL);

	frame_begin_v3(domain, NULL);
	frame_begin_v3(domain, &id);
	frame_begin_v3(domain, &id);
	frame_end_v3(domain, &id);
	frame_end_v3(domain, NULL);
	while (end < begin + 1000)
		end = get_timestamp();
	frame_submit_v3(domain, NULL, begin, end);
	frame_submit_v3(domain, NULL, begin, UINT64_MAX);
	task_begin_overlapped_ex(domain, clock, 1, id, none, string_handle_create("own"));
	task_end_overlapped_ex(domain, clock, 2, id);
}

static void marks(void)
{
	static const unsigned long long u64 = UINT64_MAX;
	static const int s32 = -5;
	static const float real = 0.25f;
	static const unsigned short u16 = 7;
	void *key = string_handle_create("key"), *counter;

	task_begin(domain, none, none, string_handle_create("around"));
	marker(domain, none, string_handle_create("here"), 1);
	metadata_add(domain, none, key, 1, 1, &u64);
	metadata_add(domain, none, key, 4, 1, &s32);
	metadata_add(domain, none, key, 7, 1, &real);
	metadata_add(domain, none, key, 5, 1, &u16);
	metadata_add(domain, none, key, 99, 1, &u64); /* no such type */
	metadata_add(domain, none, key, 1, 0, NULL);  /* nothing */
	metadata_str_add(domain, none, key, "text and more", 4);
	formatted_metadata_add(domain, string_handle_create("%d of %s"), 3, "four");
	task_end(domain);
	mark(mark_create("old"), "parameter");
	counter = counter_create_typed("level", "tank", 8);
	counter_set_value(counter, &(double){ 1.5 });
	counter = counter_create("jobs", NULL);
	counter_inc(counter);
	counter_inc(counter);
	counter_dec_delta(counter, 5);
	counter_set_value(counter, &(uint64_t){ 40 });
	counter_inc(counter);
	counter_inc_delta_v3(domain, string_handle_create("items"), 10);
	counter_inc_delta_v3(domain, string_handle_create("items"), 10);
}

static void spin(void)
{
	for (volatile int i = 0; i < 300000; i++)
		;
}

/* Long waits, and 10,000 for a lock that is free. */
static void locks(void)
{
	int lock, other, unused;

	sync_create(&unused, NULL, "unused", 0);
	for (int i = 0; i < 10000; i++) {
		sync_prepare(&unused);
		sync_acquired(&unused);
	}
	sync_create(&lock, "spin lock", "queue", 0);
	sync_prepare(&lock);
	spin();
	sync_acquired(&lock);
	sync_acquired(&lock); /* nobody waited */
	sync_prepare(&other);
	sync_prepare(&lock);
	spin();
	sync_cancel(&other); /* ends both, and is the wait */
	task_begin(domain, none, none, string_handle_create("works"));
	sync_prepare(&lock);
	task_begin(domain, none, none, string_handle_create("while it waits"));
	spin();
	task_end(domain);
	sync_acquired(&lock); /* not recorded */
	task_end(domain);
}

static void *named(void *name)
{
	thread_set_name(name);
	task_begin(domain, none, none, string_handle_create("work"));
	task_end(domain);
	return NULL;
}

static void *silent(void *unused)
{
	task_begin(domain, none, none, string_handle_create("before"));
	task_end(domain);
	thread_ignore();
	task_begin(domain, none, none, string_handle_create("ignored"));
	task_end(domain);
	return unused;
}

static void threads(void)
{
	on_thread(named, "loader");
	on_thread(silent, NULL);
}

/* Of domains, the user may want some. */
static void domains(void)
{
	struct domain *const all[] = { domain, domain_create("other"), &made_before,
				       &unwanted };

	for (unsigned i = 0; i < 4; i++) {
		task_begin(all[i], none, none, string_handle_create("same"));
		task_begin_fn(all[i], none, none, (void *)puts);
		task_end(all[i]);
		task_end(all[i]);
	}
}

/* Handles of many texts, and texts of notes that fill the room for them. */
static void many(void)
{
	char text[64];

	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "text %d", i);
		string_handle_create(text);
	}
	for (int i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "value %d of something", i);
		metadata_str_add(domain, none, string_handle_create("key"), text,
				 sizeof(text));
	}
	task_begin(domain, none, none, string_handle_create("still named"));
	task_end(domain);
}

/* Tasks of more names than there is room for, and frames of another. */
static void unnamed(void)
{
	struct domain *late = domain_create("late");
	char text[64];

	for (int i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "task %d", i);
		task_begin(domain, none, none, string_handle_create(text));
		task_end(domain);
	}
	for (int i = 0; i < 3; i++)
		frame_submit_v3(late, NULL, get_timestamp(), UINT64_MAX);
}

static const struct {
	const char *name;
	void (*say)(void);
} hows[] = {
	{ "apart", apart }, { "frames", frames },   { "marks", marks },
	{ "locks", locks }, { "threads", threads }, { "domains", domains },
	{ "many", many },   { "unnamed", unnamed },
};

int main(int argc, char **argv)
{
	if (argc != 2 || !load())
		return puts("not recorded") < 0;
	domain = domain_create("domain");
	for (size_t i = 0; i < sizeof(hows) / sizeof(*hows); i++)
		if (!strcmp(hows[i].name, argv[1]))
			hows[i].say();
	return 0;
}
