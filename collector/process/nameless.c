/* SPDX-License-Identifier: Apache-2.0 */
#include "process/nameless.h"

#include <stdlib.h>
#include <string.h>

#include "elf/distributor.h"

/* Most programs of a distribution spend some time in stripped files. */
#define SHARE_LEAST 0.1
enum { SAMPLES_LEAST = 20 };

void nameless_take(struct module_table *modules, const struct space *space, uint64_t ip)
{
	const struct mapping *m = space_find(space, ip);

	if (m && modules->v.data[m->module].kind == EXP_KIND_FILE)
		leaves_take(&modules->leaves, m->module, ip - m->start + m->offset);
}

static const struct module *find_most(const struct module_table *modules)
{
	const struct module *most = NULL;

	vec_for_each(const struct module, m, &modules->v)
		if (m->nameless && (!most || m->nameless > most->nameless))
			most = m;
	return most;
}

/* er_print asks the servers that the user has named anyway. */
static bool put_remedy(const char *path, const char *root, struct strbuf *out)
{
	const struct distributor *here = distributor_here(root);

	if (!distributor_may_own(path))
		strbuf_addstr(out, "it was stripped");
	else if (getenv("DEBUGINFOD_URLS"))
		return false;
	else if (here && here->server)
		strbuf_addf(out, "run er_print with DEBUGINFOD_URLS=%s", here->server);
	else
		strbuf_addstr(out, "its debug package has them");
	return true;
}

uint64_t nameless_advise(const struct module_table *modules, uint64_t samples,
			 const char *root, struct strbuf *out)
{
	const struct module *m = find_most(modules);
	struct strbuf remedy = { 0 };
	uint64_t most = 0;
	const char *slash;

	if (m && m->nameless >= SAMPLES_LEAST &&
	    (double)m->nameless >= SHARE_LEAST * (double)samples &&
	    put_remedy(m->path, root, &remedy)) {
		most = m->nameless;
		slash = strrchr(m->path, '/');
		strbuf_addf(out, "%.0f %% in functions of %s without names: %s",
			    100 * (double)most / (double)samples,
			    slash ? slash + 1 : m->path, remedy.data);
	}
	strbuf_release(&remedy);
	return most;
}
