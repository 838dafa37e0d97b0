/* SPDX-License-Identifier: Apache-2.0 */
#include "page/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/idmap.h"
#include "base/xalloc.h"
#include "model/pcs.h"
#include "rows/function_code.h"
#include "rows/source_file.h"
#include "rows/source_open.h"

enum {
	FUNCTIONS_MOST = 20, /* by what they have themselves, and as many by their code */
	LINES_MOST = 6000,
	INSTRUCTIONS_MOST = 10000,
	WHOLE_INSTRUCTIONS = 600, /* a longer function loses what is far from samples */
	LINES_BESIDE = 8,
	INSTRUCTIONS_BESIDE = 25,
};

struct reader {
	struct page_code *out;
	struct session *session;
	const struct sites *sites;
	uint32_t metric;
};

/* ---- which functions ---- */

struct hot {
	uint32_t function;
	uint64_t weight;
};

static int by_weight(const void *va, const void *vb)
{
	const struct hot *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

static bool is_chosen(const struct page_code *code, uint32_t function)
{
	vec_for_each(const struct page_code_function, f, &code->functions)
		if (f->function == function)
			return true;
	return false;
}

/* Adds those with most of SUMS, whose groups are functions. */
static void choose(struct reader *r, const struct sums *sums)
{
	const struct model *model = &r->session->model;
	VEC(struct hot) hot = { 0 };

	for (uint32_t f = 0; f < sums->groups && f < model->functions.len; f++) {
		struct value own = sums_value(sums, EXCLUSIVE, r->metric, f);

		if (own.weight)
			*vec_push(&hot) = (struct hot){ f, own.weight };
	}
	if (hot.len)
		qsort(hot.data, hot.len, sizeof(*hot.data), by_weight);
	for (size_t i = 0; i < hot.len && i < FUNCTIONS_MOST; i++)
		if (!is_chosen(r->out, hot.data[i].function))
			*vec_push(&r->out->functions) = (struct page_code_function){
				.function = hot.data[i].function
			};
	vec_release(&hot);
}

/* By symbol: inlined functions are in the code of others. */
static void choose_by_code(struct reader *r, const struct pcs *pcs)
{
	const struct model *model = &r->session->model;
	uint32_t *function = xcalloc(pcs->pcs.len + 1, sizeof(*function));
	struct sums sums;

	for (size_t i = 0; i < pcs->pcs.len; i++)
		function[i] = pcs->pcs.data[i].function;
	sums_build_grouped(&sums, model, &pcs->map, function, model->functions.len,
			   false);
	choose(r, &sums);
	sums_release(&sums);
	free(function);
}

/* ---- instructions ---- */

static int by_place(const void *va, const void *vb)
{
	const struct page_code_function *const *a = va, *const *b = vb;
	const struct code_range *x = &(*a)->range, *y = &(*b)->range;
	int order = strcmp(x->place.path, y->place.path);

	if (!order)
		order = strcmp(x->place.build_id ? x->place.build_id : "",
			       y->place.build_id ? y->place.build_id : "");
	if (order)
		return order;
	return x->start < y->start ? -1 : x->start > y->start;
}

static bool same_file(const struct code_range *x, const struct code_range *y)
{
	return x->vdso == y->vdso && !strcmp(x->place.path, y->place.path) &&
	       !strcmp(x->place.build_id ? x->place.build_id : "",
		       y->place.build_id ? y->place.build_id : "");
}

/* Instructions up to where the next function begins. */
static void find_bounds(struct page_code_function *f, const struct disassembly *code,
			uint64_t limit)
{
	uint64_t end = f->range.size ? f->range.start + f->range.size : limit;

	while (f->from < code->list.len &&
	       code->list.data[f->from].offset < f->range.start)
		f->from++;
	for (f->end = f->from; f->end < code->list.len; f->end++)
		if (code->list.data[f->end].offset >= end ||
		    code->list.data[f->end].offset >= limit)
			break;
}

/* COUNT functions of one file, in order. */
static void read_object(struct reader *r, struct page_code_function **functions,
			size_t count)
{
	VEC(struct code_range) ranges = { 0 };
	struct page_code_object *object;
	uint64_t end = 0;
	int error;

	for (size_t i = 0; i < count; i++) {
		const struct code_range *range = &functions[i]->range;

		if (i && (range->start < end ||
			  range->start == ranges.data[ranges.len - 1].start))
			continue; /* another name of the same code */
		*vec_push(&ranges) = *range;
		end = range->start + range->size;
	}
	object = vec_push(&r->out->objects);
	*object = (struct page_code_object){ 0 };
	error = disassemble(&object->code, ranges.data, ranges.len);
	for (size_t i = 0; i < count; i++) {
		functions[i]->error = error;
		if (error)
			continue;
		find_bounds(functions[i], &object->code,
			    i + 1 < count && functions[i + 1]->range.start >
						     functions[i]->range.start
				    ? functions[i + 1]->range.start
				    : UINT64_MAX);
		if (functions[i]->end > functions[i]->from)
			functions[i]->object = (uint32_t)r->out->objects.len;
		else
			functions[i]->error = -ENODATA;
	}
	vec_release(&ranges);
}

static void read_objects(struct reader *r)
{
	VEC(struct page_code_function *) placed = { 0 };

	vec_for_each(struct page_code_function, f, &r->out->functions)
		if (function_code(r->session, f->function, &f->range))
			*vec_push(&placed) = f;
	if (placed.len)
		qsort(placed.data, placed.len, sizeof(*placed.data), by_place);
	for (size_t i = 0, end; i < placed.len; i = end) {
		for (end = i + 1; end < placed.len; end++)
			if (!same_file(&placed.data[i]->range, &placed.data[end]->range))
				break;
		read_object(r, placed.data + i, end - i);
	}
	vec_release(&placed);
}

/* The group of an address: an instruction of its own function. */
static uint32_t group_of(const struct page_code *code, const struct pc *pc)
{
	vec_for_each(const struct page_code_function, f, &code->functions) {
		const struct page_code_object *object;
		uint32_t n;

		if (f->function != pc->function || !f->object)
			continue;
		object = &code->objects.data[f->object - 1];
		n = disassembly_at(&object->code, pc->offset);
		if (n > f->from && n <= f->end)
			return (uint32_t)(object->first + n - 1);
	}
	return 0;
}

static void sum_instructions(struct reader *r)
{
	struct page_code *out = r->out;
	const struct pcs *pcs = &out->pcs;
	size_t groups = 1;

	vec_for_each(struct page_code_object, object, &out->objects) {
		object->first = groups;
		groups += object->code.list.len;
	}
	out->instruction_of = xcalloc(pcs->pcs.len + 1, sizeof(*out->instruction_of));
	for (size_t i = 0; i < pcs->pcs.len; i++)
		out->instruction_of[i] = group_of(out, &pcs->pcs.data[i]);
	sums_build_grouped(&out->instructions, &r->session->model, &pcs->map,
			   out->instruction_of, groups, false);
}

/* ---- inlined functions ---- */

/* By pc: the innermost function whose source it is.  The caller frees it. */
static uint32_t *inlined_at(const struct reader *r, const struct pcs *pcs)
{
	uint32_t *function = xcalloc(pcs->pcs.len + 1, sizeof(*function));

	for (size_t s = 0; s < r->session->model.sources.len; s++) {
		const struct frame_ids *places = &pcs->map.sources[s];
		const struct frame_ids *lines = &r->sites->map.sources[s];

		for (size_t f = 0; f + 1 < lines->first.len && f + 1 < places->first.len;
		     f++) {
			uint32_t site = lines->ids.data[lines->first.data[f + 1] - 1];

			function[places->ids.data[places->first.data[f]]] =
				r->sites->sites.data[site].function;
		}
	}
	return function;
}

/* The function with instructions that has most of function F, which has none; or MODEL_NONE. */
static uint32_t heaviest_of(const struct page_code *code, size_t f,
			    const uint64_t *weights)
{
	uint32_t within = MODEL_NONE;
	uint64_t most = 0;

	for (size_t g = 0; g < code->functions.len; g++) {
		const struct page_code_function *other = &code->functions.data[g];

		if (code->functions.data[f].object || !other->object ||
		    weights[g] <= most)
			continue;
		most = weights[g];
		within = other->function;
	}
	return within;
}

/* Those without code of their own: which function has most of it. */
static void find_within(struct reader *r, const struct pcs *pcs)
{
	uint32_t *inlined = inlined_at(r, pcs);
	size_t count = r->out->functions.len;
	uint64_t *weights = xcalloc(count + 1, (count + 1) * sizeof(*weights));
	struct idmap numbers = { 0 };
	struct sums sums;

	for (size_t f = 0; f < count; f++)
		idmap_set(&numbers, r->out->functions.data[f].function, 0, (uint32_t)f);
	sums_build(&sums, &r->session->model, &pcs->map, false);
	for (size_t i = 0; i < pcs->pcs.len; i++) {
		uint32_t in = idmap_get(&numbers, pcs->pcs.data[i].function, 0);
		uint32_t of = idmap_get(&numbers, inlined[i], 0);

		if (in != IDMAP_NONE && of != IDMAP_NONE)
			weight_add(&weights[of * count + in],
				   sums_value(&sums, EXCLUSIVE, r->metric, i).weight);
	}
	for (size_t f = 0; f < count; f++)
		r->out->functions.data[f].within = heaviest_of(r->out, f,
							       &weights[f * count]);
	sums_release(&sums);
	idmap_release(&numbers);
	free(weights);
	free(inlined);
}

/* ---- lines ---- */

/* From 1; 0: it is not shown. */
static uint32_t read_file(struct reader *r, uint32_t name, uint32_t function)
{
	struct page_code *code = r->out;
	const struct model *model = &r->session->model;
	uint32_t object = model->functions.data[function].object;
	struct source_wanted wanted = {
		model_string(model, name),
		model_string(model, r->sites->objects.data[object].build_id),
	};
	struct page_file file = { .name = name, .object = object };
	struct strbuf path = { 0 };
	int fd;

	for (uint32_t i = 0; i < code->files.len; i++)
		if (code->files.data[i].name == name)
			return code->files.data[i].text.lines.len ? i + 1 : 0;
	fd = source_open(r->session, &wanted, &path);
	if (fd >= 0 && source_text_read(&file.text, fd)) {
		source_text_release(&file.text);
		file.text = (struct source_text){ 0 };
	}
	if (fd >= 0) {
		close(fd);
		file.newer = source_is_newer(strbuf_str(&path),
					     &model->sources.data[0].exp->log);
	}
	strbuf_release(&path);
	*vec_push(&code->files) = file;
	return file.text.lines.len ? (uint32_t)code->files.len : 0;
}

static void read_files(struct reader *r)
{
	struct sums sums;

	sums_build(&sums, &r->session->model, &r->sites->map, false);
	vec_for_each(struct page_code_function, f, &r->out->functions) {
		uint32_t name = source_file_in(&sums, r->session, r->sites, f->function);

		if (name)
			f->file = read_file(r, name, f->function);
	}
	sums_release(&sums);
}

static void sum_lines(struct reader *r)
{
	const struct sites *sites = r->sites;
	struct page_code *out = r->out;
	size_t groups = 1;

	out->line_of = xcalloc(sites->sites.len + 1, sizeof(*out->line_of));
	vec_for_each(struct page_file, file, &out->files) {
		file->first = groups;
		groups += file->text.lines.len;
		for (size_t g = 0; g < sites->sites.len; g++) {
			const struct site *site = &sites->sites.data[g];

			if (site->file == file->name && site->line &&
			    site->line <= file->text.lines.len)
				out->line_of[g] = (uint32_t)(file->first + site->line -
							     1);
		}
	}
	sums_build_grouped(&out->lines, &r->session->model, &sites->map, out->line_of,
			   groups, false);
}

/* ---- what is kept ---- */

static bool has_value(const struct reader *r, const struct sums *sums, size_t group)
{
	for (size_t m = 0; m < r->session->model.metrics.len; m++)
		if (value_is_any(sums_value(sums, INCLUSIVE, m, group)) ||
		    value_is_any(sums_value(sums, EXCLUSIVE, m, group)))
			return true;
	return false;
}

/* Those from AT - BESIDE to AT + BESIDE, while LEFT lasts. */
static void keep(bool *kept, size_t low, size_t high, size_t at, size_t beside,
		 size_t *left)
{
	size_t from = at > low + beside ? at - beside : low;

	for (size_t i = from; i < high && i <= at + beside && *left; i++) {
		*left -= !kept[i];
		kept[i] = true;
	}
}

static void keep_instructions(struct reader *r)
{
	struct page_code *code = r->out;
	size_t left = INSTRUCTIONS_MOST;

	vec_for_each(struct page_code_object, o, &code->objects)
		o->kept = xcalloc(o->code.list.len + 1, sizeof(*o->kept));
	vec_for_each(const struct page_code_function, f, &code->functions) {
		struct page_code_object *o;
		bool whole = f->end - f->from <= WHOLE_INSTRUCTIONS;

		if (!f->object)
			continue;
		o = &code->objects.data[f->object - 1];
		for (size_t i = f->from; i < f->end; i++)
			if (whole || has_value(r, &code->instructions, o->first + i))
				keep(o->kept, f->from, f->end, i,
				     whole ? 0 : INSTRUCTIONS_BESIDE, &left);
	}
}

/* Lines of kept instructions, though no sample is there. */
static void keep_linked(struct reader *r, struct page_file *file, size_t *left)
{
	const char *name = model_string(&r->session->model, file->name);

	vec_for_each(const struct page_code_object, o, &r->out->objects) {
		for (size_t i = 0; i < o->code.list.len; i++) {
			const struct line_frame *line =
				o->kept[i] ? disassembly_line(&o->code, i) : NULL;

			if (line && line->line && line->line <= file->text.lines.len &&
			    !strcmp(strtab_get(&o->code.lines.texts, line->file), name))
				keep(file->kept, 0, file->text.lines.len, line->line - 1,
				     2, left);
		}
	}
}

static void keep_lines(struct reader *r)
{
	size_t left = LINES_MOST;

	vec_for_each(struct page_file, file, &r->out->files) {
		size_t lines = file->text.lines.len;

		file->kept = xcalloc(lines + 1, sizeof(*file->kept));
		for (size_t n = 0; n < lines; n++)
			if (has_value(r, &r->out->lines, file->first + n))
				keep(file->kept, 0, lines, n, LINES_BESIDE, &left);
	}
	vec_for_each(struct page_file, file, &r->out->files)
		keep_linked(r, file, &left);
}

void page_code_read(struct page_code *out, struct session *s, uint32_t metric,
		    bool source)
{
	const struct analysis *analysis = session_analysis(s, ANALYSIS_SITES |
								      ANALYSIS_SUMS);
	struct reader r = { out, s, &analysis->sites, metric };

	*out = (struct page_code){ 0 };
	if (s->set.compare != COMPARE_OFF || metric >= s->model.metrics.len)
		return;
	choose(&r, &analysis->sums);
	pcs_build(&out->pcs, &s->model);
	choose_by_code(&r, &out->pcs);
	read_objects(&r);
	sum_instructions(&r);
	find_within(&r, &out->pcs);
	if (source)
		read_files(&r);
	sum_lines(&r);
	keep_instructions(&r);
	keep_lines(&r);
}

void page_code_release(struct page_code *code)
{
	vec_for_each(struct page_file, file, &code->files) {
		source_text_release(&file->text);
		free(file->kept);
	}
	vec_for_each(struct page_code_object, object, &code->objects) {
		disassembly_release(&object->code);
		free(object->kept);
	}
	vec_release(&code->files);
	vec_release(&code->objects);
	vec_release(&code->functions);
	sums_release(&code->lines);
	sums_release(&code->instructions);
	pcs_release(&code->pcs);
	free(code->line_of);
	free(code->instruction_of);
}
