/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/fortran_name.h"

#include <string.h>

/* A procedure of a module: START module BETWEEN procedure END. */
static const struct {
	const char *start, *between, *end;
} forms[] = {
	{ "__", "_MOD_", "" }, { "__", "_SMOD_", "" }, { "_QM", "P", "" },
	{ "", "_mp_", "_" },   { "_QP", "", "" },      { "", "", "_" },
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* The length of RAW without END; 0 if that is not its end. */
static size_t without_end(const char *raw, const char *end)
{
	size_t len = strlen(raw), tail = strlen(end);

	return len > tail && !strcmp(raw + len - tail, end) ? len - tail : 0;
}

static bool put_form(const char *raw, size_t form, struct strbuf *out)
{
	const char *between = forms[form].between, *middle;
	size_t start = strlen(forms[form].start);
	size_t len = without_end(raw, forms[form].end);

	if (len <= start || strncmp(raw, forms[form].start, start) != 0)
		return false;
	if (!*between) {
		strbuf_add(out, raw + start, len - start);
		return true;
	}
	middle = strstr(raw + start, between);
	if (!middle || middle == raw + start || middle + strlen(between) >= raw + len)
		return false;
	strbuf_add(out, raw + start, (size_t)(middle - raw) - start);
	strbuf_addstr(out, "::");
	middle += strlen(between);
	strbuf_add(out, middle, (size_t)(raw + len - middle));
	return true;
}

bool fortran_name(const char *raw, struct strbuf *out)
{
	for (size_t i = 0; i < FORMS; i++)
		if (put_form(raw, i, out))
			return true;
	return false;
}
