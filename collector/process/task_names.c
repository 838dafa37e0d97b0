/* SPDX-License-Identifier: Apache-2.0 */
#include "process/task_names.h"

#include <string.h>

/* A name that is a string already costs nothing. */
static uint32_t string_of(struct task_names *names, const char *text)
{
	uint32_t known = strtab_find(&names->in->strings, text);

	if (known != STRTAB_NONE)
		return known;
	if (names->count < names->most) {
		names->count++;
		return intern_string(names->in, text);
	}
	names->unnamed++;
	return intern_string(names->in, TASK_OTHER_NAME);
}

void task_name_set(struct task_names *names, struct task_name *name, const char *text)
{
	size_t len = strlen(text);

	name->id = TASK_NO_ID;
	if (len < sizeof(name->text))
		memcpy(name->text, text, len + 1);
	else
		name->id = string_of(names, text);
}

bool task_name_is(const struct task_names *names, const struct task_name *name,
		  const char *text)
{
	return !strcmp(name->id == TASK_NO_ID ? name->text
					      : strtab_get(&names->in->strings, name->id),
		       text);
}

bool task_name_has_id(const struct task_names *names, const struct task_name *name)
{
	return name->id != TASK_NO_ID ||
	       strtab_find(&names->in->strings, name->text) != STRTAB_NONE;
}

uint32_t task_name_id(struct task_names *names, struct task_name *name)
{
	if (name->id == TASK_NO_ID)
		name->id = string_of(names, name->text);
	return name->id;
}

void task_name_turn(struct task_name *name, const struct strtab *old)
{
	const char *text;

	if (name->id == TASK_NO_ID)
		return;
	text = strtab_get(old, name->id);
	if (strlen(text) >= sizeof(name->text)) { /* it was in no text: cut */
		memcpy(name->text, text, sizeof(name->text) - 1);
		name->text[sizeof(name->text) - 1] = '\0';
	}
	name->id = TASK_NO_ID;
}
