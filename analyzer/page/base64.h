/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as base64 (RFC 4648). */
#ifndef BASE64_H
#define BASE64_H

#include <stddef.h>

#include "base/strbuf.h"

void base64_put(const unsigned char *bytes, size_t len, struct strbuf *out);

#endif
