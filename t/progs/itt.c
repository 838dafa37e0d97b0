/* SPDX-License-Identifier: Apache-2.0 */
/*
 * itt: a program that is instrumented by ITT, with a static part of its own: nested tasks,
 * a disabled domain, a task named by a function, events, names that are NULL, and handles
 * that several threads create at once.  Prints what went wrong; nothing: all is well.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct itt_id {
	unsigned long long d1, d2, d3;
};

struct domain {
	volatile int flags;
	const char *name;
};

static const struct itt_id none;

static struct domain *(*domain_create)(const char *name);
static void *(*string_create)(const char *text);
static void (*task_begin)(const struct domain *, struct itt_id, struct itt_id, void *);
static void (*task_begin_fn)(const struct domain *, struct itt_id, struct itt_id, void *);
static void (*task_end)(const struct domain *);
static int (*event_create)(const char *name, int len);
static int (*event_start)(int event);
static int (*event_end)(int event);
static void (*unknown_call)(void);
static int nothing_called;

static void nothing(void)
{
	nothing_called++;
}

struct api {
	const char *name;
	void **function;
	void *init, *null;
	int group;
};

static struct api apis[] = {
	{ "__itt_domain_create", (void **)&domain_create, NULL, NULL, 2 },
	{ "__itt_string_handle_create", (void **)&string_create, NULL, NULL, 2 },
	{ "__itt_task_begin", (void **)&task_begin, NULL, NULL, 2 },
	{ "__itt_task_begin_fn", (void **)&task_begin_fn, NULL, NULL, 2 },
	{ "__itt_task_end", (void **)&task_end, NULL, NULL, 2 },
	{ "__itt_event_create", (void **)&event_create, NULL, NULL, 2 },
	{ "__itt_event_start", (void **)&event_start, NULL, NULL, 2 },
	{ "__itt_event_end", (void **)&event_end, NULL, NULL, 2 },
	{ "__itt_of_a_later_version", (void **)&unknown_call, NULL, (void *)nothing, 2 },
	{ NULL, NULL, NULL, NULL, 0 },
};

static struct {
	unsigned char magic[8];
	unsigned long version[3];
	volatile long state[3];
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct api *apis;
	void *more[10];
} global = { .apis = apis };

static int load(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void (*init)(void *, int) = NULL;

	global.library = path ? dlopen(path, RTLD_LAZY) : NULL;
	if (global.library)
		*(void **)&init = dlsym(global.library, "__itt_api_init");
	if (init)
		init(&global, -1);
	return init != NULL;
}

static void *create_all(void *handles)
{
	void **all = handles;

	for (int i = 0; i < 200; i++) {
		char text[32];

		snprintf(text, sizeof(text), "string %d", i);
		all[i] = string_create(text);
	}
	return NULL;
}

static void check(int held, const char *what)
{
	if (!held)
		printf("%s\n", what);
}

static void create_at_once(void)
{
	static void *handles[4][200];
	pthread_t threads[4];

	for (int t = 0; t < 4; t++)
		if (pthread_create(&threads[t], NULL, create_all, handles[t]))
			exit(1);
	for (int t = 0; t < 4; t++)
		pthread_join(threads[t], NULL);
	for (int t = 1; t < 4; t++)
		for (int i = 0; i < 200; i++)
			check(handles[t][i] && handles[t][i] == handles[0][i],
			      "handles of a text differ");
}

int main(void)
{
	struct domain *on, *off;
	int event;

	if (!load())
		return puts("not loaded") < 0;
	if (!domain_create)
		return puts("not recorded") < 0;
	on = domain_create("on");
	off = domain_create("off");
	check(on != off && on == domain_create("on") && on->flags, "domains");
	off->flags = 0;
	check(!domain_create(NULL) && !string_create(NULL), "NULL has a handle");
	create_at_once();
	task_begin(on, none, none, string_create("outer"));
	task_begin(off, none, none, string_create("hidden"));
	task_begin(on, none, none, string_create("inner"));
	task_begin(on, none, none, NULL);
	task_end(on);
	task_end(on);
	task_end(off);
	task_begin_fn(on, none, none, (void *)0xabc);
	task_end(on);
	task_end(on);
	task_end(NULL);
	event = event_create("event and more", 5);
	check(event && event == event_create("event", 5), "events");
	check(!event_start(event) && !event_end(event), "an event");
	check(event_start(99999) && event_end(-1), "an event that is none");
	unknown_call();
	check(nothing_called == 1, "a call that is not ours");
	return 0;
}
