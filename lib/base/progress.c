/* SPDX-License-Identifier: Apache-2.0 */
#include "base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS 1000000000u
#define PACE_NS     100000000u

void progress_init(struct progress *progress)
{
	const char *term = getenv("TERM");

	*progress = (struct progress){
		.watched = isatty(STDERR_FILENO) && term && strcmp(term, "dumb"),
	};
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_step(struct progress *progress, const char *what, uint64_t done,
		   uint64_t whole)
{
	uint64_t now;

	if (!progress || !progress->watched)
		return;
	now = now_ns();
	if (!progress->began_ns)
		progress->began_ns = now;
	if (now - progress->began_ns < PATIENCE_NS || now - progress->told_ns < PACE_NS)
		return;
	progress->told_ns = now;
	progress->shown = true;
	fprintf(stderr, "\r%s: %.0f %%\033[K", what,
		whole ? 100 * (double)done / (double)whole : 100.0);
	fflush(stderr);
}

void progress_end(struct progress *progress)
{
	if (!progress)
		return;
	if (progress->shown)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->shown = false;
	progress->began_ns = progress->told_ns = 0;
}
