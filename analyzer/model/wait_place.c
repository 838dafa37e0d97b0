/* SPDX-License-Identifier: Apache-2.0 */
#include "model/wait_place.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Names of files up to ".so" or to "-" and a version. */
static const char *const runtimes[] = {
	"ld",        "ld64",    "ld-linux",  "ld-linux-x86-64", "ld-linux-aarch64",
	"ld-musl",   "libc",    "libm",      "libmvec",         "libpthread",
	"librt",     "libdl",   "libanl",    "libresolv",       "libthread_db",
	"libstdc++", "libc++",  "libc++abi", "libgcc_s",        "libunwind",
	"libatomic", "libgomp", "libomp",    "libiomp5",        "libgfortran",
	"libasan",   "libtsan", "libubsan",  "liblsan",         "libmsan",
	"libtbb",
};

static bool ends_name(const char *rest)
{
	return !strncmp(rest, ".so", 3) ||
	       (*rest == '-' && isdigit((unsigned char)rest[1]));
}

bool object_is_runtime(const struct model *model, uint32_t object)
{
	const char *name = object_name(model, object);

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		size_t len = strlen(runtimes[i]);

		if (!strncmp(name, runtimes[i], len) && ends_name(name + len))
			return true;
	}
	return !strncmp(name, "ld-musl-", 8) || !strncmp(name, "libc.musl-", 10);
}

/* How good a place in an object is: higher is better. */
enum { LEAF_ONLY, IN_FILE, OWN };

static uint8_t *grade_objects(const struct model *model)
{
	uint8_t *grades = xcalloc(model->objects.len + 1, sizeof(*grades));

	for (uint32_t o = 0; o < model->objects.len; o++) {
		enum exp_module_kind kind = model->objects.data[o].kind;

		if (kind == EXP_KIND_ANON)
			grades[o] = OWN;
		else if (kind == EXP_KIND_FILE)
			grades[o] = object_is_runtime(model, o) ? IN_FILE : OWN;
	}
	return grades;
}

static bool is_in_kernel(const struct model *model, uint32_t function)
{
	const struct function *f = &model->functions.data[function];

	return model->objects.data[f->object].kind == EXP_KIND_KERNEL;
}

/* Whether it only gives the CPU to another thread: every wait ends in such a function. */
static bool is_scheduler(const struct model *model, uint32_t function)
{
	static const char *const names[] = { "schedule", "__schedule", "io_schedule",
					     "preempt_schedule" };
	const char *name = model_string(model, model->functions.data[function].name);

	if (!is_in_kernel(model, function))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

uint32_t *wait_places(const struct model *model, size_t source,
		      const struct frame_map *frames)
{
	const struct experiment *exp = model->sources.data[source].exp;
	const struct frame_ids *ids = &frames->sources[source];
	uint32_t *places = xcalloc(exp->nodes.len + 1, sizeof(*places));
	uint8_t *grade = xcalloc(exp->nodes.len + 1, sizeof(*grade));
	uint8_t *of_object = grade_objects(model);

	places[0] = frames->empty;
	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_node *node = &exp->nodes.data[n];
		uint32_t frame = frame_of_node(ids, exp->nodes.data, n);
		uint32_t end = ids->first.data[frame + 1];
		uint32_t leaf = ids->ids.data[end - 1];
		uint8_t here = of_object[model->functions.data[leaf].object];

		grade[n] = here > grade[node->parent] ? here : grade[node->parent];
		places[n] = here == grade[n] ? leaf : places[node->parent];
		if (is_in_kernel(model, places[node->parent]) &&
		    is_scheduler(model, places[n]))
			places[n] = places[node->parent];
	}
	free(grade);
	free(of_object);
	return places;
}
