/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function names that a JIT wrote for profilers: /tmp/perf-PID.map, lines of "START SIZE
 * name" in hex, by absolute address in that process.
 *
 * The profiled program writes the file, and may write without end.  So a map is read
 * backward, within a budget, and only entries that cover a requested address are kept.
 * JITs append, and reuse memory: of several entries that cover an address the last in the
 * file counts, and lines beyond the budget are older.  Malformed lines are skipped; so is
 * a last line without a newline, which may be incomplete.
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/named_file.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* The cost of a line is its length, but at least this: short ones take time too. */
enum { PERFMAP_LINE_COST = 64 };

struct perfmap_query {
	const uint64_t *addresses; /* ascending */
	size_t count;
	uint64_t budget; /* for lines; reduced by the cost of those read */
};

/* A function, or its part that no later one replaced at a requested address. */
struct perfmap_piece {
	uint64_t start, end;
	const char *name; /* in perfmap.texts */
};

struct perfmap {
	VEC(struct perfmap_piece) pieces; /* ascending and disjoint */
	struct strbuf texts;
	size_t unread; /* addresses without a name that the unread part may cover */
};

void perfmap_release(struct perfmap *map);

/*
 * Reads names for QUERY from FD.  0, or a negative errno with nothing to release.  A map
 * that is rewritten meanwhile gives none: it is all unread.
 */
int perfmap_read(struct perfmap *map, int fd, struct perfmap_query *query)
	__attribute__((warn_unused_result));

/*
 * The process whose map to find.  Everybody can write /tmp, and pids are reused: the map
 * must belong to the process's user or root, be no link, and have changed in that time.
 */
struct perfmap_place {
	const struct namer_of_files *by; /* the process; NULL: it is gone, or ours */
	int inner_pid;                   /* the pid in its own namespace, if BY */
	int pid;                         /* the pid that we see */
	uid_t owner;
	int64_t from_ns, to_ns; /* since the epoch; to_ns 0: until now */
};

/*
 * Looks in the process's own /tmp, then in ours, and reads the map.  As perfmap_read;
 * -EACCES: there is a map, but it was refused.
 */
int perfmap_find(struct perfmap *map, const struct perfmap_place *place,
		 struct perfmap_query *query) __attribute__((warn_unused_result));

#endif
