/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OCAML_NAME_H
#define OCAML_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * Appends the readable form of the LEN bytes at RAW and returns true if ocamlopt made them:
 * camlStdlib__List__map_123 is Stdlib.List.map_123, camlO__$2b$21_7 is O.+!_7.  Such a symbol
 * is "caml" and the unit, then the function, joined by two underscores or, since OCaml 5.1, by
 * a dot; other bytes than letters, digits and underscores are $ and two digits (OCaml,
 * asmcomp/emitaux.ml, emit_symbol).  The number behind the name, which tells functions of one
 * name apart, changes with any change of the source; SHORT leaves it out, but for anonymous
 * functions, which have no other name.
 */
bool ocaml_name(const char *raw, size_t len, bool is_short, struct strbuf *out);

#endif
