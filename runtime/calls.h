/* SPDX-License-Identifier: Apache-2.0 */
/* What the library's parts share: the calls of libcollector.h, and those behind ITT's. */
#ifndef RUNTIME_CALLS_H
#define RUNTIME_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "channel/layout.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC void collector_region_begin(const char *name);
PUBLIC void collector_region_end(const char *name);
PUBLIC void collector_sample(const char *name);
PUBLIC void collector_pause(void);
PUBLIC void collector_resume(void);
PUBLIC void collector_terminate_expt(void);

/* The same for a name of a DOMAIN (NULL: of none).  Ends with NAME NULL: the innermost. */
void regions_begin(const char *domain, const char *name);
void regions_end(const char *domain, const char *name);

/* A region apart, between two times as the channel counts them; END 0: until now. */
void regions_whole(const char *domain, const char *name, uint64_t begin_time,
		   uint64_t end_time);

/* Anything else that the program says. */
struct saying {
	enum channel_kind kind;
	const char *domain, *name;
	uint64_t time;          /* as the channel counts it; 0: now */
	enum channel_data type; /* of the data; 0: there is none */
	uint64_t data;
	const char *text; /* for CHANNEL_TEXT */
};

void regions_say(const struct saying *saying);

/* How many events this thread has written; 0: none, or it cannot write. */
uint64_t regions_written(void);

/*
 * A region of this thread from BEGIN_TIME until now, if it has lasted about a microsecond.
 * The thread has written nothing since then.
 */
void regions_say_late(const char *domain, const char *name, uint64_t begin_time);

/* From now on this thread says nothing. */
void regions_ignore_thread(void);

/* Whether collect records the program. */
bool regions_are_recorded(void);

/* The time now, as the channel counts it. */
uint64_t regions_now(void);

#endif
