/* SPDX-License-Identifier: Apache-2.0 */
#include "symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

/*
 * Code without a name is cut into pieces of this size: small enough to tell places apart,
 * large enough to be looked at.
 */
#define NAMELESS_PIECE 4096

/* Why a stack has no root, by reason, as a person reads it. */
static const char *const truncated_names[EXP_ENDS] = {
	[EXP_END_ROOT] = "<Truncated>",
	[EXP_END_TRUNCATED] = "<Truncated> (stack copy too short)",
	[EXP_END_NO_RULE] = "<Truncated> (no unwind information)",
	[EXP_END_BAD_MEMORY] = "<Truncated> (unreadable frame)",
	[EXP_END_DEPTH] = "<Truncated> (too deep)",
	[EXP_END_OTHER] = "<Truncated> (frame pointers end)",
	[EXP_END_NONE] = "<Truncated> (no user stack)",
};

/* The names that an experiment keeps: by module and start, with where each module begins. */
struct stored {
	struct exp_symbol *symbols; /* sorted */
	size_t *first;		    /* module → first of its symbols; one more at the end */
};

static int by_place(const void *va, const void *vb)
{
	const struct exp_symbol *a = va, *b = vb;

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static void stored_init(struct stored *stored, const struct experiment *exp)
{
	size_t count = exp->symbols.len, modules = exp->modules.len, at = 0;

	stored->symbols = xreallocarray(NULL, count + 1, sizeof(*stored->symbols));
	if (count)
		memcpy(stored->symbols, exp->symbols.data,
		       count * sizeof(*stored->symbols));
	for (size_t i = 1; i < count; i++)
		if (by_place(&stored->symbols[i - 1], &stored->symbols[i]) > 0) {
			qsort(stored->symbols, count, sizeof(*stored->symbols), by_place);
			break;
		}
	stored->first = xcalloc(modules + 1, sizeof(*stored->first));
	for (size_t m = 0; m <= modules; m++) {
		while (at < count && stored->symbols[at].module < m)
			at++;
		stored->first[m] = at;
	}
}

static void stored_release(struct stored *stored)
{
	free(stored->symbols);
	free(stored->first);
}

/* So deep do symbols lie in each other, at most; hostile ones must not make this slow. */
#define NESTED_MAX 16

static bool covers(const struct exp_symbol *sym, uint64_t offset)
{
	return !sym->size || offset - sym->start < sym->size;
}

/* The symbol that OFFSET of MODULE lies in, the innermost of several, or NULL. */
static const struct exp_symbol *stored_find(const struct stored *stored, uint32_t module,
					    uint64_t offset)
{
	size_t low = stored->first[module], high = stored->first[module + 1];

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (stored->symbols[mid].start <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	for (unsigned i = 0; i < NESTED_MAX && low > stored->first[module]; i++)
		if (covers(&stored->symbols[--low], offset))
			return &stored->symbols[low];
	return NULL;
}

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

static uint32_t artificial_name(struct model *model, const struct exp_frame *frame)
{
	uint64_t reason = frame->offset - EXP_TRUNCATED;

	return strtab_intern(&model->strings,
			     truncated_names[reason < EXP_ENDS ? reason : EXP_END_ROOT]);
}

static uint32_t function_of(struct model *model, const struct source *source,
			    const struct stored *stored, const struct exp_frame *frame)
{
	const struct exp_module *module = &source->exp->modules.data[frame->module];
	uint64_t at = frame->offset - (frame->flags & EXP_FRAME_RETURN && frame->offset);
	struct function f = { .object = source->object[frame->module], .label = true };
	const struct exp_symbol *sym = stored_find(stored, frame->module, at);
	uint32_t build = 0;

	if (module->kind == EXP_KIND_ARTIFICIAL) {
		f.name = artificial_name(model, frame);
	} else if (sym && *experiment_string(source->exp, sym->name)) {
		f.name = strtab_intern(&model->strings,
				       experiment_string(source->exp, sym->name));
		f.label = sym->source == EXP_SOURCE_UNWIND || sym->source == EXP_SOURCE_NONE;
		f.start = sym->start;
		f.size = sym->size;
	} else if (module->kind == EXP_KIND_UNKNOWN) {
		f.name = strtab_intern(&model->strings, "<Unknown>");
	} else {
		f.start = sym ? sym->start : at - at % NAMELESS_PIECE;
		f.size = sym ? sym->size : 0;
		f.name = nameless(model, f.object, f.start);
		build = strtab_intern(&model->strings,
				      experiment_string(source->exp, module->build_id));
	}
	return model_function(model, &f, build);
}

void symbolize(struct model *model, struct source *source)
{
	const struct experiment *exp = source->exp;
	struct stored stored;

	stored_init(&stored, exp);
	source->function = xcalloc(exp->frames.len + 1, sizeof(*source->function));
	for (size_t i = 0; i < exp->frames.len; i++)
		source->function[i] =
			function_of(model, source, &stored, &exp->frames.data[i]);
	stored_release(&stored);
}
