/* SPDX-License-Identifier: Apache-2.0 */
#include "events/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "events/event.h"
#include "events/rate.h"
#include "base/xalloc.h"

#define REGISTER_MAX 63

void spec_release(struct spec *spec)
{
	free(spec->asked);
	free(spec->name);
	free(spec->rate);
	vec_for_each(struct spec_attr, attr, &spec->attrs)
		free(attr->key);
	vec_release(&spec->attrs);
	memset(spec, 0, sizeof(*spec));
}

/* Whether the slash at TEXT starts a register: digits up to a comma or the end. */
static bool is_register(const char *text)
{
	size_t digits = strspn(text + 1, "0123456789");

	return digits && (!text[1 + digits] || text[1 + digits] == ',');
}

/* Up to the next comma that is not between the slashes of "cpu/event=1,umask=2/". */
static size_t token_len(const char *text)
{
	bool inside = false;
	size_t len;

	for (len = 0; text[len]; len++) {
		if (text[len] == '/' && (inside || !is_register(text + len)))
			inside = !inside;
		else if (text[len] == ',' && !inside)
			break;
	}
	return len;
}

/* Takes the token at *TEXT, malloc'ed; *TEXT moves behind its comma. */
static char *token_take(const char **text)
{
	size_t len = token_len(*text);
	char *token = xstrndup(*text, len);

	*text += len + ((*text)[len] == ',');
	return token;
}

static int attr_add(struct spec *spec, const char *text, struct strbuf *err)
{
	const char *eq = strchrnul(text, '=');
	struct spec_attr attr = { .value = 1 };
	char *end = NULL;

	if (*eq) {
		errno = 0;
		attr.value = strtoull(eq + 1, &end, 0);
		if (!isdigit((unsigned char)eq[1]) || *end || errno) {
			strbuf_addf(err,
				    "the attribute ~%s of %s needs a number after the =",
				    text, spec->name);
			return -EINVAL;
		}
	}
	attr.key = xstrndup(text, (size_t)(eq - text));
	*vec_push(&spec->attrs) = attr;
	return 0;
}

/* Cuts "/REG" off NAME. */
static int register_cut(struct spec *spec, struct strbuf *err)
{
	char *slash = strrchr(spec->name, '/');
	unsigned long reg;

	spec->reg = EVENT_NO_REGISTER;
	if (!slash || !is_register(slash))
		return 0;
	errno = 0;
	reg = strtoul(slash + 1, NULL, 10);
	if (errno || reg > REGISTER_MAX) {
		strbuf_addf(err, "there is no counter register %s", slash + 1);
		return -EINVAL;
	}
	spec->reg = (int)reg;
	*slash = '\0';
	return 0;
}

static int spec_split(struct spec *spec, struct strbuf *err)
{
	char *rest, *attr;
	int error = register_cut(spec, err);

	rest = strchr(spec->name, '~');
	if (rest)
		*rest++ = '\0';
	while (!error && (attr = strsep(&rest, "~")))
		error = attr_add(spec, attr, err);
	return error;
}

int spec_next(const char **text, struct spec *spec, struct strbuf *err)
{
	const char *after;
	char *rate;
	int error = 0;

	*spec = (struct spec){ .asked = token_take(text) };
	if (rate_looks_like(spec->asked)) {
		strbuf_addf(err,
			    "expected a counter, not `%s'; write COUNTER,RATE, such as "
			    "cycles,on",
			    spec->asked);
		error = -EINVAL;
		goto out;
	}
	spec->addresses = *spec->asked == '+';
	spec->name = xstrdup(spec->asked + spec->addresses);
	after = *text;
	rate = token_take(&after);
	if (!rate_looks_like(rate)) { /* the next counter */
		*rate = '\0';
		after = *text;
	}
	spec->rate = rate;
	*text = after;
	error = spec_split(spec, err);
out:
	if (error)
		spec_release(spec);
	return error;
}
