/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readable names of C++ (Itanium), Rust (legacy and v0) and OCaml symbols.
 *
 * Experiments keep raw names; er_print calls this for display.
 *
 * libiberty does the work for C++ and Rust: it has all three schemes, follows the compilers, bounds its
 * recursion, and its licence (GPL and LGPL, each with the exception for linking) lets any
 * program link it. libstdc++'s __cxa_demangle is the same C++ code without Rust.
 * libiberty does not bound the length of the result, so this module does.
 */
#ifndef DEMANGLE_H
#define DEMANGLE_H

#include <stdbool.h>

#include "base/strbuf.h"

enum demangle_style {
	DEMANGLE_LONG, /* as c++filt: std::vector<int>::push_back(int const&) */
	/* no parameters, no template arguments: std::vector::push_back; no numbers of OCaml's */
	DEMANGLE_SHORT,
};

/*
 * Appends the readable form of RAW and returns true; or appends RAW itself if it is not
 * mangled, is damaged, or would become absurdly long.  Our own suffixes stay:
 * "_Z3foov@plt" gives "foo()@plt".
 */
bool demangle(const char *raw, struct strbuf *out, enum demangle_style style);

#endif
