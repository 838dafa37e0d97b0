/* SPDX-License-Identifier: Apache-2.0 */
/* The Firefox Profiler's format: the document around the parts that firefox.h names. */
#include "config.h"

#include "export/export.h"

#include <stdlib.h>

#include "export/firefox_parts.h"
#include "base/xalloc.h"

static void put_number(struct firefox *x, const char *key, int64_t number)
{
	json_key(&x->json, key);
	json_signed(&x->json, number);
}

static void put_empty(struct firefox *x, const char *key)
{
	json_key(&x->json, key);
	json_begin_array(&x->json);
	json_end(&x->json);
}

static void put_meta(struct firefox *x)
{
	const struct exp_log *log = &x->model->sources.data[0].exp->log;

	json_key(&x->json, "meta");
	json_begin_object(&x->json);
	put_number(x, "version", 31);
	put_number(x, "preprocessedProfileVersion", 60);
	put_number(x, "interval", 1);
	put_number(x, "startTime", exp_log_started(log) * 1000);
	put_number(x, "processType", 0);
	put_number(x, "stackwalk", 1);
	json_key(&x->json, "symbolicated");
	json_bool(&x->json, true);
	firefox_put_categories(x);
	firefox_put_schemas(x);
	json_key(&x->json, "importedFrom");
	json_text(&x->json, "ringprof " PACKAGE_VERSION);
	json_key(&x->json, "product");
	json_text(&x->json, log->command.len ? log->command.data[0] : "ringprof");
	json_end(&x->json);
}

static void put_document(struct firefox *x)
{
	json_begin_object(&x->json);
	put_meta(x);
	json_line(&x->json);
	put_empty(x, "libs");
	put_empty(x, "pages");
	firefox_put_shared(x);
	firefox_put_threads(x);
	json_end(&x->json);
	strbuf_addch(&x->json.out->text, '\n');
}

static void write_firefox(struct session *s, struct stream *out)
{
	struct firefox x = {
		.session = s,
		.model = &s->model,
		.json = { .out = out, .style = &json_compact },
	};
	size_t sources = s->model.sources.len;

	session_shown_sites(s, &x.sites);
	x.leaf = xcalloc(sources, sizeof(*x.leaf));
	for (size_t i = 0; i < sources; i++)
		x.leaf[i] = xcalloc(s->model.sources.data[i].exp->nodes.len,
				    sizeof(*x.leaf[i]));
	firefox_markers_read(&x);
	put_document(&x);
	firefox_markers_release(&x);
	for (size_t i = 0; i < sources; i++)
		free(x.leaf[i]);
	free(x.leaf);
	idmap_release(&x.tids);
	vec_release(&x.stacks);
	sites_release(&x.sites);
}

const struct export_format export_firefox = {
	.write = write_firefox,
};
