/* SPDX-License-Identifier: Apache-2.0 */
#include "model/frame_lines.h"

#include <errno.h>
#include <stdlib.h>

#include "elf/lineinfo_apart.h"
#include "model/module_place.h"
#include "model/pcs.h"
#include "base/xalloc.h"

/* The frames of one module. */
struct asked {
	VEC(uint32_t) frames;
	VEC(uint64_t) offsets;
};

/* By module; the caller releases and frees them. */
static struct asked *sort_frames(const struct experiment *exp)
{
	struct asked *asked = xcalloc(exp->modules.len + 1, sizeof(*asked));

	for (uint32_t f = 0; f < exp->frames.len; f++) {
		const struct exp_frame *frame = &exp->frames.data[f];
		struct asked *of = &asked[frame->module];

		if (exp->modules.data[frame->module].kind != EXP_KIND_FILE)
			continue;
		*vec_push(&of->frames) = f;
		*vec_push(&of->offsets) = pc_of_frame(frame);
	}
	return asked;
}

/* ---- stored and new lines ---- */

struct finder {
	const struct experiment *exp;
	const struct object_search *search;
	struct module_lines *modules;
	bool *is_kept;                       /* by module: lines are complete */
	bool *is_old;                        /* by module: lines without declarations */
	struct exp_lines old;                /* stored in the experiment */
	size_t next;                         /* of old's lines */
	struct line_answers *answers;        /* by module */
	const struct line_answer **of_frame; /* NULL: nothing is known */
};

static void take_kept(struct finder *finder)
{
	vec_for_each(const struct exp_line_module, kept, &finder->old.modules) {
		finder->is_kept[kept->module] = kept->declared;
		finder->is_old[kept->module] = !kept->declared;
		finder->modules[kept->module].debug_file = kept->debug_file;
	}
}

static struct lineinfo *open_module(const struct finder *finder, uint32_t module)
{
	struct module_lines *how = &finder->modules[module];
	struct lineinfo *info = NULL;
	struct object_place place;

	how->error = module_place(finder->exp, module, finder->search, &place)
			     ? lineinfo_open(&place, &info)
			     : -ENOENT;
	return how->error ? NULL : info;
}

static void take_reply(struct finder *finder, uint32_t module, const struct line_job *job)
{
	struct module_lines *how = &finder->modules[module];

	how->error = job->error;
	if (job->error)
		return;
	finder->answers[module] = job->reply.answers;
	how->missing = job->reply.missing;
	how->debug_file = lineinfo_has_debug_file(job->info);
	how->stated = lineinfo_is_stated(job->info);
}

/* Modules whose files are read together. */
struct batch {
	struct line_job jobs[LINE_JOBS_MAX];
	uint32_t modules[LINE_JOBS_MAX];
	size_t len;
};

static void batch_ask(struct batch *batch, struct finder *finder)
{
	lineinfo_ask(batch->jobs, batch->len, NULL, NULL);
	for (size_t i = 0; i < batch->len; i++) {
		take_reply(finder, batch->modules[i], &batch->jobs[i]);
		lineinfo_free(batch->jobs[i].info);
	}
	batch->len = 0;
}

/* Reads the files of all modules without stored lines. */
static void ask_modules(struct finder *finder, const struct asked *asked,
			struct progress *progress)
{
	size_t count = finder->exp->modules.len;
	struct batch batch = { .len = 0 };

	for (uint32_t i = 0; i < count; i++) {
		struct lineinfo *info = NULL;

		progress_step(progress, "reading debug information", i, count);
		if (asked[i].frames.len && !finder->is_kept[i])
			info = open_module(finder, i);
		if (!info)
			continue;
		batch.modules[batch.len] = i;
		batch.jobs[batch.len++] =
			(struct line_job){ .info = info,
					   .offsets = asked[i].offsets.data,
					   .count = asked[i].offsets.len };
		if (batch.len == LINE_JOBS_MAX)
			batch_ask(&batch, finder);
	}
	batch_ask(&batch, finder);
}

