/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ITT's binary interface between the static part, which is in programs, and the dynamic
 * part, as far as we use it.  Source: the public headers ittnotify.h and
 * ittnotify_config.h of ITT API 3.
 */
#ifndef ITT_ABI_H
#define ITT_ABI_H

#include <pthread.h>

struct itt_api {
	const char *name; /* NULL: the end of the table */
	void **function;  /* what calls go through */
	void *init, *nothing;
	int group;
};

struct itt_domain {
	volatile int flags; /* 0: disabled; the static part tests it before each call */
	const char *name;
	void *wide_name;
	int reserved;
	void *reserved_too;
	struct itt_domain *next;
};

struct itt_string {
	const char *text;
	void *wide_text;
	int reserved;
	void *reserved_too;
	struct itt_string *next;
};

/* Made by create calls, ours or, before the library was loaded, the static part's. */
struct itt_counter {
	const char *name;
	void *wide_name;
	const char *domain;
	void *wide_domain;
	int type;    /* enum itt_type */
	long index;  /* of ours: the value, if it counts up and down */
	int wanted;  /* of ours; reserved to the dynamic part, as is the next */
	void *count; /* of others: one of ours, of the same names */
	struct itt_counter *next;
};

/* Of a copy of the static part; versions only add fields at the end. */
struct itt_global {
	unsigned char magic[8];
	unsigned long major, minor, build; /* build: a date, YYYYMMDD */
	long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **library_path;
	struct itt_api *apis;
	/* from build ITT_HAS_LISTS on */
	struct itt_global *next;
	void *threads;
	struct itt_domain *domains; /* made before the library was loaded */
};

#define ITT_MAJOR     3
#define ITT_HAS_LISTS 20111111

struct itt_id {
	unsigned long long parts[3];
};

/* What a counter's or a note's value points to. */
enum itt_type {
	ITT_UNKNOWN,
	ITT_U64,
	ITT_S64,
	ITT_U32,
	ITT_S32,
	ITT_U16,
	ITT_S16,
	ITT_FLOAT,
	ITT_DOUBLE,
};

/* As the end of a submitted frame: now. */
#define ITT_NO_TIME UINT64_MAX

#endif
