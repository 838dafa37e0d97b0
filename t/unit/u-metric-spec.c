/* SPDX-License-Identifier: Apache-2.0 */
/* The language of metrics and sort: text in, columns out. */
#include "tables/metric_spec.h"

#include "tap.h"

/* A time, a counter in cycles with a known rate, one without, and a name with a dot. */
static void add_metric(struct model *model, const char *id, const char *unit,
		       double seconds)
{
	*vec_push(&model->metrics) = (struct metric){
		.id = strtab_intern(&model->strings, id),
		.label = strtab_intern(&model->strings, id),
		.unit = strtab_intern(&model->strings, unit),
		.clock = unit[0] == 'n',
		.seconds = seconds,
		.scale = 1,
	};
}

static const struct {
	const char *spec, *want; /* want NULL: refused */
} specs[] = {
	{ "e.totalcpu", "e.totalcpu" },
	{ "e.%totalcpu:i%cycles", "e.%totalcpu i%cycles" },
	{ "ie.%cycles", "e.%cycles i.%cycles" },
	{ "eia+cycles", "e+cycles i+cycles a+cycles" },
	{ "e.+%cycles", "e.+%cycles" },
	{ "E.totalcpu", NULL },
	{ "e.TOTALCPU", "e.totalcpu" },
	{ "e!cycles:i.cycles", "e!cycles i.cycles" },
	{ "e+totalcpu", "e.totalcpu" }, /* a clock counts nothing but time */
	{ "e.insts", "e+insts" },       /* and some counters are no time */
	{ "e.insts.u", "e+insts.u" },
	{ "insts", "e+%insts i+%insts" },
	{ "name:e.cycles:size:address", "name e.cycles size address" },
	{ "e.hwc", "e.cycles e+insts e+insts.u" },
	{ "i%all", "i%totalcpu i%cycles i%insts i%insts.u" },
	{ "default", "e.%totalcpu i.%totalcpu e.%cycles i.%cycles e+%insts i+%insts "
		     "e+%insts.u i+%insts.u" },
	{ ":e.cycles::", "e.cycles" },
	{ "", NULL },
	{ ":", NULL },
	{ "e.", NULL },
	{ "ecycles", NULL },
	{ "x.cycles", NULL },
	{ "e.cycle", NULL },
};

static void spell(const struct model *model, const struct metric_list *list,
		  struct strbuf *out)
{
	strbuf_clear(out);
	vec_for_each(const struct metric_item, item, list) {
		if (out->len)
			strbuf_addch(out, ' ');
		metric_item_spell(model, item, out);
	}
}

static void check_specs(const struct model *model)
{
	struct metric_list list = { 0 };
	struct strbuf text = { 0 }, err = { 0 };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		int error;

		strbuf_clear(&err);
		error = metric_list_parse(model, specs[i].spec, &list, &err);
		if (!specs[i].want) {
			ok(error && err.len, "'%s' is refused with a sentence",
			   specs[i].spec);
			continue;
		}
		spell(model, &list, &text);
		ok(!error, "'%s' is understood", specs[i].spec);
		is_str(strbuf_str(&text), specs[i].want, "'%s'", specs[i].spec);
	}
	vec_release(&list);
	strbuf_release(&text);
	strbuf_release(&err);
}

static void check_sort(const struct model *model)
{
	struct sort_key key = { 0 };
	struct strbuf err = { 0 }, text = { 0 };

	ok(!sort_key_parse(model, "-i.cycles", &key, &err), "a key with a dash");
	ok(key.reverse, "is reversed");
	metric_item_title(model, &key.by, &text);
	is_str(text.data, "Inclusive cycles", "and of that metric");
	ok(!sort_key_parse(model, "name", &key, &err), "a name");
	ok(key.by.field == FIELD_NAME && !key.reverse, "sorts by names");
	ok(sort_key_parse(model, "i.cicles", &key, &err), "an unknown metric is refused");
	is_str(err.data, "there is no metric 'cicles'; did you mean cycles?",
	       "with the nearest");
	ok(key.by.field == FIELD_NAME, "and the key stays as it was");
	strbuf_release(&err);
	strbuf_release(&text);
}

int main(void)
{
	struct model model;

	model_init(&model);
	add_metric(&model, "totalcpu", "ns", 1e-9);
	add_metric(&model, "cycles", "cycles", 5e-10);
	add_metric(&model, "insts", "events", 0);
	add_metric(&model, "insts.u", "events", 0);
	check_specs(&model);
	check_sort(&model);
	model_release(&model);
	return done_testing();
}
