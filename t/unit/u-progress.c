/* SPDX-License-Identifier: Apache-2.0 */
/* Progress for a waiting user: none at first, then a line that is erased. */
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

/* The output to standard error since the last call. */
static const char *said(void)
{
	static char text[256];
	static long before;
	ssize_t len = pread(STDERR_FILENO, text, sizeof(text) - 1, before);

	text[len > 0 ? len : 0] = '\0';
	before += len > 0 ? len : 0;
	return text;
}

/* Whether less than the shortest delay, a tenth of a second, has passed since THEN. */
static bool is_recent(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000000000L + now.tv_nsec - then->tv_nsec <
	       100000000L;
}

/*
 * The output of a step soon after one at BEGAN_NS; 0: the first one begins.  Tries again
 * if a busy machine separates the two.
 */
static const char *said_next(struct progress *p, uint64_t began_ns)
{
	struct timespec then;
	const char *text;

	do {
		progress_end(p);
		p->began_ns = began_ns;
		clock_gettime(CLOCK_MONOTONIC, &then);
		progress_step(p, "reading", 1, 2);
		said();
		progress_step(p, "reading", 2, 2);
		text = said();
	} while (!is_recent(&then));
	return text;
}

int main(void)
{
	struct progress p;
	FILE *file = tmpfile();

	if (!file || dup2(fileno(file), STDERR_FILENO) < 0)
		return 99;
	progress_init(&p);
	ok(!p.watched, "a file is not watched");
	p.began_ns = 1;
	progress_step(&p, "reading", 1, 2);
	progress_end(&p);
	is_str(said(), "", "… and gets no output");
	progress_step(NULL, "reading", 1, 2);
	progress_end(NULL);
	is_str(said(), "", "without progress there is no output");

	p.watched = true;
	is_str(said_next(&p, 0), "", "a short task shows nothing");
	progress_end(&p);
	p.began_ns = 1; /* long ago */
	progress_step(&p, "reading", 1, 2);
	is_str(said(), "\rreading: 50 %\033[K", "a long one shows a line");
	is_str(said_next(&p, 1), "", "… but not at each step");
	progress_end(&p);
	is_str(said(), "\r\033[K", "the end erases the line");
	progress_end(&p);
	is_str(said(), "", "… once");
	fclose(file);
	return done_testing();
}
