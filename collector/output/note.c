/* SPDX-License-Identifier: Apache-2.0 */
#include "output/note.h"

#include <string.h>

#include "base/diag.h"

void log_note(struct exp_log *log, const char *severity, const char *text)
{
	exp_log_note(log, severity, text);
	if (!strcmp(severity, "note"))
		diag_note("%s", text);
	else if (!strcmp(severity, "warning"))
		diag_warn("%s", text);
	else
		diag_error("%s", text);
}
