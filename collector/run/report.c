/* SPDX-License-Identifier: Apache-2.0 */
#include "run/report.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/exit_status.h"
#include "base/xalloc.h"
#include "target/target.h"

#define READER "er_print"

/* In the folder of our own file. */
static char *beside_us(void)
{
	char own[PATH_MAX], *path, *slash;
	ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (len < 0)
		return NULL;
	own[len] = '\0';
	slash = strrchr(own, '/');
	path = slash ? xasprintf("%.*s/" READER, (int)(slash - own), own) : NULL;
	if (path && access(path, X_OK) < 0) {
		free(path);
		return NULL;
	}
	return path;
}

static char *directory_of(const char *page)
{
	const char *slash = strrchr(page, '/');

	if (!slash)
		return xstrdup(".");
	return slash == page ? xstrdup("/") : xstrndup(page, (size_t)(slash - page));
}

static int check_place(const char *page, struct strbuf *err)
{
	char *directory = directory_of(page);
	const char *place = access(page, F_OK) < 0 ? directory : page;
	int error = access(place, W_OK) < 0 ? errno : 0;
	int status;
	struct stat st;

	if (!error && place == page && !stat(page, &st) && S_ISDIR(st.st_mode))
		error = EISDIR;
	status = error ? EXIT_FAILED : 0;
	if (error)
		strbuf_addf(err, "cannot write the page %s: %s: %s", page, place,
			    strerror(error));
	free(directory);
	return status;
}

int report_prepare(const char *page, char **er_print, struct strbuf *err)
{
	int status = check_place(page, err);

	if (status)
		return status;
	*er_print = beside_us();
	if (*er_print || !target_find(READER, er_print, err))
		return 0;
	strbuf_addstr(err, ", nor beside collect: --report requires it");
	return EXIT_FAILED;
}

/* A name that no program takes for an option. */
static char *as_operand(const char *path)
{
	return *path == '-' ? xasprintf("./%s", path) : xstrdup(path);
}

static _Noreturn void child(const char *er_print, const char *page,
			    const char *experiment, const sigset_t *mask)
{
	char name[] = READER, word[] = "-report";
	char *argv[] = { name, word, xstrdup(page), as_operand(experiment), NULL };

	sigprocmask(SIG_SETMASK, mask, NULL);
	execv(er_print, argv);
	diag_error("cannot execute %s: %s", er_print, strerror(errno));
	_exit(EXIT_FAILED);
}

int report_write(const char *er_print, const char *page, const char *experiment,
		 const sigset_t *mask)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid)
		child(er_print, page, experiment, mask);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && !status) {
		diag_note("the page is %s", page);
		return 0;
	}
	diag_error("the page %s was not made; try again with: er_print -report %s %s",
		   page, page, experiment);
	return -1;
}
