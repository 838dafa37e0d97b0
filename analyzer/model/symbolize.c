/* SPDX-License-Identifier: Apache-2.0 */
#include "model/symbolize.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/file_symbols.h"
#include "model/stored_symbols.h"
#include "base/xalloc.h"

/*
 * Code without a name is divided into pieces of this size: small enough to separate
 * places, large enough to inspect.
 */
#define NAMELESS_PIECE 4096

/* Why a stack has no root, by reason, for display. */
static const char *const truncated_names[EXP_ENDS] = {
	[EXP_END_ROOT] = "<Truncated>",
	[EXP_END_TRUNCATED] = "<Truncated> (stack copy too short)",
	[EXP_END_NO_RULE] = "<Truncated> (no unwind information)",
	[EXP_END_BAD_MEMORY] = "<Truncated> (unreadable frame)",
	[EXP_END_DEPTH] = "<Truncated> (too deep)",
	[EXP_END_OTHER] = "<Truncated> (frame pointers end)",
	[EXP_END_NONE] = "<Truncated> (no user stack)",
	[EXP_END_OTHER_STACK] = "<Truncated> (interrupted on another stack)",
	[EXP_END_NO_REGISTER] = "<Truncated> (register not saved)",
	[EXP_END_UNKNOWN] = "<Root not known>",
};

/* The sources of names, in this order. */
struct namers {
	struct stored_symbols stored;
	struct file_symbols files;
};

/* "<libx.so>+0x1230" */
static uint32_t nameless(struct model *model, uint32_t object, uint64_t offset)
{
	struct strbuf text = { 0 };
	uint32_t id;

	strbuf_addf(&text, "<%s>+0x%llx", object_name(model, object),
		    (unsigned long long)offset);
	id = strtab_intern(&model->strings, text.data);
	strbuf_release(&text);
	return id;
}

static const char *artificial_name(const struct exp_frame *frame)
{
	uint64_t reason = frame->offset - EXP_TRUNCATED;

	if (frame->offset == EXP_UNSAMPLED)
		return "<Unsampled>";
	if (frame->offset == EXP_NOT_PROGRAM)
		return "collector_not_program_related";
	if (frame->offset == EXP_SKID)
		return "<Skid>";
	return truncated_names[reason < EXP_ENDS ? reason : EXP_END_ROOT];
}

static bool is_label(const struct exp_symbol *kept)
{
	return kept->source == EXP_SOURCE_UNWIND || kept->source == EXP_SOURCE_NONE;
}

/* "util.c#2": the number of a function among those of its name and file. */
static void tell_apart(struct model *model, struct function *f, const char *file,
		       uint32_t twin)
{
	struct strbuf text = { 0 };

	f->tell = f->file = 0;
	if (!twin)
		return;
	f->file = strtab_intern(&model->strings, file);
	strbuf_addf(&text, "%s#%" PRIu32, file, twin);
	f->tell = strtab_intern(&model->strings, text.data);
	strbuf_release(&text);
}

static void take_kept(struct model *model, const struct experiment *exp,
		      const struct exp_symbol *kept, struct function *f,
		      const char **name)
{
	*name = experiment_string(exp, kept->name);
	f->start = kept->start;
	f->size = kept->size;
	f->label = is_label(kept);
	f->piece = kept->source == EXP_SOURCE_NONE;
	tell_apart(model, f, experiment_string(exp, kept->file), kept->twin);
}

/*
 * Fills F and NAME if the recording, or else the file, knows the place.  A debug file
 * installed since may have the name that the recording lacks; so may a file that was
 * missing at the recording.
 */
static void look_up(struct model *model, struct namers *namers,
		    const struct source *source, uint32_t module, uint64_t at,
		    struct function *f, const char **name)
{
	const struct exp_symbol *kept = stored_symbols_find(&namers->stored, module, at);
	bool was_read = namers->stored.of_file[module];
	struct symbol found;

	if (kept)
		take_kept(model, source->exp, kept, f, name);
	if ((kept && !is_label(kept)) ||
	    !file_symbols_find(&namers->files, module, at, was_read, &found) ||
	    (kept && !found.name))
		return;
	*name = found.name ? found.name : "";
	f->start = found.start;
	f->size = found.size;
	f->label = !found.name;
	f->piece = found.source == SYMBOL_NONE;
	tell_apart(model, f, found.file ? found.file : "", found.twin);
}

static uint32_t function_of(struct model *model, const struct source *source,
			    struct namers *namers, const struct exp_frame *frame)
{
	const struct exp_module *module = &source->exp->modules.data[frame->module];
	uint64_t at = frame->offset - (frame->flags & EXP_FRAME_RETURN && frame->offset);
	struct function f = { .object = source->object[frame->module],
			      .label = true,
			      .piece = true,
			      .start = at - at % NAMELESS_PIECE,
			      .build = source->build[frame->module] };
	const char *name = "";

	if (module->kind == EXP_KIND_ARTIFICIAL)
		return model_artificial(model, artificial_name(frame));
	look_up(model, namers, source, frame->module, at, &f, &name);
	if (*name) {
		f.name = strtab_intern(&model->strings, name);
	} else if (module->kind == EXP_KIND_UNKNOWN) {
		f.name = strtab_intern(&model->strings, "<Unknown>");
		f.build = 0;
	} else {
		f.name = nameless(model, f.object, f.start);
	}
	if (f.label && !*experiment_string(source->exp, module->build_id))
		f.build = 0;
	return model_function(model, &f);
}

void symbolize(struct model *model, struct source *source)
{
	const struct experiment *exp = source->exp;
	struct namers namers;

	stored_symbols_init(&namers.stored, exp);
	file_symbols_init(&namers.files, exp, &model->search);
	source->function = xcalloc(exp->frames.len + 1, sizeof(*source->function));
	for (size_t i = 0; i < exp->frames.len; i++)
		source->function[i] = function_of(model, source, &namers,
						  &exp->frames.data[i]);
	stored_symbols_release(&namers.stored);
	file_symbols_release(&namers.files);
}
