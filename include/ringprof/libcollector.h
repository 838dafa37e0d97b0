/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcollector.h: a program's own words in its profile.
 *
 *	#include <libcollector.h>
 *
 *	collector_region_begin("event");
 *	...
 *	collector_region_end("event");
 *
 * Under `collect --regions on` the time between the two is a region of the calling thread,
 * and `er_print -regions` shows its durations and metrics.  Otherwise all calls do nothing:
 * they test one pointer.  There is nothing to link with, and nothing to install where the
 * program runs.  For C and C++, with gcc or clang, on Linux; elsewhere they are empty.
 *
 * Regions nest on their thread.  A region ends by its name, and so do those in it that are
 * still open; collector_region_end(NULL) ends the innermost.  Names are copied, and cut at
 * 1,023 bytes.
 *
 *	collector_pause()		stop recording, in all threads and processes
 *	collector_resume()		go on
 *	collector_terminate_expt()	stop for good; the program goes on
 *	collector_sample("name")	a sample point: what was used since the one before
 *
 * A pause begins with the call, and ends a moment after it, some 0.1 ms, when the counters
 * run again.  Pauses do not nest.  Regions are recorded in pauses, too.
 *
 * All calls are safe in signal handlers and in any thread, and never wait.  Begins and ends
 * make no system call but at a thread's first use; the other calls make three.
 */
#ifndef LIBCOLLECTOR_H
#define LIBCOLLECTOR_H

#if defined(__linux__) && (defined(__GNUC__) || defined(__clang__))

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Private: one for each program or library that includes this, filled when it is loaded.  A
 * later version with other members has another name: objects of both may be in one program.
 */
struct ringprof_collector_1 {
	void (*region_begin)(const char *name);
	void (*region_end)(const char *name);
	void (*sample)(const char *name);
	void (*pause)(void);
	void (*resume)(void);
	void (*terminate_expt)(void);
};

extern struct ringprof_collector_1 ringprof_collector_1;
__attribute__((weak,
	       visibility("hidden"))) struct ringprof_collector_1 ringprof_collector_1 = {
	0, 0, 0, 0, 0, 0
};

/* The C library's, under names of ours: programs may declare them differently. */
extern char *ringprof_getenv(const char *name) __asm__("secure_getenv")
	__attribute__((weak));
extern void *ringprof_dlopen(const char *path, int flags) __asm__("dlopen")
	__attribute__((weak));
extern void *ringprof_dlsym(void *library, const char *name) __asm__("dlsym")
	__attribute__((weak));

/* Sets *CALL, a pointer to a function. */
static __inline__ __attribute__((unused)) void ringprof_set(void *call, void *library,
							    const char *name)
{
	*(void **)call = ringprof_dlsym(library, name);
}

void ringprof_collector_find_1(void);
__attribute__((weak, visibility("hidden"), constructor)) void
ringprof_collector_find_1(void)
{
	enum { RINGPROF_RTLD_NOW = 2 };
	struct ringprof_collector_1 *calls = &ringprof_collector_1;
	const char *path;
	void *library;

	if (calls->region_begin || !ringprof_getenv || !ringprof_dlopen ||
	    !ringprof_dlsym)
		return;
	path = ringprof_getenv("RINGPROF_LIBRARY");
	library = path ? ringprof_dlopen(path, RINGPROF_RTLD_NOW) : 0;
	if (!library)
		return;
	ringprof_set(&calls->region_begin, library, "collector_region_begin");
	ringprof_set(&calls->region_end, library, "collector_region_end");
	ringprof_set(&calls->sample, library, "collector_sample");
	ringprof_set(&calls->pause, library, "collector_pause");
	ringprof_set(&calls->resume, library, "collector_resume");
	ringprof_set(&calls->terminate_expt, library, "collector_terminate_expt");
}

static __inline__ __attribute__((unused)) void collector_region_begin(const char *name)
{
	if (ringprof_collector_1.region_begin)
		ringprof_collector_1.region_begin(name);
}

static __inline__ __attribute__((unused)) void collector_region_end(const char *name)
{
	if (ringprof_collector_1.region_end)
		ringprof_collector_1.region_end(name);
}

static __inline__ __attribute__((unused)) void collector_sample(const char *name)
{
	if (ringprof_collector_1.sample)
		ringprof_collector_1.sample(name);
}

static __inline__ __attribute__((unused)) void collector_pause(void)
{
	if (ringprof_collector_1.pause)
		ringprof_collector_1.pause();
}

static __inline__ __attribute__((unused)) void collector_resume(void)
{
	if (ringprof_collector_1.resume)
		ringprof_collector_1.resume();
}

static __inline__ __attribute__((unused)) void collector_terminate_expt(void)
{
	if (ringprof_collector_1.terminate_expt)
		ringprof_collector_1.terminate_expt();
}

#ifdef __cplusplus
}
#endif

#else

#define collector_region_begin(name) ((void)(name))
#define collector_region_end(name)   ((void)(name))
#define collector_sample(name)       ((void)(name))
#define collector_pause()            ((void)0)
#define collector_resume()           ((void)0)
#define collector_terminate_expt()   ((void)0)

#endif

#endif
