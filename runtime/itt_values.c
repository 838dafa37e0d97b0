/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/itt_values.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/calls.h"

/* ---- values ---- */

/* What DATA points to, in the form of the channel. */
static void set_value(struct saying *saying, enum itt_type type, const void *data)
{
	union {
		uint64_t u64;
		int64_t s64;
		uint32_t u32;
		int32_t s32;
		uint16_t u16;
		int16_t s16;
		float real32;
		double real64;
	} value = { 0 };
	static const unsigned char sizes[] = {
		[ITT_U64] = 8, [ITT_S64] = 8, [ITT_U32] = 4,   [ITT_S32] = 4,
		[ITT_U16] = 2, [ITT_S16] = 2, [ITT_FLOAT] = 4, [ITT_DOUBLE] = 8,
	};

	if (!data || type <= ITT_UNKNOWN || type > ITT_DOUBLE)
		return;
	memcpy(&value, data, sizes[type]);
	saying->type = CHANNEL_UNSIGNED;
	saying->data = value.u64; /* the smaller unsigned ones too: the rest is zero */
	if (type == ITT_S64 || type == ITT_S32 || type == ITT_S16) {
		saying->type = CHANNEL_SIGNED;
		saying->data = type == ITT_S64   ? value.u64
			       : type == ITT_S32 ? (uint64_t)(int64_t)value.s32
						 : (uint64_t)(int64_t)value.s16;
	} else if (type == ITT_FLOAT || type == ITT_DOUBLE) {
		const float narrow = value.real32;

		saying->type = CHANNEL_REAL;
		if (type == ITT_FLOAT)
			value.real64 = (double)narrow;
		saying->data = value.u64;
	}
}

void *itt_create_counter_typed(const char *name, const char *domain, int type)
{
	return itt_counter_of(domain, name, type);
}

void *itt_create_counter(const char *name, const char *domain)
{
	return itt_counter_of(domain, name, ITT_U64);
}

void *itt_create_counter_in(const struct itt_domain *domain, const char *name, int type)
{
	return itt_counter_of(domain ? domain->name : NULL, name, type);
}

/* What the static part made counts in one of ours, of the same names. */
static struct itt_counter *own_counter(struct itt_counter *counter)
{
	struct itt_counter *own = __atomic_load_n(&counter->count, __ATOMIC_ACQUIRE);

	if (own)
		return own;
	own = itt_counter_of(counter->domain, counter->name, counter->type);
	__atomic_store_n(&counter->count, own, __ATOMIC_RELEASE);
	return own;
}

static struct saying value_of(const struct itt_counter *counter)
{
	return (struct saying){ .kind = CHANNEL_COUNTER,
				.domain = counter->domain,
				.name = counter->name ? counter->name : "(no name)" };
}

/* NULL: there is none, or it is not wanted. */
static struct itt_counter *wanted(struct itt_counter *counter)
{
	counter = counter ? own_counter(counter) : NULL;
	return counter && counter->wanted ? counter : NULL;
}

void itt_set_counter_at(struct itt_counter *counter, const void *clock,
			unsigned long long time, const void *value)
{
	struct saying saying;

	counter = wanted(counter);
	if (!counter)
		return;
	saying = value_of(counter);
	saying.time = itt_time_of(clock, time);
	set_value(&saying, (enum itt_type)counter->type, value);
	if (!saying.type)
		return;
	if (saying.type != CHANNEL_REAL) /* a count goes on from there */
		__atomic_store_n((unsigned long long *)&counter->index, saying.data,
				 __ATOMIC_RELAXED);
	regions_say(&saying);
}

void itt_set_counter(struct itt_counter *counter, const void *value)
{
	itt_set_counter_at(counter, NULL, 0, value);
}

static void count(struct itt_counter *counter, unsigned long long by)
{
	struct saying saying;

	counter = wanted(counter);
	if (!counter)
		return;
	saying = value_of(counter);
	saying.type = CHANNEL_SIGNED;
	saying.data = __atomic_add_fetch((unsigned long long *)&counter->index, by,
					 __ATOMIC_RELAXED);
	regions_say(&saying);
}

