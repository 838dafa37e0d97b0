/* SPDX-License-Identifier: Apache-2.0 */
/* Control groups in a recording. */
#include "recording/details.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiment/read.h"
#include "scratch.h"
#include "tap.h"

int main(void)
{
	char *root = scratch_make(), path[32];
	struct details d = { 0 };
	struct exp_writer *writer;
	struct intern in;

	if (exp_writer_open(root, &writer))
		exit(99);
	intern_init(&in, writer);
	for (uint64_t id = 1; id <= DETAILS_CGROUPS_MAX + 3; id++) {
		snprintf(path, sizeof(path), "/group %u", (unsigned)id);
		details_add_cgroup(&d, &in, &(struct record_cgroup){ id, path });
	}
	is_u64(d.cgroups.len, DETAILS_CGROUPS_MAX, "a limited number of paths is kept");
	is_u64(d.left_out, 3, "the others are counted");
	details_add_cgroup(&d, &in, &(struct record_cgroup){ 7, "/renamed" });
	is_u64(d.left_out, 3, "a new path of a known one");
	is_str(strtab_get(&in.strings, idmap_get(&d.cgroups, 7, 0)), "/renamed",
	       "is taken");
	details_write(&d, &in,
		      &(struct record_sample){ .cgroup = DETAILS_CGROUPS_MAX + 1 },
		      false);
	ok(strtab_find(&in.strings, "cgroup:65537") != STRTAB_NONE,
	   "a sample of a group without a path has its number");
	details_release(&d);
	intern_release(&in);
	if (exp_writer_close(writer))
		exit(99);
	scratch_remove(root);
	return done_testing();
}
