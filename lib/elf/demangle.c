/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/demangle.h"

#include <setjmp.h>
#include <string.h>

#include "elf/demangle_short.h"
#include "elf/ocaml_name.h"

typedef void demangled_part(const char *text, size_t len, void *sink);

/*
 * We use only libiberty's callback interface: it keeps no allocation that a jump out of
 * the callback could leak (except the letters of one punycode word), and does not need
 * libiberty's own xmalloc, whose names clash with ours.  Declared here because Fedora
 * ships the library without its header.
 */
int cplus_demangle_v3_callback(const char *raw, int options, demangled_part *part,
			       void *sink);
int rust_demangle_callback(const char *raw, int options, demangled_part *part,
			   void *sink);

enum { DMGL_PARAMS = 1, DMGL_ANSI = 2 };

/* Longer names, raw or readable, are useless to a reader. */
#define RAW_MAX      16384
#define READABLE_MAX 65536

struct sink {
	struct strbuf *out;
	jmp_buf too_long;
};

/*
 * A name of a hundred bytes can unfold to gigabytes, each part twice the one before.  The
 * only way to stop the demangler is not to return to it.
 */
static void take_part(const char *text, size_t len, void *opaque)
{
	struct sink *sink = opaque;

	if (len > READABLE_MAX - sink->out->len)
		longjmp(sink->too_long, 1);
	strbuf_add(sink->out, text, len);
}

/* OUT is empty before; after a failure its content is undefined. */
static bool unfold(const char *raw, struct strbuf *out, int options)
{
	struct sink sink = { .out = out };

	if (setjmp(sink.too_long))
		return false;
	if (rust_demangle_callback(raw, options, take_part, &sink))
		return true;
	strbuf_clear(out);
	return cplus_demangle_v3_callback(raw, options, take_part, &sink) != 0;
}

static bool may_be_mangled(const char *raw)
{
	return !strncmp(raw, "_Z", 2) || !strncmp(raw, "_R", 2) ||
	       !strncmp(raw, "_GLOBAL_", 8);
}

static bool unfold_cplus_or_rust(const char *raw, size_t len, enum demangle_style style,
				 struct strbuf *out)
{
	struct strbuf base = { 0 }, readable = { 0 };
	bool done;

	strbuf_add(&base, raw, len);
	done = unfold(strbuf_str(&base), &readable,
		      style == DEMANGLE_LONG ? DMGL_PARAMS | DMGL_ANSI : 0);
	if (done && style == DEMANGLE_SHORT)
		demangle_strip_arguments(strbuf_str(&readable), out);
	else if (done)
		strbuf_addstr(out, strbuf_str(&readable));
	strbuf_release(&readable);
	strbuf_release(&base);
	return done;
}

bool demangle(const char *raw, struct strbuf *out, enum demangle_style style)
{
	size_t len = strcspn(raw, "@"); /* no mangled name has one */
	bool done = false;

	if (len < RAW_MAX)
		done = may_be_mangled(raw)
			       ? unfold_cplus_or_rust(raw, len, style, out)
			       : ocaml_name(raw, len, style == DEMANGLE_SHORT, out);
	if (!done)
		strbuf_add(out, raw, len);
	strbuf_addstr(out, raw + len);
	return done;
}
