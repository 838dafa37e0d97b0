/* SPDX-License-Identifier: Apache-2.0 */
#include "page/browse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

#define OPENER "xdg-open"

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

bool browse_is_expected(void)
{
	return isatty(STDOUT_FILENO) && isatty(STDERR_FILENO) &&
	       (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

/* A browser that starts may write for minutes, and must not die with the terminal. */
static _Noreturn void opener(const char *path, int failed)
{
	char name[] = OPENER, *copy = xstrdup(path);
	char *argv[] = { name, copy, NULL };
	int null = open("/dev/null", O_RDWR), error;

	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	setsid();
	execvp(OPENER, argv);
	error = errno;
	_exit(write(failed, &error, sizeof(error)) < 0);
}

/* A child's child, which nobody has to wait for. */
static _Noreturn void parent_of_opener(const char *path, int failed)
{
	pid_t pid = fork();

	if (!pid)
		opener(path, failed);
	_exit(pid < 0 ? 1 : 0);
}

int browse_open(const char *path)
{
	char *place = *path == '/' ? xstrdup(path) : xasprintf("./%s", path);
	int ends[2], error = 0, status = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		error = errno;
		goto out;
	}
	pid = fork();
	if (!pid)
		parent_of_opener(place, ends[1]);
	close(ends[1]);
	if (pid < 0 || (waitpid(pid, &status, 0) == pid && status))
		error = EAGAIN;
	else if (read(ends[0], &error, sizeof(error)) != (ssize_t)sizeof(error))
		error = 0; /* it was executed, which closed the pipe */
	close(ends[0]);
out:
	free(place);
	return -error;
}
