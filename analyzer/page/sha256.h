/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4): a page's policy names its script and style by it. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>

enum { SHA256_BYTES = 32 };

void sha256(const void *bytes, size_t len, unsigned char out[SHA256_BYTES]);

#endif
