/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runtimes that write a perf map with the names of the code that they generate, if started
 * with a flag.  A mapped file shows that a process runs one.
 */
#ifndef RUNTIMES_H
#define RUNTIMES_H

#include <stdbool.h>
#include <stddef.h>

struct runtime {
	const char *name;  /* "node" */
	const char *files; /* patterns of fnmatch(3) for a file's name, a space between */
	const char *flag;  /* "--perf-basic-prof" */
	const char *since; /* the first version that has it: "JDK 17" */
	/*
	 * It interprets: without the flag there is no generated code, and its own functions
	 * stand for those of the program.
	 */
	bool interprets;
};

/* The runtime whose program or library is the file PATH; NULL: none, or too old by its name. */
const struct runtime *runtime_of_file(const char *path);

/* All of them, by their number from 0 on; NULL: there are no more. */
const struct runtime *runtime_at(size_t number);

#endif
