/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a filter: it is refused with a sentence, or parsed within its bounds. */
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *text = xstrndup((const char *)bytes, len);
	struct strbuf err = { 0 };
	struct filter filter;

	if (filter_parse(text, &filter, &err)) {
		if (!err.len || filter_is_set(&filter))
			abort();
	} else {
		if (filter.nodes.len > FILTER_NODES_MAX || strcmp(filter.text, text))
			abort();
		filter_release(&filter);
	}
	strbuf_release(&err);
	free(text);
	return 0;
}
