/* SPDX-License-Identifier: Apache-2.0 */
#include "series/hook.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/exit_status.h"
#include "base/xalloc.h"

static _Noreturn void child(const char *command, const char *path, const sigset_t *mask)
{
	char *operand = *path == '-' ? xasprintf("./%s", path) : xstrdup(path);
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	if (nothing > 0)
		dup2(nothing, STDIN_FILENO);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0L, 0L, 0L);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execl("/bin/sh", "sh", "-c", command, "collect", operand, (char *)NULL);
	_exit(EXIT_FAILED);
}

pid_t hook_start(const char *command, const char *path, const sigset_t *mask)
{
	pid_t pid = fork();

	if (!pid)
		child(command, path, mask);
	if (pid > 0)
		setpgid(pid, pid); /* whoever comes first: it may have to end at once */
	return pid;
}

void hook_tell_failure(const char *path, int status, bool time_is_up)
{
	if (time_is_up)
		diag_warn("the hook for %s took longer than a recording, and was ended",
			  path);
	else if (WIFSIGNALED(status))
		diag_warn("the hook for %s was killed by signal %d", path,
			  WTERMSIG(status));
	else
		diag_warn("the hook for %s failed with status %d", path,
			  WEXITSTATUS(status));
}
