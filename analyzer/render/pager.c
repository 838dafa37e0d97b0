/* SPDX-License-Identifier: Apache-2.0 */
#include "render/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Small systems lack less: then the answer is shown directly. */
#define USUAL "if command -v less >/dev/null; then exec less; else exec cat; fi"

/* The shell's status for a missing command, which has read nothing. */
#define OR_PLAIN "eval \"$1\" || [ $? -ne 127 ] || exec cat"

static const char *command(void)
{
	const char *own = getenv("RINGPROF_PAGER"), *common = getenv("PAGER");

	return own ? own : common ? common : USUAL;
}

static _Noreturn void run(const char *text, int input)
{
	dup2(input, STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	execlp("sh", "sh", "-c", OR_PLAIN, "sh", text, (char *)NULL);
	_exit(127);
}

/* A user who has seen enough ends the pager: that must not kill us. */
void pager_open(struct pager *pager)
{
	const char *text = command();
	int ends[2];
	pid_t pid;

	if (!*text || !strcmp(text, "cat") || pipe2(ends, O_CLOEXEC) < 0)
		return;
	fflush(stdout);
	signal(SIGPIPE, SIG_IGN);
	pid = fork();
	if (pid == 0) {
		signal(SIGPIPE, SIG_DFL);
		close(ends[1]);
		run(text, ends[0]);
	}
	close(ends[0]);
	pager->file = pid > 0 ? fdopen(ends[1], "w") : NULL;
	pager->pid = pid;
	if (!pager->file)
		close(ends[1]);
}

/* An interrupt is meant for the pager now. */
void pager_close(struct pager *pager)
{
	void (*before)(int);

	if (!pager->file)
		return;
	fclose(pager->file);
	before = signal(SIGINT, SIG_IGN);
	while (waitpid(pager->pid, NULL, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, before);
	*pager = (struct pager){ 0 };
}
