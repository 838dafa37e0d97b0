/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this build has AddressSanitizer, which takes memory and reports on stderr. */
#ifndef SANITIZER_H
#define SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

#endif
