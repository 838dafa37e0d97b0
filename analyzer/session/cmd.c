/* SPDX-License-Identifier: Apache-2.0 */
#include "session/cmd.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool command_number(const char *word, size_t *out)
{
	char *end;
	unsigned long number;

	if (!isdigit((unsigned char)*word))
		return false;
	number = strtoul(word, &end, 10);
	*out = number;
	return !*end && number <= INT_MAX;
}

int command_status(int error, const char *what, struct strbuf *err)
{
	if (!error)
		return 0;
	strbuf_addf(err, "%s: %s", what, strerror(-error));
	return CMD_FAILED;
}

int command_show(struct session *s, struct table *table, struct strbuf *err)
{
	int error = session_show(s, table);

	return command_status(error, output_name(&s->out), err);
}
