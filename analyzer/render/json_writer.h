/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON, value by value, straight into a stream: the style determines commas,
 * blanks and line ends between the values; strings become valid whatever their bytes.
 *
 * Each value in an object follows its key; json_end closes the last opened bracket.
 */
#ifndef JSON_WRITER_H
#define JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/foreign.h"
#include "render/stream.h"

struct json_style {
	const char *colon; /* behind a key */
	const char *comma; /* between the members of an object; values of an array: "," */
	const char *pad;   /* inside of an object's braces */
	bool pretty;       /* each member and value on a line of its own, indented */
};

extern const struct json_style json_compact, json_spaced, json_padded, json_pretty;

enum { JSON_DEPTH_MAX = 16 };

struct json_writer {
	struct stream *out;
	const struct json_style *style;
	unsigned depth;
	char closing[JSON_DEPTH_MAX]; /* by depth: the closing bracket */
	bool follows;                 /* there is a value before the next one */
	bool keyed;                   /* the next value has its key already */
	bool line;                    /* json_line was called */
};

void json_begin_object(struct json_writer *w);
void json_begin_array(struct json_writer *w);
void json_end(struct json_writer *w);

/* The next key or value begins a line. */
void json_line(struct json_writer *w);

/* A key of ours. */
void json_key(struct json_writer *w, const char *key);

/* A key from foreign_put_json. */
void json_key_ready(struct json_writer *w, const char *quoted);

void json_text(struct json_writer *w, const char *text);
void json_foreign(struct json_writer *w, struct foreign text);
void json_unsigned(struct json_writer *w, uint64_t number);
void json_signed(struct json_writer *w, int64_t number);
/* The shortest digits that read back as the same number. */
void json_number(struct json_writer *w, double number);
/* A bound of VALUE's interval, to nine digits: further ones depend on the CPU. */
void json_bound(struct json_writer *w, double bound, double value);
void json_bool(struct json_writer *w, bool value);
void json_null(struct json_writer *w);
/* A value, written verbatim. */
void json_ready(struct json_writer *w, const char *json);

#endif
