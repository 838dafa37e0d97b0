/* SPDX-License-Identifier: Apache-2.0 */
#include "model/module_place.h"

bool module_place(const struct experiment *exp, uint32_t module,
		  const struct object_search *search, struct object_place *out)
{
	const struct exp_module *m = &exp->modules.data[module];

	*out = (struct object_place){
		.path = experiment_string(exp, m->path),
		.build_id = experiment_string(exp, m->build_id),
		.archive = exp->archive.fd < 0 ? NULL : &exp->archive,
		.search = search,
		.mark = file_mark_is_known(&m->mark) ? &m->mark : NULL,
	};
	return m->kind == EXP_KIND_FILE && *out->path == '/';
}
