/* SPDX-License-Identifier: Apache-2.0 */
#include "model/filter_data.h"

#include "model/data_source.h"
#include "filter/regex.h"

const struct exp_detail *filter_data_of(struct filter_data *d, uint64_t number)
{
	if (number >= d->next)
		exp_details_of(&d->walk, d->exp, number, &d->last);
	d->next = number + 1;
	return &d->last;
}

bool filter_data_fits(struct filter_data *d, uint32_t node, const regex_t *regex,
		      uint64_t source)
{
	uint32_t known = idmap_get(&d->fits, source, node);
	struct strbuf words = { 0 };

	if (known != IDMAP_NONE)
		return known;
	data_source_words(source, &words);
	known = filter_regex_fits(regex, strbuf_str(&words));
	strbuf_release(&words);
	idmap_set(&d->fits, source, node, known);
	return known;
}

void filter_data_release(struct filter_data *d)
{
	exp_details_release(&d->walk);
	idmap_release(&d->fits);
}
