/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assertions for the unit tests, which print TAP (one "ok N - text" a check) on stdout.
 *
 *	int main(void)
 *	{
 *		is_u64(add(1, 2), 3, "one and two");
 *		return done_testing();
 *	}
 *
 * Each check takes a format that describes it and returns whether it held, so a test can
 * stop if it is useless to continue.  A failed check adds "#" lines with the place, the
 * value and the expected value; the test continues.  The arguments are evaluated once.
 * One test program is one process and one thread: the count of checks is the harness's
 * own state.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAP_HERE __FILE__, __LINE__

/* Holds where COND is true. */
#define ok(cond, ...) tap_ok(TAP_HERE, #cond, (cond) ? true : false, __VA_ARGS__)

/* Whole numbers that are equal; negative ones through is_i64. */
#define is_u64(got, want, ...) tap_is_u64(TAP_HERE, (got), (want), __VA_ARGS__)
#define is_i64(got, want, ...) tap_is_i64(TAP_HERE, (got), (want), __VA_ARGS__)

/* Texts that are equal; NULL equals NULL alone. */
#define is_str(got, want, ...) tap_is_str(TAP_HERE, (got), (want), __VA_ARGS__)

/* LEN bytes that are equal; the first that differs is named. */
#define is_mem(got, want, len, ...)                                                      \
	tap_is_mem(TAP_HERE, (got), (want), (len), __VA_ARGS__)

/* The whole program cannot run here.  Before any check; ends the program. */
_Noreturn void skip_all(const char *reason);

/* COUNT checks cannot run here: each becomes one that is passed over. */
void skip(unsigned count, const char *reason);

/* Prints the plan.  The exit status for main: 0, or 1 where a check failed. */
int done_testing(void);

#define TAP_PRINTF(fmt) __attribute__((format(printf, fmt, (fmt) + 1)))

bool tap_ok(const char *file, int line, const char *text, bool held, const char *fmt, ...)
	TAP_PRINTF(5);
bool tap_is_u64(const char *file, int line, uint64_t got, uint64_t want, const char *fmt,
		...) TAP_PRINTF(5);
bool tap_is_i64(const char *file, int line, int64_t got, int64_t want, const char *fmt,
		...) TAP_PRINTF(5);
bool tap_is_str(const char *file, int line, const char *got, const char *want,
		const char *fmt, ...) TAP_PRINTF(5);
bool tap_is_mem(const char *file, int line, const void *got, const void *want, size_t len,
		const char *fmt, ...) TAP_PRINTF(6);

#endif
