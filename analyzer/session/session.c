/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session.h"

#include <assert.h>
#include <string.h>
#include <errno.h>
#include <stdlib.h>

#include "elf/debuginfod.h"
#include "elf/lineinfo_apart.h"
#include "base/diag.h"
#include "model/load.h"
#include "model/split.h"
#include "base/xalloc.h"

static void tell_fetching(void *ctx, uint64_t bytes, uint64_t whole)
{
	progress_step(ctx, "fetching debug information", bytes,
		      whole ? whole : UINT64_MAX);
}

void session_init(struct session *s)
{
	*s = (struct session){
		.set = { .source_threshold = 75, .disasm_threshold = 75 },
	};
	model_init(&s->model);
	progress_init(&s->progress);
	s->model.progress = &s->progress;
	s->model.names = &s->names;
	s->model.search.online = debuginfod_connect(tell_fetching, &s->progress);
	output_init(&s->out);
}

void session_release(struct session *s)
{
	analysis_release(&s->analysis);
	source_paths_release(&s->set.paths);
	vec_release(&s->set.metrics);
	free(s->set.metrics_spec);
	free(s->set.sort_spec);
	vec_release(&s->fragment);
	vec_for_each(char *, text, &s->untold)
		free(*text);
	vec_release(&s->untold);
	names_release(&s->names);
	strbuf_release(&s->next_note);
	hidden_release(&s->set.hidden);
	selection_release(&s->set.selection);
	index_objects_release(&s->set.index_objects);
	for (int i = 0; i <= SELECTS; i++)
		free(s->set.refused[i]);
	output_release(&s->out);
	debuginfod_free(s->model.search.online);
	model_release(&s->model);
	vec_for_each(char *, dir, &s->set.symfs)
		free(*dir);
	vec_release(&s->set.symfs);
}

/* ---- computed data ---- */

/* Better no lines than those of another build; each such file is reported once. */
static void warn_of_unused(struct session *s)
{
	const struct sites *sites = &s->analysis.sites;

	for (; s->stale_told < sites->objects.len; s->stale_told++) {
		int error = sites->objects.data[s->stale_told].error;
		const char *path = object_path(&s->model, (uint32_t)s->stale_told);

		if (error == -ESTALE)
			diag_warn("%s differs from the recorded file, and is not used",
				  path);
		else if (line_job_failure(error))
			diag_warn("%s has debug information that %s, and no lines; %s",
				  path, line_job_failure(error),
				  error == -EPERM ? "run er_print as that user"
						  : "please report it with that file");
	}
}

/* Reading lines may take long, and may give reasons to warn. */
static void make_sites(struct session *s, const struct analysis_of *of)
{
	if (s->analysis.known & ANALYSIS_SITES)
		return;
	analysis_make(&s->analysis, of, ANALYSIS_SITES);
	progress_end(&s->progress);
	warn_of_unused(s);
}

/* Functions come from the source lines, unless inlined ones are off. */
static struct analysis_of analysis_of(struct session *s)
{
	struct analysis_of of = { &s->model, &s->set.hidden, s->set.no_inlines };

	if (!of.no_inlines)
		make_sites(s, &of);
	return of;
}

const struct analysis *session_analysis(struct session *s, unsigned parts)
{
	struct analysis_of of = analysis_of(s);

	if (parts & ANALYSIS_SITES)
		make_sites(s, &of);
	analysis_make(&s->analysis, &of, parts);
	return &s->analysis;
}

void session_frames(struct session *s, struct frame_map *out)
{
	struct analysis_of of = analysis_of(s);

	analysis_frames(&s->analysis, &of, out);
}

void session_shown(struct session *s, struct frame_map *out)
{
	struct analysis_of of = analysis_of(s);

	analysis_shown(&s->analysis, &of, out);
}

void session_shown_sites(struct session *s, struct sites *out)
{
	hidden_sites(&s->set.hidden, &s->model,
		     &session_analysis(s, ANALYSIS_SITES)->sites, out);
}

/* ---- the selection ---- */

