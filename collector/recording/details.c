/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/details.h"

#include <inttypes.h>
#include <stdio.h>

#include "experiment/write.h"

enum { MISPREDICTED = 1 }; /* of the third word of a branch */

void details_release(struct details *d)
{
	idmap_release(&d->cgroups);
	vec_release(&d->known);
}

void details_add_cgroup(struct details *d, struct intern *in,
			const struct record_cgroup *cgroup)
{
	const bool is_new = idmap_get(&d->cgroups, cgroup->id, 0) == IDMAP_NONE;

	if (is_new && d->cgroups.len >= DETAILS_CGROUPS_MAX) {
		d->left_out++;
		return;
	}
	if (is_new)
		*vec_push(&d->known) = cgroup->id;
	idmap_set(&d->cgroups, cgroup->id, 0, intern_string(in, cgroup->path));
}

void details_turn(struct details *d, const struct intern *old, struct intern *in)
{
	vec_for_each(const uint64_t, id, &d->known) {
		uint32_t name = idmap_get(&d->cgroups, *id, 0);

		idmap_set(&d->cgroups, *id, 0,
			  intern_string(in, strtab_get(&old->strings, name)));
	}
	d->left_out = 0;
}

/* Its path, or its number if no record reported the path. */
static uint64_t cgroup_name(const struct details *d, struct intern *in, uint64_t id)
{
	uint32_t name = idmap_get(&d->cgroups, id, 0);
	char number[32];

	if (!id || name != IDMAP_NONE)
		return id ? name : 0;
	snprintf(number, sizeof(number), "cgroup:%" PRIu64, id);
	return intern_string(in, number);
}

static uint64_t mispredicted(const struct record_branches *branches)
{
	uint64_t count = 0;

	for (size_t i = 0; i < branches->len; i++)
		count += branches->words[3 * i + 2] & MISPREDICTED;
	return count;
}

void details_write_group(const struct details *d, struct intern *in, uint32_t thread,
			 uint64_t cgroup)
{
	/* the name first, whose row it refers to */
	uint32_t name = (uint32_t)cgroup_name(d, in, cgroup);

	exp_write_row(in->writer, EXP_GROUPS,
		      (uint64_t[EXP_GROUP_COLUMNS]){ thread, name });
}

void details_write(const struct details *d, struct intern *in,
		   const struct record_sample *s, bool with_branches)
{
	uint64_t branches = with_branches ? s->branches.len : 0;
	uint64_t cgroup = d->by_thread ? 0 : s->cgroup;

	if (!(s->physical | s->data_page | s->code_page | cgroup | s->transaction |
	      s->weight2 | s->weight3 | s->raw_len | s->aux_len | branches))
		return;
	exp_write_row(
		in->writer, EXP_DETAILS,
		(uint64_t[EXP_DETAIL_COLUMNS]){
			[EXP_DETAIL_SAMPLE] = exp_writer_rows(in->writer, EXP_SAMPLES),
			[EXP_DETAIL_PHYSICAL] = s->physical,
			[EXP_DETAIL_DATA_PAGE] = s->data_page,
			[EXP_DETAIL_CODE_PAGE] = s->code_page,
			[EXP_DETAIL_CGROUP] = cgroup_name(d, in, cgroup),
			[EXP_DETAIL_TRANSACTION] = s->transaction,
			[EXP_DETAIL_WEIGHT2] = s->weight2,
			[EXP_DETAIL_WEIGHT3] = s->weight3,
			[EXP_DETAIL_RAW] = s->raw_len,
			[EXP_DETAIL_AUX] = s->aux_len,
			[EXP_DETAIL_BRANCHES] = branches,
			[EXP_DETAIL_MISPREDICTED] = branches ? mispredicted(&s->branches)
							     : 0,
		});
}
