/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trigger.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/writer.h"

struct trigger {
	const char *name; /* NULL: none */
	uint64_t number;
};

bool trigger_is_set;
static struct trigger from, to;

/* NUMBER:NAME */
static void read_trigger(struct trigger *trigger, const char *variable)
{
	const char *text = secure_getenv(variable);
	char *name;

	if (!text)
		return;
	trigger->number = strtoull(text, &name, 10);
	if (*name == ':' && trigger->number)
		trigger->name = strdup(name + 1);
	trigger_is_set |= trigger->name != NULL;
}

void trigger_init(void)
{
	read_trigger(&from, CHANNEL_FROM);
	read_trigger(&to, CHANNEL_TO);
}

static bool is_named(const struct trigger *trigger, const char *name)
{
	return trigger->name && name && !strcmp(trigger->name, name);
}

bool trigger_begin(const char *name)
{
	if (is_named(&from, name) && writer_count(PROCESS_FROM) == from.number)
		writer_request(CHANNEL_RESUME, NULL);
	return is_named(&to, name);
}

void trigger_end(void)
{
	if (writer_count(PROCESS_TO) == to.number)
		writer_request(CHANNEL_TERMINATE, NULL);
}
