/* SPDX-License-Identifier: Apache-2.0 */
/* group: whether stacks are below the regions that they ran in. */
#include <string.h>

#include "model/regions.h"
#include "views/views.h"

static int run_group(struct session *s, int argc, char **argv, struct strbuf *err)
{
	bool on = !strcmp(argv[0], "region");

	(void)argc;
	if (!on && strcmp(argv[0], "off") != 0) {
		strbuf_addf(err, "group takes region or off, not '%s'", argv[0]);
		return CMD_USAGE;
	}
	if (on && !s->reading_rc && !model_has_regions(&s->model)) {
		strbuf_addstr(err, REGIONS_MISSING);
		return CMD_FAILED;
	}
	return session_group(s, on, err);
}

const struct cmd cmd_group = {
	.name = "group",
	.args = "BY",
	.help = "stacks below their regions: region or off",
	.values = "region off",
	.group = GROUP_SET,
	.example = "group region",
	.run = run_group,
	.alone = true,
	.setting = true,
};
