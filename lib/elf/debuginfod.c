/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cache_dir.h"
#include "base/xalloc.h"

/* elfutils' debuginfod.h, since 0.179; a client is theirs alone. */
typedef int find_fn(void *client, const unsigned char *build_id, int len, char **path);
typedef int find_source_fn(void *client, const unsigned char *build_id, int len,
			   const char *file, char **path);
typedef int told_fn(void *client, long a, long b);

struct api {
	void *(*begin)(void);
	void (*end)(void *client);
	void (*set_progressfn)(void *client, told_fn *told);
	void (*set_user_data)(void *client, void *data);
	find_fn *find_debuginfo, *find_executable;
	find_source_fn *find_source;
};

static const struct {
	const char *name;
	size_t at; /* of its pointer in struct api */
} functions[] = {
	{ "debuginfod_begin", offsetof(struct api, begin) },
	{ "debuginfod_end", offsetof(struct api, end) },
	{ "debuginfod_set_progressfn", offsetof(struct api, set_progressfn) },
	{ "debuginfod_set_user_data", offsetof(struct api, set_user_data) },
	{ "debuginfod_find_debuginfo", offsetof(struct api, find_debuginfo) },
	{ "debuginfod_find_executable", offsetof(struct api, find_executable) },
	{ "debuginfod_find_source", offsetof(struct api, find_source) },
};

struct debuginfod {
	struct api api;
	void *library; /* never closed: its own libraries leak when unloaded */
	void *client;
	debuginfod_progress_fn *progress;
	void *ctx;
	long patience_s;
	long seen; /* bytes, at the last change */
	time_t since;
	bool gave_up;
	char trouble[64]; /* "": none */
};

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * Before a server begins to answer, A counts the library's polls, and B is 0; then both
 * are bytes, B the total if it is known.
 */
static int step(struct debuginfod *d, long a, long b)
{
	if (b > 0 && a > d->seen) {
		d->seen = a;
		d->since = now_s();
	}
	if (d->progress)
		d->progress(d->ctx, b > 0 && a > 0 ? (uint64_t)a : 0,
			    b > 0 ? (uint64_t)b : 0);
	d->gave_up = now_s() - d->since >= d->patience_s;
	return d->gave_up;
}

/* The callback gets no data of ours: it must ask the library for the user data. */
static int told(void *client, long a, long b)
{
	void *(*get_user_data)(void *) = NULL;

	*(void **)&get_user_data = dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	return get_user_data ? step(get_user_data(client), a, b) : 1;
}

/* ---- the library ---- */

static bool load(struct debuginfod *d)
{
	d->library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_GLOBAL);
	if (!d->library)
		return false;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *found = dlsym(d->library, functions[i].name);

		if (!found)
			return false;
		memcpy((char *)&d->api + functions[i].at, &found, sizeof(found));
	}
	d->client = d->api.begin();
	return d->client;
}

static long patience(void)
{
	const char *text = getenv("DEBUGINFOD_TIMEOUT");
	long value = text ? strtol(text, NULL, 10) : 0;

	return value > 0 ? value : DEBUGINFOD_PATIENCE_S;
}

/* The library trusts its cache, and writes there. */
static bool has_own_cache(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path = NULL;
	bool own;

	if (getenv("DEBUGINFOD_CACHE_PATH"))
		return true;
	if (xdg && *xdg)
		path = xasprintf("%s/debuginfod_client/x", xdg);
	else if (home && *home)
		path = xasprintf("%s/.cache/debuginfod_client/x", home);
	own = !path || cache_is_own_place(path);
	free(path);
	return own;
}

struct debuginfod *debuginfod_connect(debuginfod_progress_fn *progress, void *ctx)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct debuginfod *d;

	if (!urls || !urls[strspn(urls, " ")] || !has_own_cache())
		return NULL;
	d = xcalloc(1, sizeof(*d));
	if (!load(d)) {
		debuginfod_free(d);
		return NULL;
	}
	d->progress = progress;
	d->ctx = ctx;
	d->patience_s = patience();
	d->api.set_user_data(d->client, d);
	d->api.set_progressfn(d->client, told);
	return d;
}

void debuginfod_free(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->api.end(d->client);
	free(d);
}

/* ---- questions ---- */

/*
 * A server without one file is asked again for the next.  If we gave one up, the
 * library's error means nothing: newer versions try again first.
 */
static void judge(struct debuginfod *d, int error)
{
	bool waited = d->gave_up || now_s() - d->since >= d->patience_s;

	if (error == -ETIME || (waited && error < 0))
		snprintf(d->trouble, sizeof(d->trouble), "did not answer for %ld s",
			 d->patience_s);
	else if (error < 0 && error != -ENOENT)
		snprintf(d->trouble, sizeof(d->trouble), "cannot be asked (%s)",
			 strerror(-error));
}

static bool begin(struct debuginfod *d, const char *build_id)
{
	if (!d || d->trouble[0] || !build_id || !build_id[0])
		return false;
	d->seen = 0;
	d->since = now_s();
	d->gave_up = false;
	return true;
}

/*
 * RET is the library's answer, PATH the file in its cache.  The descriptor of a new
 * download is at its end.
 */
static int end(struct debuginfod *d, int error, char *path)
{
	free(path);
	judge(d, error);
	if (error >= 0)
		lseek(error, 0, SEEK_SET);
	return error;
}

static int ask(struct debuginfod *d, find_fn *find, const char *build_id)
{
	char *path = NULL;
	int error = find(d->client, (const unsigned char *)build_id, 0, &path);

	return end(d, error, path);
}

int debuginfod_debug_file(struct debuginfod *d, const char *build_id)
{
	return begin(d, build_id) ? ask(d, d->api.find_debuginfo, build_id) : -ENOENT;
}

int debuginfod_object(struct debuginfod *d, const char *build_id)
{
	return begin(d, build_id) ? ask(d, d->api.find_executable, build_id) : -ENOENT;
}

int debuginfod_source(struct debuginfod *d, const char *build_id, const char *file)
{
	char *path = NULL;
	int error;

	if (*file != '/' || !begin(d, build_id))
		return -ENOENT;
	error = d->api.find_source(d->client, (const unsigned char *)build_id, 0, file,
				   &path);
	return end(d, error, path);
}

const char *debuginfod_trouble(const struct debuginfod *d)
{
	return d && d->trouble[0] ? d->trouble : NULL;
}
