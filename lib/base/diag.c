/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/program.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/*
 * Writes a message at once, so lines of several programs do not mix.  Names in it may
 * come from anywhere, and must not control the terminal.
 */
PRINTF_LIKE(2, 0)
static void say(const char *kind, const char *fmt, va_list ap)
{
	struct strbuf shown = { 0 };
	char line[4096];
	int at = snprintf(line, sizeof(line), "%s: %s", program_name(), kind);

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
