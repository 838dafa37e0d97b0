/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ITT's create calls return: one handle for each text, for ever, whichever thread or
 * library asks.  Names are copied.  The calls take a lock, which is free in a forked child.
 */
#ifndef ITT_HANDLES_H
#define ITT_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/itt_abi.h"

/* Once, before any other call. */
void itt_handles_init(void);

struct itt_domain *itt_domain_of(const char *name);
struct itt_string *itt_string_of(const char *text);

/* NULL: no memory.  Both names may be NULL. */
struct itt_counter *itt_counter_of(const char *domain, const char *name, int type);

/* A number from 1; 0: there are too many.  Of events, and of marks, which are apart. */
int itt_event_of(const char *name, int len);
int itt_mark_of(const char *name);

/* NULL: there is no such number. */
const char *itt_event_name(int event);
const char *itt_mark_name(int mark);

/* Whether the user wants what is said in the domain of that name; NULL: in none. */
int itt_domain_is_chosen(const char *name);

enum { ITT_TEXT_MAX = 256 }; /* bytes of a text that is made here */

static inline bool itt_is_on(const struct itt_domain *domain)
{
	return domain && domain->flags;
}

static inline const char *itt_text_of(const struct itt_string *string)
{
	return string && string->text ? string->text : "(no name)";
}

/* A time of the program's own clock means nothing here: it is now. */
static inline uint64_t itt_time_of(const void *clock, unsigned long long time)
{
	return clock ? 0 : time;
}

#endif
