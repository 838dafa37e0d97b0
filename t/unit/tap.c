/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned count, failed;
} tap;

/* A line feed in a diagnostic would start a line that is no comment. */
static void print_quoted(const char *label, const char *text)
{
	printf("#   %s ", label);
	if (!text) {
		printf("NULL\n");
		return;
	}
	putchar('"');
	for (; *text; text++)
		if (*text == '\n')
			printf("\\n");
		else
			putchar(*text);
	printf("\"\n");
}

static void result(const char *file, int line, bool held, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

/* The result line; a failure adds the place.  The caller prints the expected value. */
static void result(const char *file, int line, bool held, const char *fmt, va_list ap)
{
	printf("%sok %u - ", held ? "" : "not ", ++tap.count);
	vprintf(fmt, ap);
	putchar('\n');
	if (!held) {
		tap.failed++;
		printf("#   at %s:%d\n", file, line);
	}
}

#define RESULT(held)                                                                     \
	do {                                                                             \
		va_list ap;                                                              \
		va_start(ap, fmt);                                                       \
		result(file, line, (held), fmt, ap);                                     \
		va_end(ap);                                                              \
	} while (0)

bool tap_ok(const char *file, int line, const char *text, bool held, const char *fmt, ...)
{
	RESULT(held);
	if (!held)
		printf("#   does not hold: %s\n", text);
	return held;
}

bool tap_is_u64(const char *file, int line, uint64_t got, uint64_t want, const char *fmt,
		...)
{
	bool held = got == want;

	RESULT(held);
	if (!held)
		printf("#   got %" PRIu64 " (%#" PRIx64 "), want %" PRIu64 " (%#" PRIx64
		       ")\n",
		       got, got, want, want);
	return held;
}

bool tap_is_i64(const char *file, int line, int64_t got, int64_t want, const char *fmt,
		...)
{
	bool held = got == want;

	RESULT(held);
	if (!held)
		printf("#   got %" PRId64 ", want %" PRId64 "\n", got, want);
	return held;
}

bool tap_is_str(const char *file, int line, const char *got, const char *want,
		const char *fmt, ...)
{
	bool held = got && want ? !strcmp(got, want) : got == want;

	RESULT(held);
	if (!held) {
		print_quoted("got ", got);
		print_quoted("want", want);
	}
	return held;
}

bool tap_is_mem(const char *file, int line, const void *got, const void *want, size_t len,
		const char *fmt, ...)
{
	const unsigned char *a = got, *b = want;
	size_t at = 0;

	while (at < len && a[at] == b[at])
		at++;
	RESULT(at == len);
	if (at < len)
		printf("#   byte %zu of %zu: got %#x, want %#x\n", at, len, a[at], b[at]);
	return at == len;
}

void skip_all(const char *reason)
{
	printf("1..0 # SKIP %s\n", reason);
	exit(0);
}

void skip(unsigned count, const char *reason)
{
	while (count--)
		printf("ok %u # SKIP %s\n", ++tap.count, reason);
}

int done_testing(void)
{
	printf("1..%u\n", tap.count);
	return tap.failed ? 1 : 0;
}
