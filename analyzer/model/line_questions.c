/* SPDX-License-Identifier: Apache-2.0 */
#include "model/line_questions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "model/module_place.h"
#include "base/strbuf.h"

void line_questions_init(struct line_questions *q)
{
	*q = (struct line_questions){ 0 };
	strtab_init(&q->files);
}

void line_questions_release(struct line_questions *q)
{
	vec_for_each(struct line_object, object, &q->objects) {
		vec_release(&object->offsets);
		line_reply_release(&object->reply);
	}
	vec_release(&q->objects);
	strtab_release(&q->files);
	idmap_release(&q->ids);
}

/* An archive belongs to its experiment; without one, equal places lead to equal files. */
static void describe_file(const struct experiment *exp, uint32_t module,
			  struct strbuf *out)
{
	const struct exp_module *m = &exp->modules.data[module];

	if (exp->archive.fd >= 0)
		strbuf_addf(out, "%p ", (const void *)exp);
	strbuf_addf(out, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " ",
		    experiment_string(exp, m->build_id), m->mark.inode, m->mark.size,
		    m->mark.mtime_ns);
	strbuf_addstr(out, experiment_string(exp, m->path));
}

uint32_t line_questions_object(struct line_questions *q, const struct experiment *exp,
			       uint32_t module)
{
	struct strbuf text = { 0 };
	uint32_t object;

	describe_file(exp, module, &text);
	object = strtab_intern(&q->files, strbuf_str(&text)) - 1;
	strbuf_release(&text);
	if (object == q->objects.len)
		*vec_push(&q->objects) = (struct line_object){ .exp = exp,
							       .module = module };
	return object;
}

uint32_t line_questions_add(struct line_questions *q, uint32_t object, uint64_t offset)
{
	struct line_object *of = &q->objects.data[object];
	uint32_t next = (uint32_t)of->offsets.len;
	uint32_t id = idmap_intern(&q->ids, offset, object, next);

	if (id == next)
		*vec_push(&of->offsets) = offset;
	return id;
}

/* ---- answers ---- */

/* Objects whose files are read together. */
struct batch {
	struct line_job jobs[LINE_JOBS_MAX];
	struct line_object *objects[LINE_JOBS_MAX];
	size_t len;
};

static void take_reply(struct line_object *object, const struct line_job *job)
{
	object->error = job->error;
	if (job->error)
		return;
	object->reply = job->reply;
	object->debug_file = lineinfo_has_debug_file(job->info);
	object->stated = lineinfo_is_stated(job->info);
}

static void batch_ask(struct batch *batch)
{
	lineinfo_ask(batch->jobs, batch->len, NULL, NULL);
	for (size_t i = 0; i < batch->len; i++) {
		take_reply(batch->objects[i], &batch->jobs[i]);
		lineinfo_free(batch->jobs[i].info);
	}
	batch->len = 0;
}

static void batch_add(struct batch *batch, struct line_object *object,
		      const struct object_search *search)
{
	struct lineinfo *info = NULL;
	struct object_place place;

	object->error = module_place(object->exp, object->module, search, &place)
				? lineinfo_open(&place, &info)
				: -ENOENT;
	if (object->error)
		return;
	batch->objects[batch->len] = object;
	batch->jobs[batch->len++] = (struct line_job){ .info = info,
						       .offsets = object->offsets.data,
						       .count = object->offsets.len };
	if (batch->len == LINE_JOBS_MAX)
		batch_ask(batch);
}

void line_questions_ask(struct line_questions *q, const struct object_search *search,
			struct progress *progress)
{
	struct batch batch = { .len = 0 };

	for (size_t i = 0; i < q->objects.len; i++) {
		progress_step(progress, "reading debug information", i, q->objects.len);
		batch_add(&batch, &q->objects.data[i], search);
	}
	batch_ask(&batch);
}
