/* SPDX-License-Identifier: Apache-2.0 */
#include "target/group_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup2.h"
#include "base/nearest.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "target/group_match.h"

enum {
	GROUPS_MAX = 1 << 17, /* to search: anybody with a slice can make groups */
	LISTED = 8,
};

typedef VEC(char *) path_vec;

static void release_paths(path_vec *paths)
{
	vec_for_each(char *const, path, paths)
		free(*path);
	vec_release(paths);
}

void group_place_release(struct group_place *place)
{
	free(place->path);
	free(place->directory);
	*place = (struct group_place){ 0 };
}

/* One look for WORD. */
struct search {
	const char *root, *mount, *word;
	path_vec paths; /* of all groups so far */
	path_vec found[GROUP_KINDS];
	struct nearest near;
};

/* ---- by name ---- */

static void offer(struct search *s, const char *name)
{
	struct strbuf plain = { 0 };

	group_unescape(name, &plain);
	nearest_offer(&s->near, strbuf_str(&plain));
	if (strrchr(plain.data, '.')) {
		*strrchr(plain.data, '.') = '\0';
		nearest_offer(&s->near, plain.data);
	}
	strbuf_release(&plain);
}

static void look_at(struct search *s, const char *parent, const char *name)
{
	enum group_kind kind = group_match(name, s->word);
	char *path = xasprintf("%s/%s", parent, name);

	*vec_push(&s->paths) = path;
	if (kind < GROUP_KINDS)
		*vec_push(&s->found[kind]) = xstrdup(path);
	else if (*name)
		offer(s, name);
}

/* The groups directly below that of PATH, "" the first. */
static void look_below(struct search *s, const char *path)
{
	char *directory = xasprintf("%s%s", s->mount, path);
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && s->paths.len < GROUPS_MAX && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
		    strcmp(entry->d_name, ".."))
			look_at(s, path, entry->d_name);
	if (dir)
		closedir(dir);
	free(directory);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int tell_several(const struct search *s, path_vec *found, struct strbuf *err)
{
	qsort(found->data, found->len, sizeof(*found->data), by_text);
	strbuf_addf(err, "--cgroup %s: %zu groups have that name, say which: ", s->word,
		    found->len);
	for (size_t i = 0; i < found->len && i < LISTED; i++)
		strbuf_addf(err, "%s%s", i ? ", " : "", found->data[i]);
	if (found->len > LISTED)
		strbuf_addf(err, " and %zu more", found->len - LISTED);
	return -ENOTUNIQ;
}

static int tell_none(const struct search *s, struct strbuf *err)
{
	strbuf_addf(err, "--cgroup %s: no control group has that name", s->word);
	if (s->near.count) {
		strbuf_addstr(err, "; did you mean ");
		nearest_join(&s->near, err);
		strbuf_addch(err, '?');
	}
	return -ENOENT;
}

static int find_name(struct search *s, struct group_place *place, struct strbuf *err)
{
	int kind = 0;

	look_below(s, "");
	for (size_t i = 0; i < s->paths.len; i++)
		look_below(s, s->paths.data[i]);
	while (kind < GROUP_KINDS && !s->found[kind].len)
		kind++;
	if (kind == GROUP_KINDS)
		return tell_none(s, err);
	if (s->found[kind].len > 1)
		return tell_several(s, &s->found[kind], err);
	place->path = xstrdup(s->found[kind].data[0]);
	return 0;
}

/* ---- by path ---- */

/* Behind the mount, if PATH begins with it; else PATH. */
static const char *below_mount(const char *mount, const char *path)
{
	size_t len = strlen(mount);

	return !strncmp(path, mount, len) && (path[len] == '/' || !path[len]) ? path + len
									      : path;
}

