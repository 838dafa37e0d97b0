/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of values that json-c would write as they are: any bytes, 17 digits. */
#ifndef JSON_VALUE_H
#define JSON_VALUE_H

#include <json-c/json.h>

/* Valid UTF-8, whatever TEXT is. */
json_object *json_text(const char *text);

/* The shortest digits that read back as the same number. */
json_object *json_number(double number);

/* A bound of VALUE's interval, to nine digits: further ones depend on the CPU. */
json_object *json_bound(double bound, double value);

#endif
