/* SPDX-License-Identifier: Apache-2.0 */
#include "model/ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row reads best as one line. */
/* clang-format off */
static const struct ratio_kind kinds[] = {
	{ "IPC", "Instructions per Cycle", "", PART_INSTS, PART_CYCLES, 1, 3 },
	{ "CPI", "Cycles per Instruction", "", PART_CYCLES, PART_INSTS, 1, 3 },
	{ "GHz", "Clock Rate", "GHz", PART_CYCLES, PART_TIME, 1e-9, 3 },
	{ "clock-ratio", "Core Clock over Reference Clock", "", PART_CYCLES, PART_REF_CYCLES, 1, 3 },
	{ "L1D-MPKI", "L1 D-cache Misses per 1000 Instructions", "", PART_L1D_MISSES, PART_INSTS, 1000, 3 },
	{ "L2-MPKI", "L2 Cache Misses per 1000 Instructions", "", PART_L2_MISSES, PART_INSTS, 1000, 3 },
	{ "LLC-MPKI", "Last-Level Cache Misses per 1000 Instructions", "", PART_LLC_MISSES, PART_INSTS, 1000, 3 },
	{ "dTLB-MPKI", "Data TLB Misses per 1000 Instructions", "", PART_DTLB_MISSES, PART_INSTS, 1000, 3 },
	{ "iTLB-MPKI", "Instruction TLB Misses per 1000 Instructions", "", PART_ITLB_MISSES, PART_INSTS, 1000, 3 },
	{ "branch-MPKI", "Branch Mispredictions per 1000 Instructions", "", PART_BRANCH_MISSES, PART_INSTS, 1000, 3 },
	{ "L1D-miss-rate", "L1 D-cache Load Misses per Load", "%", PART_L1D_LOAD_MISSES, PART_L1D_LOADS, 100, 2 },
	{ "LLC-miss-rate", "Last-Level Cache Misses per Reference", "%", PART_LLC_MISSES, PART_LLC_REFS, 100, 2 },
	{ "branch-miss-rate", "Mispredictions per Branch", "%", PART_BRANCH_MISSES, PART_BRANCHES, 100, 2 },
	{ "stall-fe-rate", "Front-end Stalls per Cycle", "%", PART_STALLED_FE, PART_CYCLES, 100, 2 },
	{ "stall-be-rate", "Back-end Stalls per Cycle", "%", PART_STALLED_BE, PART_CYCLES, 100, 2 },
};
/* clang-format on */

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/*
 * Names of a part, the best first: aliases, then perf's names, then the CPUs'. Some names
 * imply a level of privilege.
 */
static const struct part_name {
	enum ratio_part part;
	const char *name, *levels;
} part_names[] = {
	{ PART_INSTS, "insts", "" },
	{ PART_INSTS, "instructions", "" },
	{ PART_INSTS, "INSTRUCTION_RETIRED", "" },
	{ PART_INSTS, "INSTRUCTIONS_RETIRED", "" },
	{ PART_INSTS, "INST_RETIRED.ANY_P", "" },
	{ PART_INSTS, "INST_RETIRED.ANY", "" },
	{ PART_INSTS, "INST_RETIRED", "" },
	{ PART_INSTS, "RETIRED_INSTRUCTIONS", "" },
	{ PART_CYCLES, "cycles", "" },
	{ PART_CYCLES, "cpu-cycles", "" },
	{ PART_CYCLES, "UNHALTED_CORE_CYCLES", "" },
	{ PART_CYCLES, "CPU_CLK_UNHALTED.THREAD_P", "" },
	{ PART_CYCLES, "CPU_CLK_UNHALTED", "" },
	{ PART_CYCLES, "CYCLES_NOT_IN_HALT", "" },
	{ PART_CYCLES, "CPU_CYCLES", "" },
	{ PART_CYCLES, "usr_time", "u" },
	{ PART_CYCLES, "ring123", "u" },
	{ PART_CYCLES, "sys_time", "k" },
	{ PART_CYCLES, "ring0", "k" },
	{ PART_REF_CYCLES, "ref-cycles", "" },
	{ PART_REF_CYCLES, "UNHALTED_REFERENCE_CYCLES", "" },
	{ PART_REF_CYCLES, "CPU_CLK_UNHALTED.REF_TSC", "" },
	{ PART_TIME, "ref-cycles", "" },
	{ PART_TIME, "totalcpu", "" },
	{ PART_TIME, "user", "u" },
	{ PART_TIME, "system", "k" },
	{ PART_TIME, "task-clock", "" },
	{ PART_TIME, "cpu-clock", "" },
	{ PART_L1D_MISSES, "l1d-misses", "" },
	{ PART_L1D_MISSES, "L1-dcache-load-misses", "" },
	{ PART_L1D_LOAD_MISSES, "L1-dcache-load-misses", "" },
	{ PART_L1D_LOADS, "L1-dcache-loads", "" },
	{ PART_L2_MISSES, "l2-misses", "" },
	{ PART_LLC_MISSES, "llc-misses", "" },
	{ PART_LLC_MISSES, "cache-misses", "" },
	{ PART_LLC_REFS, "llc-refs", "" },
	{ PART_LLC_REFS, "cache-references", "" },
	{ PART_DTLB_MISSES, "dtlbm", "" },
	{ PART_DTLB_MISSES, "dTLB-load-misses", "" },
	{ PART_ITLB_MISSES, "itlbm", "" },
	{ PART_ITLB_MISSES, "iTLB-load-misses", "" },
	{ PART_BRANCHES, "branches", "" },
	{ PART_BRANCHES, "branch-instructions", "" },
	{ PART_BRANCH_MISSES, "brmisp", "" },
	{ PART_BRANCH_MISSES, "branch-misses", "" },
	{ PART_STALLED_FE, "stalled-fe", "" },
	{ PART_STALLED_FE, "stalled-cycles-frontend", "" },
	{ PART_STALLED_BE, "stalled-be", "" },
	{ PART_STALLED_BE, "stalled-cycles-backend", "" },
};

