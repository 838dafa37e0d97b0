/* SPDX-License-Identifier: Apache-2.0 */
#include "render/json_value.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/foreign.h"
#include "model/numbers.h"
#include "base/strbuf.h"

json_object *json_text(const char *text)
{
	return foreign_json(foreign(text));
}

json_object *json_bound(double bound, double value)
{
	char text[32];
	double rounded;

	snprintf(text, sizeof(text), "%.9g", bound);
	rounded = strtod(text, NULL);
	if (bound <= value && rounded > value)
		rounded = value;
	if (bound >= value && rounded < value)
		rounded = value;
	return json_number(bound == value ? value : rounded);
}

json_object *json_number(double number)
{
	struct strbuf text = { 0 };
	json_object *value;

	number_exact(&text, number);
	value = json_object_new_double_s(number, text.data);
	strbuf_release(&text);
	return value;
}
