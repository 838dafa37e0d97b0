/* SPDX-License-Identifier: Apache-2.0 */
/* The Firefox Profiler's format: the document around the parts that firefox.h names. */
#include "config.h"

#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "export/firefox.h"
#include "base/xalloc.h"

static void put_meta(const struct firefox *x)
{
	const struct exp_log *log = &x->model->sources.data[0].exp->log;

	fprintf(x->file,
		"{\"meta\":{\"version\":31,\"preprocessedProfileVersion\":60,"
		"\"interval\":1,\"startTime\":%" PRId64 ",\"processType\":0,"
		"\"stackwalk\":1,\"symbolicated\":true,"
		"\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
		"\"subcategories\":[\"Other\"]}],\"markerSchema\":[],"
		"\"importedFrom\":\"ringprof " PACKAGE_VERSION "\",\"product\":",
		exp_log_started(log) * 1000);
	export_json_text(log->command.len ? log->command.data[0] : "ringprof", x->file);
	fputs("},\n\"libs\":[],\"pages\":[],\n", x->file);
}

static void write_firefox(struct session *s, FILE *file)
{
	struct firefox x = { .session = s, .model = &s->model, .file = file };
	size_t sources = s->model.sources.len;

	session_shown_sites(s, &x.sites);
	x.leaf = xcalloc(sources, sizeof(*x.leaf));
	for (size_t i = 0; i < sources; i++)
		x.leaf[i] = xcalloc(s->model.sources.data[i].exp->nodes.len,
				    sizeof(*x.leaf[i]));
	put_meta(&x);
	firefox_put_shared(&x);
	firefox_put_threads(&x);
	for (size_t i = 0; i < sources; i++)
		free(x.leaf[i]);
	free(x.leaf);
	idmap_release(&x.tids);
	vec_release(&x.stacks);
	sites_release(&x.sites);
}

const struct export_format export_firefox = {
	.word = "firefox",
	.write = write_firefox,
};
