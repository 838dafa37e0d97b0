/* SPDX-License-Identifier: Apache-2.0 */
#include "model/marks.h"

#include <inttypes.h>
#include <string.h>

const char *mark_kind(const struct exp_mark *mark)
{
	static const char *const kinds[EXP_MARK_KINDS] = {
		[EXP_MARK_MARKER] = "marker",
		[EXP_MARK_COUNTER] = "counter",
		[EXP_MARK_NOTE] = "note",
	};

	return kinds[mark->kind];
}

void mark_put_value(const struct experiment *exp, const struct exp_mark *mark,
		    struct strbuf *out)
{
	double real;

	switch (mark->type) {
	case EXP_VALUE_UNSIGNED:
		strbuf_addf(out, "%" PRIu64, mark->value);
		break;
	case EXP_VALUE_SIGNED:
		strbuf_addf(out, "%" PRId64, (int64_t)mark->value);
		break;
	case EXP_VALUE_REAL:
		memcpy(&real, &mark->value, sizeof(real));
		strbuf_addf(out, "%.10g", real);
		break;
	case EXP_VALUE_TEXT:
		strbuf_addstr(out, experiment_string(exp, (uint32_t)mark->value));
		break;
	default:
		break;
	}
}
