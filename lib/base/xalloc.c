/* SPDX-License-Identifier: Apache-2.0 */
#include "base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"

static void *or_die(void *ptr)
{
	if (!ptr)
		program_die_oom();
	return ptr;
}

/* malloc(0) may return NULL without failing: ask for a byte. */
void *xmalloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	if (!count || !size)
		count = size = 1;
	return or_die(calloc(count, size));
}

void *xreallocarray(void *ptr, size_t count, size_t size)
{
	if (!count || !size)
		count = size = 1;
	return or_die(reallocarray(ptr, count, size));
}

char *xstrdup(const char *text)
{
	return or_die(strdup(text));
}

char *xstrndup(const char *text, size_t len)
{
	return or_die(strndup(text, len));
}

char *xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		program_die_oom();
	return text;
}
