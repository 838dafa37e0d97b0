/* SPDX-License-Identifier: Apache-2.0 */
#include "model/frame_lines.h"

#include <stdlib.h>

#include "model/line_questions.h"
#include "model/pcs.h"
#include "base/xalloc.h"

/* ---- stored and new lines ---- */

/* Of one experiment. */
struct finder {
	const struct experiment *exp;
	const struct line_questions *questions;
	struct module_lines *modules;
	bool *is_kept;        /* by module: lines are complete */
	bool *is_old;         /* by module: lines without declarations */
	struct exp_lines old; /* stored in the experiment */
	size_t next;          /* of old's lines */
	uint32_t *object;     /* by module: of questions, or NOT_ASKED */
	uint32_t *answer;     /* by frame: of its module's object, if that is asked */
};

enum { NOT_ASKED = UINT32_MAX };

static void take_kept(struct finder *finder)
{
	vec_for_each(const struct exp_line_module, kept, &finder->old.modules) {
		finder->is_kept[kept->module] = kept->declared;
		finder->is_old[kept->module] = !kept->declared;
		finder->modules[kept->module].debug_file = kept->debug_file;
	}
}

/* Asks about the frames of modules without stored lines. */
static void ask(struct finder *finder, struct line_questions *questions)
{
	const struct experiment *exp = finder->exp;

	for (uint32_t f = 0; f < exp->frames.len; f++) {
		const struct exp_frame *frame = &exp->frames.data[f];
		uint32_t *object = &finder->object[frame->module];

		if (exp->modules.data[frame->module].kind != EXP_KIND_FILE)
			continue;
		finder->modules[frame->module].asked = true;
		if (finder->is_kept[frame->module])
			continue;
		if (*object == NOT_ASKED)
			*object = line_questions_object(questions, exp, frame->module);
		finder->answer[f] = line_questions_add(questions, *object,
						       pc_of_frame(frame));
	}
}

static void finder_init(struct finder *finder, const struct experiment *exp,
			struct line_questions *questions)
{
	size_t modules = exp->modules.len;

	*finder = (struct finder){
		.exp = exp,
		.questions = questions,
		.modules = xcalloc(modules + 1, sizeof(*finder->modules)),
		.is_kept = xcalloc(modules + 1, sizeof(*finder->is_kept)),
		.is_old = xcalloc(modules + 1, sizeof(*finder->is_old)),
		.object = xcalloc(modules + 1, sizeof(*finder->object)),
		.answer = xcalloc(exp->frames.len + 1, sizeof(*finder->answer)),
	};
	for (size_t i = 0; i < modules; i++)
		finder->object[i] = NOT_ASKED;
	if (exp_lines_read(&finder->old, exp) == 0)
		take_kept(finder);
	ask(finder, questions);
}

/* That MODULE's frames asked, or NULL. */
static const struct line_object *object_of(const struct finder *finder, uint32_t module)
{
	uint32_t object = finder->object[module];

	return object == NOT_ASKED ? NULL : &finder->questions->objects.data[object];
}

static void take_module(struct finder *finder, uint32_t module,
			const struct line_object *object)
{
	struct module_lines *how = &finder->modules[module];

	/* stored lines are better than none */
	finder->is_old[module] &= object->error != 0;
	how->error = finder->is_old[module] ? 0 : object->error;
	if (object->error)
		return;
	how->missing = object->reply.missing ? xstrdup(object->reply.missing) : NULL;
	how->debug_file = object->debug_file;
	how->stated = object->stated;
}

/* Whether any of the files that were asked had lines. */
static bool take_answers(struct finder *finder)
{
	bool any = false;

	for (uint32_t i = 0; i < finder->exp->modules.len; i++) {
		const struct line_object *object = object_of(finder, i);

		if (!object)
			continue;
		take_module(finder, i, object);
		any = any || !object->error;
	}
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
	const struct line_object *object = object_of(
		finder, finder->exp->frames.data[frame].module);
	const struct line_answers *answers = object ? &object->reply.answers : NULL;
	const struct exp_lines *old = &finder->old;
	const struct line_answer *answer =
		answers && finder->answer[frame] < answers->places.len
			? &answers->places.data[finder->answer[frame]]
			: NULL;

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

static void finish(struct finder *finder, struct frame_lines *out)
{
	if (take_answers(finder)) {
		combine(finder, &out->lines);
		keep(finder, &out->lines);
		exp_lines_release(&finder->old);
	} else {
		out->lines = finder->old;
	}
	out->modules = finder->modules;
	out->module_count = finder->exp->modules.len;
	free(finder->object);
	free(finder->answer);
	free(finder->is_kept);
	free(finder->is_old);
}

void frame_lines_find(struct frame_lines *out, const struct experiment *const *exps,
		      size_t count, const struct object_search *search,
		      struct progress *progress)
{
	struct finder *finders = xcalloc(count + 1, sizeof(*finders));
	struct line_questions questions;

	line_questions_init(&questions);
	for (size_t i = 0; i < count; i++)
		finder_init(&finders[i], exps[i], &questions);
	line_questions_ask(&questions, search, progress);
	for (size_t i = 0; i < count; i++)
		finish(&finders[i], &out[i]);
	line_questions_release(&questions);
	free(finders);
}

void frame_lines_release(struct frame_lines *lines)
{
	exp_lines_release(&lines->lines);
	for (size_t i = 0; i < lines->module_count; i++)
		free(lines->modules[i].missing);
	free(lines->modules);
}
