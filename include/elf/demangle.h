/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readable names of C++ (Itanium) and Rust (legacy and v0) symbols.
 *
 * Experiments keep names raw; er_print calls this for what it shows.
 *
 * The work is libiberty's: it has all three schemes, is kept up with the compilers,
 * bounds its recursion, and its licence (GPL and LGPL, each with the exception for
 * linking) lets any program link it.  libstdc++'s __cxa_demangle is the same C++ code
 * without Rust.  What libiberty does not bound, how long a name unfolds to, is bounded
 * here.
 */
#ifndef DEMANGLE_H
#define DEMANGLE_H

#include <stdbool.h>

#include "base/strbuf.h"

enum demangle_style {
	DEMANGLE_LONG,  /* as c++filt: std::vector<int>::push_back(int const&) */
	DEMANGLE_SHORT, /* no parameters, no template arguments: std::vector::push_back */
};

/*
 * Appends the readable form of RAW, or RAW itself where it is not mangled, is damaged, or
 * would become absurdly long; says which.  A suffix of ours stays: "_Z3foov@plt" gives
 * "foo()@plt".
 */
bool demangle(const char *raw, struct strbuf *out, enum demangle_style style);

#endif
