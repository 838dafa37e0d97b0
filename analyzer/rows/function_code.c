/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/function_code.h"

#include <string.h>

#include "model/module_place.h"

/* The file of MODULE, or the vDSO; false: neither. */
static bool place_of(const struct session *s, const struct experiment *exp,
		     uint32_t module, struct code_range *out)
{
	const struct exp_module *m = &exp->modules.data[module];
	const char *build_id = experiment_string(exp, m->build_id);

	*out = (struct code_range){ 0 };
	out->vdso = m->kind == EXP_KIND_VDSO && *build_id;
	if (!out->vdso)
		return module_place(exp, module, &s->model.search, &out->place);
	out->place = (struct object_place){ .path = "[vdso]", .build_id = build_id };
	return true;
}

bool function_code(const struct session *s, uint32_t function, struct code_range *out)
{
	const struct function *f = &s->model.functions.data[function];

	vec_for_each(const struct source, source, &s->model.sources) {
		const struct experiment *exp = source->exp;

		for (size_t i = 0; i < exp->frames.len; i++) {
			if (source->function[i] != function ||
			    !place_of(s, exp, exp->frames.data[i].module, out))
				continue;
			out->start = f->start;
			out->size = f->size;
			return true;
		}
	}
	return false;
}

bool function_kernel_code(const struct session *s, uint32_t function,
			  struct code_range *out)
{
	static const char system[] = "Linux ";
	const struct function *f = &s->model.functions.data[function];

	vec_for_each(const struct source, source, &s->model.sources) {
		const struct experiment *exp = source->exp;
		const char *kernel = exp->log.kernel;

		for (size_t i = 0; i < exp->frames.len && !f->label; i++) {
			const struct exp_module *m =
				&exp->modules.data[exp->frames.data[i].module];

			if (source->function[i] != function ||
			    m->kind != EXP_KIND_KERNEL ||
			    strncmp(kernel, system, strlen(system)) != 0)
				continue;
			*out = (struct code_range){
				.place = { .path = "[kernel]",
					   .build_id = experiment_string(exp,
									 m->build_id),
					   .search = &s->model.search },
				.release = kernel + strlen(system),
				.symbol = model_string(&s->model, f->name),
				.start = f->start,
				.size = f->size,
			};
			return true;
		}
	}
	return false;
}
