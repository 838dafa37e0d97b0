/* SPDX-License-Identifier: Apache-2.0 */
/* inlines: whether inlined functions are functions of their own. */
#include <string.h>

#include "views/views.h"

static int run_inlines(struct session *s, int argc, char **argv, struct strbuf *err)
{
	bool on = !strcmp(argv[0], "on");

	(void)argc;
	if (!on && strcmp(argv[0], "off") != 0) {
		strbuf_addf(err, "inlines takes on or off, not '%s'", argv[0]);
		return CMD_USAGE;
	}
	session_set_inlines(s, on);
	return 0;
}

const struct cmd cmd_inlines = {
	.name = "inlines",
	.args = "ON",
	.help = "show inlined functions as functions: on or off",
	.values = "on off",
	.group = GROUP_SET,
	.example = "inlines off",
	.run = run_inlines,
	.alone = true,
	.setting = true,
};