/* Adds the parts of PATH, each with a / before it: -EINVAL if one of them leads up. */
static int add_parts(const char *path, struct strbuf *out)
{
	size_t len;

	for (; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		if (len == 2 && !strncmp(path, "..", 2))
			return -EINVAL;
		if (len && !(len == 1 && *path == '.'))
			strbuf_addf(out, "/%.*s", (int)len, path);
	}
	return 0;
}

/* Groups that are near by their whole path. */
static void offer_paths(struct search *s)
{
	look_below(s, "");
	for (size_t i = 0; i < s->paths.len; i++)
		look_below(s, s->paths.data[i]);
	nearest_release(&s->near);
	nearest_init(&s->near, s->word);
	vec_for_each(char *const, path, &s->paths)
		nearest_offer(&s->near, *path);
}

static int find_path(struct search *s, const char *path, struct group_place *place,
		     struct strbuf *err)
{
	struct strbuf clean = { 0 };
	struct stat st;
	int error = add_parts(below_mount(s->mount, path), &clean);
	char *directory = xasprintf("%s%s", s->mount, strbuf_str(&clean));

	if (error) {
		strbuf_addf(err, "--cgroup %s: a path of groups has no ..", s->word);
	} else if (lstat(directory, &st) || !S_ISDIR(st.st_mode)) {
		offer_paths(s);
		error = tell_none(s, err);
	} else {
		place->path = xstrdup(clean.len ? clean.data : "/");
	}
	strbuf_release(&clean);
	free(directory);
	return error;
}

static int find_own(struct search *s, struct group_place *place, struct strbuf *err)
{
	char *own = cgroup2_own(s->root);
	int error = own ? find_path(s, own, place, err) : -ENOENT;

	if (!own)
		strbuf_addf(err, "--cgroup %s: the group of collect is unknown", s->word);
	free(own);
	return error;
}

/* ---- both ---- */

/* Only the first group of all has no file of events. */
static int refuse_machine(const struct group_place *place, const char *word,
			  struct strbuf *err)
{
	char *events = xasprintf("%s/cgroup.events", place->directory);
	int error = 0;

	if (!strcmp(place->path, "/") && access(events, F_OK))
		error = -EINVAL;
	if (error)
		strbuf_addf(err, "--cgroup %s: that is the whole machine; say -a", word);
	free(events);
	return error;
}

/* kubectl says "containerd://ID". */
static const char *without_scheme(const char *word)
{
	const char *colon = strstr(word, "://");

	return colon && colon[3] && colon[3] != '/' ? colon + 3 : word;
}

static int look_for(struct search *s, struct group_place *place, struct strbuf *err)
{
	if (!strcmp(s->word, "self"))
		return find_own(s, place, err);
	return strchr(s->word, '/') ? find_path(s, s->word, place, err)
				    : find_name(s, place, err);
}

static int refuse_version_1(const char *word, struct strbuf *err)
{
	strbuf_addf(err,
		    "--cgroup %s: groups of version 1 are not supported: each controller "
		    "has a hierarchy of its own there, so that a name means several sets "
		    "of processes; name processes with -P, or use version 2 "
		    "(systemd.unified_cgroup_hierarchy=1)",
		    word);
	return -ENOTSUP;
}

int group_find(const char *root, const char *word, struct group_place *place,
	       struct strbuf *err)
{
	char *mount = cgroup2_mount(root);
	struct search s = { .root = root, .mount = mount };
	int error;

	*place = (struct group_place){ 0 };
	s.word = without_scheme(word);
	if (!mount || (cgroup1_has(root, word) && below_mount(mount, word) == word)) {
		free(mount);
		return refuse_version_1(word, err);
	}
	nearest_init(&s.near, s.word);
	error = look_for(&s, place, err);
	if (!error) {
		place->directory = xasprintf("%s%s", mount, place->path);
		error = refuse_machine(place, word, err);
	}
	for (int kind = 0; kind < GROUP_KINDS; kind++)
		release_paths(&s.found[kind]);
	release_paths(&s.paths);
	nearest_release(&s.near);
	free(mount);
	return error;
}
