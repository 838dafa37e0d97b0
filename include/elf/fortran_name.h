/* SPDX-License-Identifier: Apache-2.0 */
/* Fortran's own spelling of a procedure, which each compiler turns into another symbol. */
#ifndef FORTRAN_NAME_H
#define FORTRAN_NAME_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Appends "module::procedure", or "procedure", and returns true if RAW may be a symbol of
 * gfortran (__m_MOD_f, f_), ifort (m_mp_f_) or flang (_QMmPf, _QPf).  Any C function whose
 * name ends in an underscore looks like one.
 */
bool fortran_name(const char *raw, struct strbuf *out);

#endif
