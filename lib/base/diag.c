/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"

static const char *program_name = "ringprof";

void diag_set_program(const char *name)
{
	program_name = name;
}

/*
 * One write a message, so that lines of several programs do not mix.  What is named in it
 * may come from anywhere, and must not command the terminal.
 */
DIAG_PRINTF(2, 0)
static void say(const char *kind, const char *fmt, va_list ap)
{
	struct strbuf shown = { 0 };
	char line[4096];
	int at = snprintf(line, sizeof(line), "%s: %s", program_name, kind);

	if (at < 0)
		return;
	if ((size_t)at < sizeof(line))
		vsnprintf(line + at, sizeof(line) - (size_t)at, fmt, ap);
	utf8_printable(&shown, line);
	fprintf(stderr, "%s\n", strbuf_str(&shown));
	strbuf_release(&shown);
}

void diag_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("error: ", fmt, ap);
	va_end(ap);
}

void diag_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void diag_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

/* Allocation has no other way to its caller's caller, see xalloc.h. */
static struct {
	void (*fn)(void *ctx);
	void *ctx;
} on_oom;

void diag_on_oom(void (*fn)(void *ctx), void *ctx)
{
	on_oom.fn = fn;
	on_oom.ctx = ctx;
}

static _Noreturn void die(const char *why)
{
	void (*fn)(void *ctx) = on_oom.fn;

	on_oom.fn = NULL;
	if (fn)
		fn(on_oom.ctx);
	fprintf(stderr, "%s: error: %s\n", program_name, why);
	exit(1);
}

_Noreturn void diag_die_oom(void)
{
	die("out of memory");
}

_Noreturn void diag_die_format(void)
{
	die("a text cannot be formatted; it may exceed 2 GiB");
}
