/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any lines as those of an er.rc: each is a setting, or is refused with a sentence.
 * There is no experiment, and settings touch no file.
 */
#include <stdlib.h>
#include <string.h>

#include "shell/script.h"
#include "session/session.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *text = xstrndup((const char *)bytes, len), *save = NULL;
	struct session session;

	session_init(&session);
	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		struct strbuf err = { 0 };

		if (!script_setting(&session, line, &err) == (err.len > 0))
			abort();
		strbuf_release(&err);
	}
	session_release(&session);
	free(text);
	return 0;
}
