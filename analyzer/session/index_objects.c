/* SPDX-License-Identifier: Apache-2.0 */
#include "session/index_objects.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "filter/filter.h"

/* The names are those of the views. */
static const struct index_object given[] = {
	{ "threads", "THRID" },  { "processes", "PID" },
	{ "cpus", "CPUID" },     { "seconds", "TSTAMP / 1s + 1" },
	{ "samples", "SAMPLE" }, { "experiments", "EXPID" },
};

enum { GIVEN = sizeof(given) / sizeof(given[0]), NAME_BYTES_MAX = 63 };

void index_objects_release(struct index_objects *objects)
{
	vec_for_each(char *, name, &objects->names)
		free(*name);
	vec_for_each(char *, expression, &objects->expressions)
		free(*expression);
	vec_release(&objects->names);
	vec_release(&objects->expressions);
}

bool index_object_at(const struct index_objects *objects, size_t index,
		     struct index_object *out)
{
	if (index < GIVEN) {
		*out = given[index];
		return true;
	}
	index -= GIVEN;
	if (index >= objects->names.len)
		return false;
	*out = (struct index_object){ objects->names.data[index],
				      objects->expressions.data[index] };
	return true;
}

bool index_object_find(const struct index_objects *objects, const char *name,
		       struct index_object *out)
{
	for (size_t i = 0; index_object_at(objects, i, out); i++)
		if (!strcasecmp(out->name, name))
			return true;
	return false;
}

static bool is_name(const char *name)
{
	size_t len = 0;

	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	while (isalnum((unsigned char)name[len]) || name[len] == '_')
		len++;
	return !name[len] && len <= NAME_BYTES_MAX;
}

static int check(const char *name, const char *expression, struct strbuf *err)
{
	struct filter filter;
	int error;

	for (size_t i = 0; i < GIVEN; i++)
		if (!strcasecmp(given[i].name, name)) {
			strbuf_addf(err, "%s is defined already, as %s", given[i].name,
				    given[i].expression);
			return -EEXIST;
		}
	if (!is_name(name)) {
		strbuf_addf(err,
			    "a name has letters, digits and _, and at most %d of them, "
			    "unlike '%s'",
			    NAME_BYTES_MAX, name);
		return -EINVAL;
	}
	error = filter_parse(expression, &filter, err);
	filter_release(&filter);
	return error;
}

int index_object_define(struct index_objects *objects, const char *name,
			const char *expression, struct strbuf *err)
{
	int error = check(name, expression, err);

	if (error)
		return error;
	for (size_t i = 0; i < objects->names.len; i++)
		if (!strcasecmp(objects->names.data[i], name)) {
			free(objects->expressions.data[i]);
			objects->expressions.data[i] = xstrdup(expression);
			return 0;
		}
	*vec_push(&objects->names) = xstrdup(name);
	*vec_push(&objects->expressions) = xstrdup(expression);
	return 0;
}
