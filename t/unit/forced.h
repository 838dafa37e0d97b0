/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another CPU's names for a test.  libpfm4 reads LIBPFM_FORCE_PMU once in a process, so a
 * test of several CPUs asks in a child each, which answers in memory that both see.
 */
#ifndef FORCED_H
#define FORCED_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/pfm.h"
#include "events/event.h"
#include "tap.h"

/* No /sys at all: a test's result must not depend on the machine. */
#define NO_SYS "/nonexistent"

/* The names of PMU, as libpfm4 calls it, and ROOT's /sys. */
static inline struct events *forced_open(const char *pmu, const char *root)
{
	struct strbuf err = { 0 };
	struct events *events;

	setenv("LIBPFM_FORCE_PMU", pmu, 1);
	events = events_open(root, &err);
	strbuf_release(&err);
	return events;
}

/* The same without a /sys; skips the whole test where libpfm4 was built without the
 * table. */
static inline struct events *forced_or_skip(const char *pmu)
{
	struct events *events = forced_open(pmu, NO_SYS);
	const char *cpu = pfm_cpu();

	if (!events || !cpu || strcmp(cpu, pmu) != 0)
		skip_all("this build of libpfm4 has no table for the CPU");
	return events;
}

/* LEN zeroed bytes for the answer. */
static inline void *forced_answer(size_t len)
{
	void *answer = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);

	if (answer == MAP_FAILED)
		exit(99);
	return answer;
}

/* Runs ASK in a child with PMU's names; false where it died. */
static inline bool forced_ask(const char *pmu,
			      void (*ask)(const struct events *events, void *answer),
			      void *answer)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		struct events *events = forced_open(pmu, NO_SYS);

		if (events)
			ask(events, answer);
		events_close(events);
		_exit(events ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

#endif
