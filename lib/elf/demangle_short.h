/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEMANGLE_SHORT_H
#define DEMANGLE_SHORT_H

#include "base/strbuf.h"

/*
 * Appends NAME, a demangled name without parameters, less its template or generic
 * arguments: "std::map<int, A<b> >::at" gives "std::map::at", "core::f::<u8>" gives
 * "core::f".  Angle brackets that do not enclose arguments stay: operators
 * ("operator<<"), and Rust's "<T as Trait>::f".
 */
void demangle_strip_arguments(const char *name, struct strbuf *out);

#endif