#define PART_NAMES (sizeof(part_names) / sizeof(part_names[0]))

/* The name of a part in a recording: "insts". */
static const char *name_of(enum ratio_part part)
{
	for (size_t i = 0; i < PART_NAMES; i++)
		if (part_names[i].part == part)
			return part_names[i].name;
	return "";
}

/* ---- names with levels ---- */

enum { LEVELS_MAX = 4 }; /* u, k, h, and the end */

struct level_name {
	const char *name; /* borrowed */
	size_t len;       /* of the name without its modifiers */
	char levels[LEVELS_MAX];
};

/*
 * "cycles.upp" is cycles, at u: precision and the counting of guests do not change the
 * number.
 */
static struct level_name name_split(const char *name)
{
	const char *dot = strrchr(name, '.');
	struct level_name out = { .name = name, .len = strlen(name) };
	size_t used = 0;

	if (!dot || dot[1 + strspn(dot + 1, "ukhpPHG")])
		return out;
	out.len = (size_t)(dot - name);
	for (const char *c = dot + 1; *c && used + 1 < LEVELS_MAX; c++)
		if (strchr("ukh", *c))
			out.levels[used++] = *c;
	return out;
}

static bool fits(const struct part_name *part, const char *id, const char *levels)
{
	struct level_name name = name_split(id);

	return strlen(part->name) == name.len &&
	       !strncasecmp(part->name, name.name, name.len) &&
	       !strcmp(*part->levels ? part->levels : name.levels, levels);
}

static uint32_t find_named(const struct model *model, const struct part_name *name,
			   const char *levels)
{
	for (uint32_t m = 0; m < model_recorded(model); m++)
		if (fits(name, model_string(model, model->metrics.data[m].id), levels))
			return m;
	return MODEL_NONE;
}

uint32_t ratio_metric(const struct model *model, enum ratio_part part, const char *levels)
{
	for (size_t i = 0; i < PART_NAMES; i++) {
		uint32_t m = part_names[i].part == part
				     ? find_named(model, &part_names[i], levels)
				     : MODEL_NONE;

		if (m != MODEL_NONE &&
		    (part != PART_TIME || metric_seconds(&model->metrics.data[m]) > 0))
			return m;
	}
	return MODEL_NONE;
}

/* ---- available ratios ---- */

static bool has_metric(const struct source *source, uint32_t metric)
{
	for (size_t e = 0; e < source->exp->log.events.len; e++)
		if (source->metric[e] == metric)
			return true;
	return false;
}

/* Sums of different runs have no quotient. */
static bool recorded_together(const struct model *model, uint32_t top, uint32_t bottom)
{
	vec_for_each(const struct source, source, &model->sources)
		if (has_metric(source, top) != has_metric(source, bottom))
			return false;
	return true;
}

static const struct level {
	const char *levels, *label;
} levels[] = { { "", "" }, { "u", " (user)" }, { "k", " (system)" } };

#define LEVELS (sizeof(levels) / sizeof(levels[0]))

