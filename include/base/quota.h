/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Something limited, such as memory, that files of several owners need: nobody can use up
 * what others need, however many files he has.
 *
 * An owner may have half of what the others left.  While he has less than a quarter of
 * that, each of his files may take half of the rest, so that one large file fits; then a
 * quarter.  A quarter of all is reserved for the system's own files (of root): one person
 * may have thousands of users, by user namespaces.
 */
#ifndef QUOTA_H
#define QUOTA_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

enum {
	QUOTA_RESERVE = 4,  /* a quarter of all */
	QUOTA_OF_OWNER = 2, /* half of what others left */
	QUOTA_PLENTY = 4,   /* until the owner has a quarter of that, … */
	QUOTA_OF_FIRST = 2, /* … a file may take half of what he has left, … */
	QUOTA_OF_FILE = 4,  /* … and then a quarter */
	QUOTA_OWNERS_MAX = 1 << 10, /* those beyond are one */
};

struct quota_share {
	uid_t owner;
	uint64_t has;
};

struct quota {
	uint64_t left, reserve;
	uint64_t refused; /* the caller's count */
	VEC(struct quota_share) owners;
};

void quota_init(struct quota *q, uint64_t all);
void quota_release(struct quota *q);

/* The most that the next file of OWNER may take. */
uint64_t quota_most(const struct quota *q, uid_t owner);

/* Takes that much for OWNER; false, and nothing is taken, if it is more than the most. */
bool quota_take(struct quota *q, uid_t owner, uint64_t len);

/* OWNER gives back some of what he took. */
void quota_give_back(struct quota *q, uid_t owner, uint64_t len);

#endif
