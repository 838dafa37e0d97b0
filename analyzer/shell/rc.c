/* SPDX-License-Identifier: Apache-2.0 */
#include "shell/rc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "shell/script.h"
#include "base/utf8.h"
#include "base/xalloc.h"

enum { RC_BYTES_MAX = 64 << 10, RC_MISTAKES_MAX = 10, RC_FILES = 3 };

/* The paths in order; NULL if there is no such directory.  The caller frees them. */
static void find_paths(char *paths[RC_FILES])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		paths[0] = xasprintf("%s/ringprof/er.rc", config);
	else if (home && *home == '/')
		paths[0] = xasprintf("%s/.config/ringprof/er.rc", home);
	if (home && *home == '/')
		paths[1] = xasprintf("%s/.er.rc", home);
	paths[2] = xstrdup(".er.rc");
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return a && b && !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* A line may have any content, which must not control the terminal. */
static void warn(const char *path, size_t number, const char *why)
{
	struct strbuf text = { 0 };

	utf8_printable(&text, why);
	diag_warn("%s:%zu: %s", path, number, strbuf_str(&text));
	strbuf_release(&text);
}

/* A NUL follows the LEN bytes. */
static void run_lines(struct session *s, const char *path, char *text, size_t len)
{
	size_t number = 0, mistakes = 0;
	char *end = text + len, *next;

	for (char *line = text; line < end && mistakes < RC_MISTAKES_MAX; line = next) {
		struct strbuf why = { 0 };
		char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		*stop = '\0';
		next = stop + 1;
		number++;
		if (script_check(line, (size_t)(stop - line), &why) ||
		    script_setting(s, line, &why)) {
			warn(path, number, strbuf_str(&why));
			mistakes++;
		}
		strbuf_release(&why);
	}
	if (mistakes == RC_MISTAKES_MAX)
		diag_warn("%s: the rest is not read", path);
}

static void run_file(struct session *s, const char *path)
{
	struct strbuf text = { 0 };
	int error = file_read(path, RC_BYTES_MAX, &text);

	if (!error) {
		strbuf_addch(&text, '\0');
		run_lines(s, path, text.data, text.len - 1);
	} else if (error != -ENOENT && error != -ENOTDIR) {
		diag_warn("%s: %s", path, strerror(-error));
	}
	strbuf_release(&text);
}

void rc_run(struct session *s)
{
	char *paths[RC_FILES] = { 0 };

	find_paths(paths);
	s->reading_rc = true;
	for (int i = 0; i < RC_FILES; i++) {
		/* once, if the current directory is the home */
		if (paths[i] && !(i && same_file(paths[i - 1], paths[i])))
			run_file(s, paths[i]);
		if (i)
			free(paths[i - 1]);
	}
	free(paths[RC_FILES - 1]);
	s->reading_rc = false;
}