/* Reads the files of modules without stored lines; returns whether any had lines. */
static bool ask_files(struct finder *finder, struct progress *progress)
{
	const struct experiment *exp = finder->exp;
	struct asked *asked = sort_frames(exp);
	bool any = false;

	ask_modules(finder, asked, progress);
	for (size_t i = 0; i < exp->modules.len; i++) {
		struct module_lines *how = &finder->modules[i];

		how->asked = asked[i].frames.len > 0;
		if (how->asked && !finder->is_kept[i]) {
			any = any || !how->error;
			/* stored lines are better than none */
			finder->is_old[i] &= how->error != 0;
			how->error = finder->is_old[i] ? 0 : how->error;
		}
		for (size_t f = 0; f < finder->answers[i].places.len; f++)
			finder->of_frame[asked[i].frames.data[f]] =
				&finder->answers[i].places.data[f];
		vec_release(&asked[i].frames);
		vec_release(&asked[i].offsets);
	}
	free(asked);
	return any;
}

static void add_line(struct exp_lines *out, uint32_t frame, const struct strtab *texts,
		     struct line_frame line)
{
	*vec_push(&out->lines) = (struct exp_line){
		.frame = frame,
		.function = strtab_intern(&out->texts, strtab_get(texts, line.function)),
		.file = strtab_intern(&out->texts, strtab_get(texts, line.file)),
		.line = line.line,
		.decl_file = strtab_intern(&out->texts,
					   strtab_get(texts, line.decl_file)),
		.decl_line = line.decl_line,
	};
}

static void add_frame(struct finder *finder, uint32_t frame, struct exp_lines *out)
{
	const struct line_answers *answers =
		&finder->answers[finder->exp->frames.data[frame].module];
	const struct line_answer *answer = finder->of_frame[frame];
	const struct exp_lines *old = &finder->old;

	for (; finder->next < old->lines.len; finder->next++) {
		const struct exp_line *line = &old->lines.data[finder->next];

		if (line->frame != frame)
			break;
		if (!answer)
			add_line(out, frame, &old->texts,
				 (struct line_frame){ line->function, line->file,
						      line->line, line->decl_file,
						      line->decl_line });
	}
	for (uint32_t i = 0; answer && i < answer->count; i++)
		add_line(out, frame, &answers->texts,
			 answers->frames.data[answer->first + i]);
}

/* Adds modules with complete lines, which need not be looked up again. */
static void add_modules(const struct finder *finder, struct exp_lines *out)
{
	for (uint32_t i = 0; i < finder->exp->modules.len; i++) {
		const struct module_lines *how = &finder->modules[i];

		if (how->asked && !how->error && !how->missing)
			*vec_push(&out->modules) = (struct exp_line_module){
				i, how->debug_file, !finder->is_old[i]
			};
	}
}

static void combine(struct finder *finder, struct exp_lines *out)
{
	exp_lines_init(out);
	for (uint32_t f = 0; f < finder->exp->frames.len; f++)
		add_frame(finder, f, out);
	add_modules(finder, out);
}

/*
 * If writing fails nothing is lost: the files are read again next time.  Lines accepted
 * on the user's word are not stored: it may be withdrawn.
 */
static void keep(const struct finder *finder, const struct exp_lines *lines)
{
	int error = 0;

	for (size_t i = 0; i < finder->exp->modules.len; i++)
		if (finder->modules[i].stated)
			return;
	error = exp_lines_write(lines, finder->exp);
	(void)error;
}

void frame_lines_find(struct frame_lines *out, const struct experiment *exp,
		      const struct object_search *search, struct progress *progress)
{
	size_t modules = exp->modules.len;
	struct finder finder = {
		.exp = exp,
		.search = search,
		.modules = xcalloc(modules + 1, sizeof(*finder.modules)),
		.is_kept = xcalloc(modules + 1, sizeof(*finder.is_kept)),
		.is_old = xcalloc(modules + 1, sizeof(*finder.is_old)),
		.answers = xcalloc(modules + 1, sizeof(*finder.answers)),
		.of_frame = xcalloc(exp->frames.len + 1, sizeof(*finder.of_frame)),
	};

	if (exp_lines_read(&finder.old, exp) == 0)
		take_kept(&finder);
	if (ask_files(&finder, progress)) {
		combine(&finder, &out->lines);
		keep(&finder, &out->lines);
		exp_lines_release(&finder.old);
	} else {
		out->lines = finder.old;
	}
	out->modules = finder.modules;
	out->module_count = modules;
	for (size_t i = 0; i < modules; i++)
		line_answers_release(&finder.answers[i]);
	free(finder.answers);
	free(finder.of_frame);
	free(finder.is_kept);
	free(finder.is_old);
}

void frame_lines_release(struct frame_lines *lines)
{
	exp_lines_release(&lines->lines);
	for (size_t i = 0; i < lines->module_count; i++)
		free(lines->modules[i].missing);
	free(lines->modules);
}
