/* SPDX-License-Identifier: Apache-2.0 */
/* The names in a process's file: each text of a domain once, for as long as it lives. */
#ifndef RUNTIME_NAMES_H
#define RUNTIME_NAMES_H

#include <string.h>

#include "runtime/process.h"

/* Whether NAME is that of TEXT in DOMAIN. */
static inline bool names_is(const struct writer_process *p, uint32_t name,
			    uint32_t domain, const char *text)
{
	const struct channel_name *n =
		(const struct channel_name *)(const void *)(p->names + (size_t)name * 8);

	return n->domain == domain && !strncmp(n->text, text, CHANNEL_NAME_MAX);
}

/*
 * The name of TEXT in DOMAIN, a name or CHANNEL_NO_NAME.  If nobody knows it yet, it is
 * written, if it ends below LIMIT.  CHANNEL_NO_NAME: there is no room.
 */
uint32_t names_find(struct writer_process *p, uint32_t domain, const char *text,
		    uint64_t limit);

#endif
