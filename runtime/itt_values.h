/* SPDX-License-Identifier: Apache-2.0 */
/* What programs say by ITT with a value: counters, and notes on the innermost region. */
#ifndef ITT_VALUES_H
#define ITT_VALUES_H

#include <stddef.h>

#include "runtime/itt_handles.h"

/* ---- counters; each may be NULL ---- */

void *itt_create_counter_typed(const char *name, const char *domain, int type);
void *itt_create_counter(const char *name, const char *domain);
void *itt_create_counter_in(const struct itt_domain *domain, const char *name, int type);
void itt_set_counter_at(struct itt_counter *counter, const void *clock,
			unsigned long long time, const void *value);
void itt_set_counter(struct itt_counter *counter, const void *value);
void itt_count_up(struct itt_counter *counter);
void itt_count_up_by(struct itt_counter *counter, unsigned long long by);
void itt_count_down(struct itt_counter *counter);
void itt_count_down_by(struct itt_counter *counter, unsigned long long by);
void itt_count_up_in(const struct itt_domain *domain, const struct itt_string *name);
void itt_count_up_by_in(const struct itt_domain *domain, const struct itt_string *name,
			unsigned long long by);
void itt_count_down_in(const struct itt_domain *domain, const struct itt_string *name);
void itt_count_down_by_in(const struct itt_domain *domain, const struct itt_string *name,
			  unsigned long long by);

/* ---- notes: of several values the first, of a text 255 bytes ---- */

void itt_note_string(const struct itt_domain *domain, struct itt_id id,
		     const struct itt_string *key, const char *data, size_t length);
void itt_note_string_in_scope(const struct itt_domain *domain, int scope,
			      const struct itt_string *key, const char *data,
			      size_t length);
void itt_note_value(const struct itt_domain *domain, struct itt_id id,
		    const struct itt_string *key, int type, size_t values,
		    const void *data);
void itt_note_value_in_scope(const struct itt_domain *domain, int scope,
			     const struct itt_string *key, int type, size_t values,
			     const void *data);
void itt_note_formatted(const struct itt_domain *domain, const struct itt_string *format,
			...);
void itt_note_formatted_apart(const struct itt_domain *domain, struct itt_id id,
			      const struct itt_string *format, ...);

#endif
