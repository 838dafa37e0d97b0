/* SPDX-License-Identifier: Apache-2.0 */
#include "render/json_value.h"

#include "model/numbers.h"
#include "base/strbuf.h"
#include "base/utf8.h"

json_object *json_text(const char *text)
{
	struct strbuf clean = { 0 };
	json_object *value;

	utf8_clean(&clean, text);
	value = json_object_new_string(strbuf_str(&clean));
	strbuf_release(&clean);
	return value;
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
