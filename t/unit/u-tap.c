/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the helpers: a check that cannot fail makes every other test worthless. */
#include "tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test program: five checks fail, two hold, one is skipped. */
static int failing_program(void)
{
	ok(1 + 1 == 3, "sum");
	is_u64(1, UINT64_MAX, "number");
	is_i64(-1, 1, "negative number");
	is_str("a\nb", NULL, "text");
	is_mem("abc", "abd", 3, "bytes");
	is_str(NULL, NULL, "no text");
	ok(true, "truth");
	skip(1, "tired");
	return done_testing();
}

/* Runs it in a child.  TEXT becomes its output; returns its exit status. */
static int run_child(char *text, size_t size)
{
	int fds[2], status;
	size_t len = 0;
	ssize_t got;
	pid_t pid;

	if (pipe(fds) < 0 || (fflush(stdout), pid = fork()) < 0)
		return -1;
	if (!pid) {
		dup2(fds[1], STDOUT_FILENO);
		status = failing_program();
		fflush(stdout);
		_exit(status);
	}
	close(fds[1]);
	while ((got = read(fds[0], text + len, size - 1 - len)) > 0)
		len += (size_t)got;
	text[len] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	char text[4096];

	is_i64(run_child(text, sizeof(text)), 1,
	       "after a failed check the exit status is 1");
	ok(strstr(text, "not ok 1 - sum\n"), "ok can fail");
	ok(strstr(text, "does not hold: 1 + 1 == 3"), "… and shows the expression");
	ok(strstr(text, "u-tap.c:"), "… and the place");
	ok(strstr(text, "not ok 2 - number\n"), "is_u64 can fail");
	ok(strstr(text, "not ok 3 - negative number\n"), "is_i64 can fail");
	ok(strstr(text, "got -1, want 1"), "… and keeps the sign");
	ok(strstr(text, "not ok 4 - text\n"), "is_str can fail");
	ok(strstr(text, "\"a\\nb\""), "… and keeps its diagnostics on one line");
	ok(strstr(text, "byte 2 of 3: got 0x63, want 0x64"), "is_mem names the byte");
	ok(strstr(text, "\nok 6 - no text\n"), "NULL equals NULL");
	ok(strstr(text, "\nok 8 # SKIP tired\n"), "skip gives its reason");
	ok(strstr(text, "\n1..8\n"), "the plan counts every check");
	return done_testing();
}
