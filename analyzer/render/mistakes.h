/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that were refused or failed, while the others ran. */
#ifndef MISTAKES_H
#define MISTAKES_H

#include <stddef.h>

struct mistake {
	char *command; /* NULL: it was not found, or an experiment could not be opened */
	int status;    /* er_print's exit status for it alone */
	char *text;
};

struct mistakes {
	struct mistake *data;
	size_t len, cap;
};

/* Copies both texts; COMMAND may be NULL. */
void mistakes_add(struct mistakes *mistakes, const char *command, int status,
		  const char *text);

/* Empties them for reuse. */
void mistakes_clear(struct mistakes *mistakes);
void mistakes_release(struct mistakes *mistakes);

#endif
