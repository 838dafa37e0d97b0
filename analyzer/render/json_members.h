/* SPDX-License-Identifier: Apache-2.0 */
/* Members of JSON objects: a key and its value in one call. */
#ifndef JSON_MEMBERS_H
#define JSON_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/json_writer.h"

void json_put_text(struct json_writer *w, const char *key, const char *text);
void json_put_unsigned(struct json_writer *w, const char *key, uint64_t n);
void json_put_number(struct json_writer *w, const char *key, double n);
void json_put_null(struct json_writer *w, const char *key);
void json_put_texts(struct json_writer *w, const char *key, char *const *data,
		    size_t len);

/* The same, or null: for no text, for 0, and where there is none. */
void json_put_text_or_null(struct json_writer *w, const char *key, const char *text);
void json_put_unsigned_or_null(struct json_writer *w, const char *key, uint64_t n);
void json_put_number_or_null(struct json_writer *w, const char *key, double n, bool any);

#endif