void itt_count_up(struct itt_counter *counter)
{
	count(counter, 1);
}

void itt_count_up_by(struct itt_counter *counter, unsigned long long by)
{
	count(counter, by);
}

void itt_count_down(struct itt_counter *counter)
{
	count(counter, -1ULL);
}

void itt_count_down_by(struct itt_counter *counter, unsigned long long by)
{
	count(counter, 0 - by);
}

static void count_in(const struct itt_domain *domain, const struct itt_string *name,
		     unsigned long long by)
{
	if (itt_is_on(domain))
		count(itt_counter_of(domain->name, itt_text_of(name), ITT_U64), by);
}

void itt_count_up_in(const struct itt_domain *domain, const struct itt_string *name)
{
	count_in(domain, name, 1);
}

void itt_count_up_by_in(const struct itt_domain *domain, const struct itt_string *name,
			unsigned long long by)
{
	count_in(domain, name, by);
}

void itt_count_down_in(const struct itt_domain *domain, const struct itt_string *name)
{
	count_in(domain, name, -1ULL);
}

void itt_count_down_by_in(const struct itt_domain *domain, const struct itt_string *name,
			  unsigned long long by)
{
	count_in(domain, name, 0 - by);
}

/* ---- notes ---- */

static void note_text(const struct itt_domain *domain, const struct itt_string *key,
		      const char *text)
{
	regions_say(&(struct saying){ .kind = CHANNEL_NOTE,
				      .domain = domain->name,
				      .name = itt_text_of(key),
				      .type = CHANNEL_TEXT,
				      .text = text });
}

static void note_string(const struct itt_domain *domain, const struct itt_string *key,
			const char *data, size_t length)
{
	char text[ITT_TEXT_MAX];

	if (!itt_is_on(domain) || !data)
		return;
	length = strnlen(data, length);
	if (length >= sizeof(text))
		length = sizeof(text) - 1;
	memcpy(text, data, length);
	text[length] = '\0';
	note_text(domain, key, text);
}

void itt_note_string(const struct itt_domain *domain, struct itt_id id,
		     const struct itt_string *key, const char *data, size_t length)
{
	(void)id;
	note_string(domain, key, data, length);
}

void itt_note_string_in_scope(const struct itt_domain *domain, int scope,
			      const struct itt_string *key, const char *data,
			      size_t length)
{
	(void)scope;
	note_string(domain, key, data, length);
}

/* Of several values the first. */
static void note_value(const struct itt_domain *domain, const struct itt_string *key,
		       int type, size_t values, const void *data)
{
	struct saying saying = { .kind = CHANNEL_NOTE, .name = itt_text_of(key) };

	if (!itt_is_on(domain) || !values)
		return;
	saying.domain = domain->name;
	set_value(&saying, (enum itt_type)type, data);
	if (saying.type)
		regions_say(&saying);
}

void itt_note_value(const struct itt_domain *domain, struct itt_id id,
		    const struct itt_string *key, int type, size_t values,
		    const void *data)
{
	(void)id;
	note_value(domain, key, type, values, data);
}

void itt_note_value_in_scope(const struct itt_domain *domain, int scope,
			     const struct itt_string *key, int type, size_t values,
			     const void *data)
{
	(void)scope;
	note_value(domain, key, type, values, data);
}

static void note_formatted(const struct itt_domain *domain,
			   const struct itt_string *format, va_list args)
{
	char text[ITT_TEXT_MAX];

	if (!itt_is_on(domain) || !format || !format->text)
		return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	vsnprintf(text, sizeof(text), format->text, args);
#pragma GCC diagnostic pop
	note_text(domain, format, text);
}

void itt_note_formatted(const struct itt_domain *domain, const struct itt_string *format,
			...)
{
	va_list args;

	va_start(args, format);
	note_formatted(domain, format, args);
	va_end(args);
}

void itt_note_formatted_apart(const struct itt_domain *domain, struct itt_id id,
			      const struct itt_string *format, ...)
{
	va_list args;

	(void)id;
	va_start(args, format);
	note_formatted(domain, format, args);
	va_end(args);
}
