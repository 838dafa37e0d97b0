/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text for machines. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "base/strbuf.h"

/* The shortest decimal that reads back as the same number; "0" for what is none. */
void number_exact(struct strbuf *out, double number);

#endif
