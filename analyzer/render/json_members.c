/* SPDX-License-Identifier: Apache-2.0 */
#include "render/json_members.h"

void json_put_text(struct json_writer *w, const char *key, const char *text)
{
	json_key(w, key);
	json_text(w, text);
}

void json_put_unsigned(struct json_writer *w, const char *key, uint64_t n)
{
	json_key(w, key);
	json_unsigned(w, n);
}

void json_put_number(struct json_writer *w, const char *key, double n)
{
	json_key(w, key);
	json_number(w, n);
}

void json_put_null(struct json_writer *w, const char *key)
{
	json_key(w, key);
	json_null(w);
}

void json_put_text_or_null(struct json_writer *w, const char *key, const char *text)
{
	if (*text)
		json_put_text(w, key, text);
	else
		json_put_null(w, key);
}

void json_put_unsigned_or_null(struct json_writer *w, const char *key, uint64_t n)
{
	if (n)
		json_put_unsigned(w, key, n);
	else
		json_put_null(w, key);
}

void json_put_number_or_null(struct json_writer *w, const char *key, double n, bool any)
{
	if (any)
		json_put_number(w, key, n);
	else
		json_put_null(w, key);
}

void json_put_texts(struct json_writer *w, const char *key, char *const *data, size_t len)
{
	json_key(w, key);
	json_begin_array(w);
	for (size_t i = 0; i < len; i++)
		json_text(w, data[i]);
	json_end(w);
}
