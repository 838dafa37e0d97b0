/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text for machines. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "base/strbuf.h"

/* The shortest decimal that reads back as the same number; "0" if it is not finite. */
void number_exact(struct strbuf *out, double number);

#endif