/* The highest number of a thread. */
static uint32_t count_threads(const struct model *model)
{
	uint32_t count = 0;

	vec_for_each(const struct source, source, &model->sources)
		vec_for_each(const struct exp_thread, thread, &source->exp->threads)
			count = thread->number > count ? thread->number : count;
	return count;
}

/* The expression must be valid alone, before lists are added to it in parentheses. */
static int parse_selection(const struct selection *selection, const struct model *model,
			   struct filter *out, struct strbuf *err)
{
	struct strbuf text = { 0 };
	int error = 0;

	*out = (struct filter){ 0 };
	if (selection->expression)
		error = filter_parse(selection->expression, out, err);
	filter_release(out);
	selection_compose(selection, count_threads(model), &text);
	if (!error && text.len)
		error = filter_parse(text.data, out, err);
	strbuf_release(&text);
	return error;
}

int session_select(struct session *s, struct strbuf *err)
{
	struct frame_map frames;
	struct filter filter;
	int error = parse_selection(&s->set.selection, &s->model, &filter, err);

	if (error)
		return error;
	session_frames(s, &frames);
	model_set_filter(&s->model, &filter, &frames);
	frame_map_release(&frames);
	analysis_changed(&s->analysis, INPUT_FILTER);
	return 0;
}

/* After a change of the experiments: the selection was valid before. */
static void select_again(struct session *s)
{
	struct strbuf ignored = { 0 };

	if (filter_is_set(&s->model.filter) && session_select(s, &ignored))
		assert(!"a selection that was parsed before");
	strbuf_release(&ignored);
}

/* ---- metrics ---- */

static bool make_splits(void *ctx, const char *name)
{
	return splits_make(ctx, name);
}

/* Metrics that are parts of others are made when one is first named. */
static void make_named(struct session *s, const char *spec)
{
	if (!spec || !metric_list_names(spec, make_splits, &s->model))
		return;
	progress_end(&s->progress);
	analysis_changed(&s->analysis, INPUT_FILTER);
	select_again(s);
}

int session_parse_metrics(struct session *s, const char *spec, struct metric_list *out,
			  struct strbuf *err)
{
	make_named(s, spec);
	return metric_list_parse(&s->model, spec, out, err);
}

int session_parse_sort(struct session *s, const char *text, struct sort_key *out,
		       struct strbuf *err)
{
	make_named(s, text);
	return sort_key_parse(&s->model, text, out, err);
}

/* Sets the user's metrics and order; defaults replace those that the experiments lack. */
static void set_metrics(struct session *s)
{
	struct strbuf ignored = { 0 };

	if (!s->set.metrics_spec ||
	    session_parse_metrics(s, s->set.metrics_spec, &s->set.metrics, &ignored))
		metric_list_default(&s->model, &s->set.metrics);
	s->set.sort_known = s->set.sort_spec &&
			    !session_parse_sort(s, s->set.sort_spec, &s->set.sort,
						&ignored);
	strbuf_release(&ignored);
}

void session_changed(struct session *s, unsigned inputs)
{
	analysis_changed(&s->analysis, inputs);
	if (inputs & (INPUT_EXPERIMENTS | INPUT_INLINES | INPUT_NAMES))
		select_again(s);
	if (inputs & INPUT_EXPERIMENTS)
		set_metrics(s);
}

/* ---- experiments ---- */

int session_open(struct session *s, const char *path, uint32_t group, struct strbuf *err)
{
	int error = model_add(&s->model, path, err);

	if (error)
		return error;
	s->model.sources.data[s->model.sources.len - 1].group = group;
	session_changed(s, INPUT_EXPERIMENTS);
	return 0;
}

int session_can_open(const struct session *s, const char *path, struct strbuf *err)
{
	struct model model;
	int error;

	model_init(&model);
	model.progress = s->model.progress;
	model.any_size = s->model.any_size;
	model.by_region = s->model.by_region;
	error = model_add(&model, path, err);
	model_release(&model);
	return error;
}

