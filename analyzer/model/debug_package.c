/* SPDX-License-Identifier: Apache-2.0 */
#include "model/debug_package.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/distributor.h"
#include "base/xalloc.h"

extern char **environ;

enum { ANSWER_MAX = 1 << 12 };

/* ---- asking programs ---- */

static int spawn(const char *const *argv, int out, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	int error = posix_spawn_file_actions_init(&files);

	if (error)
		return error;
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(pid, argv[0], &files, NULL, (char *const *)(uintptr_t)argv,
			     environ);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

/* The output of ARGV, if it succeeds. */
static bool ask(const char *const *argv, struct strbuf *out)
{
	int ends[2], status = -1, error = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	if (spawn(argv, ends[1], &pid))
		pid = -1;
	close(ends[1]);
	if (pid > 0)
		error = file_read_fd(ends[0], ANSWER_MAX, out);
	(void)error; /* look for names in the output so far */
	close(ends[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return pid > 0 && status == 0 && out->len;
}

/* ---- which package ---- */

/* The first line that begins with a name, unlike those of diversions; or NULL. */
static char *first_name(const struct strbuf *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789.+-_";
	const char *line = text->data;

	while (line) {
		size_t len = strspn(line, letters);

		if (len && line[len] && strchr(":,\n", line[len]))
			return xstrndup(line, len);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return NULL;
}

/*
 * If /lib is a link to /usr/lib, dpkg knows a file by either name.  It accepts patterns:
 * a path that is one is not looked up.
 */
static char *owner_of(const char *path)
{
	char *longer = xasprintf("/usr%s", path), *owner = NULL;
	const char *names[] = { path, longer,
				strncmp(path, "/usr/", 5) ? path : path + 4 };

	for (size_t i = 0; !owner && !strpbrk(path, "*?[\\") && i < 3; i++) {
		struct strbuf answer = { 0 };

		if (ask((const char *[]){ "dpkg", "-S", "--", names[i], NULL }, &answer))
			owner = first_name(&answer);
		strbuf_release(&answer);
	}
	free(longer);
	return owner;
}

static char *rpm_owner_of(const char *path)
{
	struct strbuf answer = { 0 };
	char *owner = NULL;

	if (ask((const char *[]){ "rpm", "-qf", "--qf", "%{NAME}\n", path, NULL },
		&answer))
		owner = first_name(&answer);
	strbuf_release(&answer);
	return owner;
}

/* ---- which system ---- */

/* Debian's and Ubuntu's archives of debug packages must be added to apt first. */
static bool has_debug_archive(const char *root)
{
	static const char *const lists[] = { "*-debug_*_Packages*", "*ddebs*_Packages*" };
	bool has = false;

	for (size_t i = 0; !has && i < sizeof(lists) / sizeof(lists[0]); i++) {
		char *pattern = xasprintf("%s/var/lib/apt/lists/%s", root, lists[i]);
		glob_t found;

		if (glob(pattern, 0, NULL, &found) == 0) {
			has = found.gl_pathc > 0;
			globfree(&found);
		}
		free(pattern);
	}
	return has;
}

/* The C library's debug package is in the archive proper. */
static bool put_apt(const char *root, const char *package, struct strbuf *out)
{
	if (!strcmp(package, "libc6"))
		strbuf_addstr(out, "apt-get install libc6-dbg");
	else if (has_debug_archive(root))
		strbuf_addf(out, "apt-get install %s-dbgsym", package);
	return out->len;
}

static bool put_dnf(const char *root, const char *package, struct strbuf *out)
{
	(void)root;
	strbuf_addf(out, "dnf debuginfo-install %s", package);
	return true;
}

static bool put_zypper(const char *root, const char *package, struct strbuf *out)
{
	(void)root;
	strbuf_addf(out, "zypper install %s-debuginfo", package);
	return true;
}

/* By the distributor's id. */
static const struct system {
	const char *id;
	char *(*owner)(const char *path);
	bool (*put)(const char *root, const char *package, struct strbuf *out);
} systems[] = {
	{ "debian", owner_of, put_apt },     { "ubuntu", owner_of, put_apt },
	{ "fedora", rpm_owner_of, put_dnf }, { "centos", rpm_owner_of, put_dnf },
	{ "rhel", rpm_owner_of, put_dnf },   { "opensuse", rpm_owner_of, put_zypper },
};

static const struct system *system_of(const struct distributor *distributor)
{
	for (size_t i = 0; distributor && i < sizeof(systems) / sizeof(systems[0]); i++)
		if (!strcmp(distributor->id, systems[i].id))
			return &systems[i];
	return NULL;
}

bool debug_package(const char *root, const char *path, struct strbuf *out)
{
	const struct distributor *distributor = distributor_may_own(path)
							? distributor_here(root)
							: NULL;
	const struct system *system = system_of(distributor);
	char *package = system ? system->owner(path) : NULL;
	struct strbuf command = { 0 };

	if (!package)
		return false;
	if (system->put(root, package, &command))
		strbuf_addstr(out, command.data);
	else if (getenv("DEBUGINFOD_URLS"))
		strbuf_addf(out, "install the debug package of %s", package);
	else
		strbuf_addf(out, "DEBUGINFOD_URLS=%s", distributor->server);
	strbuf_release(&command);
	free(package);
	return true;
}