static void add_ratio(struct model *model, const struct ratio_kind *kind,
		      const struct level *level)
{
	uint32_t top = ratio_metric(model, kind->top, level->levels);
	uint32_t bottom = ratio_metric(model, kind->bottom, level->levels);
	struct ratio new = { .kind = kind, .top = top, .bottom = bottom };
	struct strbuf text = { 0 };

	if (top == MODEL_NONE || bottom == MODEL_NONE ||
	    !recorded_together(model, top, bottom))
		return;
	strbuf_addf(&text, "%s%s%s", kind->name, *level->levels ? "." : "",
		    level->levels);
	new.id = strtab_intern(&model->strings, text.data);
	strbuf_clear(&text);
	strbuf_addf(&text, "%s%s", kind->label, level->label);
	new.label = strtab_intern(&model->strings, text.data);
	*vec_push(&model->ratios) = new;
	strbuf_release(&text);
}

void ratios_find(struct model *model)
{
	vec_clear(&model->ratios);
	for (size_t k = 0; k < KINDS; k++)
		for (size_t l = 0; l < LEVELS; l++)
			add_ratio(model, &kinds[k], &levels[l]);
}

/* ---- their values ---- */

/* The distance of a bound, as the logarithm of a factor. */
static double distance(double a, double b)
{
	return b > 0 ? log(a / b) : INFINITY;
}

double ratio_factor(const struct model *model, const struct ratio *ratio)
{
	const struct metric *bottom = &model->metrics.data[ratio->bottom];
	bool seconds = ratio->kind->bottom == PART_TIME;

	return ratio->kind->factor / (seconds ? metric_seconds(bottom) : 1);
}

bool ratio_of_estimates(double factor, const struct estimate *top,
			const struct estimate *bottom, struct estimate *out)
{
	const struct estimate *t = top, *b = bottom;

	if (b->amount <= 0)
		return false;
	*out = (struct estimate){
		.amount = factor * t->amount / b->amount,
		.samples = t->samples < b->samples ? t->samples : b->samples,
	};
	if (t->amount <= 0) {
		out->high = b->low > 0 ? factor * t->high / b->low : 0;
		return true;
	}
	out->low = out->amount *
		   exp(-hypot(distance(t->amount, t->low), distance(b->high, b->amount)));
	out->high = out->amount *
		    exp(hypot(distance(t->high, t->amount), distance(b->amount, b->low)));
	return true;
}

bool ratio_estimate(const struct model *model, const struct ratio *ratio,
		    struct value top, struct value bottom, struct estimate *out)
{
	const struct metric *above = &model->metrics.data[ratio->top];
	const struct metric *below = &model->metrics.data[ratio->bottom];
	struct estimate t = estimate_of(above, top, above->total);
	struct estimate b = estimate_of(below, bottom, below->total);

	return ratio_of_estimates(ratio_factor(model, ratio), &t, &b, out);
}

bool ratio_total(const struct model *model, const struct ratio *ratio,
		 struct estimate *out)
{
	struct estimate t = estimate_total(&model->metrics.data[ratio->top]);
	struct estimate b = estimate_total(&model->metrics.data[ratio->bottom]);

	return ratio_of_estimates(ratio_factor(model, ratio), &t, &b, out);
}

/* ---- explaining missing ones ---- */

static const struct ratio_kind *find_kind(const struct level_name *name)
{
	for (size_t k = 0; k < KINDS; k++)
		if (strlen(kinds[k].name) == name->len &&
		    !strncasecmp(kinds[k].name, name->name, name->len))
			return &kinds[k];
	return NULL;
}

bool ratio_explain(const struct model *model, const char *text, struct strbuf *err)
{
	struct level_name name = name_split(text);
	const struct ratio_kind *kind = find_kind(&name);
	const char *top, *bottom, *dot = *name.levels ? "." : "";
	bool has_top, has_bottom;

	if (!kind)
		return false;
	top = name_of(kind->top);
	bottom = name_of(kind->bottom);
	has_top = ratio_metric(model, kind->top, name.levels) != MODEL_NONE;
	has_bottom = ratio_metric(model, kind->bottom, name.levels) != MODEL_NONE;
	strbuf_addf(err, "%s is %s%s%s over %s%s%s, ", kind->name, top, dot, name.levels,
		    bottom, dot, name.levels);
	if (has_top && has_bottom && model->sources.len > 1)
		strbuf_addstr(err, "and not every experiment has both");
	else if (has_top && has_bottom)
		strbuf_addf(err, "and the rate of %s is not known", bottom);
	else if (has_top || has_bottom)
		strbuf_addf(err, "and the recording has no %s%s%s",
			    has_top ? bottom : top, dot, name.levels);
	else
		strbuf_addstr(err, "and the recording has neither");
	strbuf_addf(err, "; collect -h %s%s%s,,%s%s%s would record both", top,
		    *name.levels ? ":" : "", name.levels, bottom, *name.levels ? ":" : "",
		    name.levels);
	return true;
}