/* Moves the remaining experiments to a new model, which sums them up. */
static void take_others(struct session *s, size_t first, size_t count, struct model *out)
{
	model_init(out);
	out->progress = s->model.progress;
	out->any_size = s->model.any_size;
	out->by_region = s->model.by_region;
	out->search = s->model.search;
	for (size_t i = 0; i < s->model.sources.len; i++) {
		struct source *source = &s->model.sources.data[i];

		if (i >= first && i < first + count)
			continue;
		experiment_restore(source->exp);
		model_take(out, source->exp);
		source->exp = NULL;
		out->sources.data[out->sources.len - 1].group = source->group;
	}
}

/* Groups count from 0, without gaps. */
static void number_groups(struct model *model)
{
	uint32_t group = 0, before = 0;

	for (size_t i = 0; i < model->sources.len; i++) {
		struct source *source = &model->sources.data[i];

		group += i && source->group != before;
		before = source->group;
		source->group = group;
	}
}

int session_close(struct session *s, size_t first, size_t count, struct strbuf *err)
{
	bool filtered = filter_is_set(&s->model.filter);
	struct model others;

	take_others(s, first, count, &others);
	number_groups(&others);
	analysis_changed(&s->analysis, INPUT_EXPERIMENTS);
	names_clear(&s->names);
	hidden_carry(&s->set.hidden, &s->model, &others);
	vec_clear(&s->fragment);
	model_release(&s->model);
	s->model = others;
	s->model.names = &s->names;
	s->stale_told = 0;
	set_metrics(s);
	return filtered ? session_select(s, err) : 0;
}

int session_set_symfs(struct session *s, const char *list, struct strbuf *err)
{
	vec_for_each(char *, dir, &s->set.symfs)
		free(*dir);
	vec_clear(&s->set.symfs);
	for (size_t len; *list; list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		if (len)
			*vec_push(&s->set.symfs) = xstrndup(list, len);
	}
	*vec_push(&s->set.symfs) = NULL;
	s->model.search.symfs = (const char *const *)s->set.symfs.data;
	return s->model.sources.len ? session_close(s, 0, 0, err) : 0;
}

int session_map_path(struct session *s, const char *from, const char *to,
		     struct strbuf *err)
{
	struct source_paths *paths = &s->set.paths;
	struct strbuf changed = { 0 };
	bool any = false;

	source_paths_change(paths, from, to);
	s->model.search.changes = paths->changes.data;
	s->model.search.change_count = paths->changes.len;
	for (uint32_t o = 0; o < s->model.objects.len && !any; o++)
		any = path_change_put(&paths->changes.data[paths->changes.len - 1], 1,
				      object_path(&s->model, o), &changed);
	strbuf_release(&changed);
	return any ? session_close(s, 0, 0, err) : 0;
}

int session_group(struct session *s, bool by_region, struct strbuf *err)
{
	bool changes = by_region != s->model.by_region;

	s->model.by_region = by_region;
	return s->model.sources.len && changes ? session_close(s, 0, 0, err) : 0;
}

/* ---- compared ---- */

bool session_has_groups(const struct session *s)
{
	uint32_t last = 0;

	vec_for_each(const struct source, source, &s->model.sources)
		last = source->group;
	return last == 1;
}

void session_shown_apart(struct session *s, struct counterparts *parts,
			 struct frame_map *out)
{
	session_shown(s, out);
	counterparts_functions(parts, &s->model);
	counterparts_apply(parts, out);
}

void session_sums_apart(const struct session *s, const struct counterparts *parts,
			const struct frame_map *frames, struct sums *out)
{
	sums_build(out, &s->model, frames, true);
	out->machine = xcalloc(out->groups + 1, sizeof(*out->machine));
	for (uint32_t row = 0; row < counterparts_rows(parts); row++)
		out->machine[row] = counterparts_is_machine(parts, &s->model, row);
}

void session_set_inlines(struct session *s, bool on)
{
	s->set.no_inlines = !on;
	names_clear(&s->names);
	s->names.no_inlines = !on;
	session_changed(s, INPUT_INLINES);
}

struct sort_key session_sort(const struct session *s)
{
	return s->set.sort_known ? s->set.sort : sort_key_default(&s->set.metrics);
}

const char *session_function(struct session *s, uint32_t function)
{
	return names_function(&s->names, &s->model, function);
}
