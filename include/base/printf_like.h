/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINTF_LIKE_H
#define PRINTF_LIKE_H

/* Parameter FMT is a format; its arguments begin at FIRST (0: a va_list). */
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))

#endif
