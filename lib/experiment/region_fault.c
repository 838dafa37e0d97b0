/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/region_fault.h"

#include <inttypes.h>

static const struct {
	const char *one, *several;
} texts[EXP_REGION_FAULTS_COUNT] = {
	[EXP_FAULT_STRAY_END] = { "end without a begin", "ends without a begin" },
	[EXP_FAULT_CUT] = { "region ended by one around it",
			    "regions ended by one around them" },
	[EXP_FAULT_UNENDED] = { "region not ended", "regions not ended" },
	[EXP_FAULT_TOO_DEEP] = { "region left out, in too many others",
				 "regions left out, in too many others" },
	[EXP_FAULT_LOST] = { "begin or end lost (what was in that region counts for the "
			     "one "
			     "around it)",
			     "begins and ends lost (what was in these regions counts for "
			     "those around them)" },
	[EXP_FAULT_UNNAMED] = { "region without its name",
				"regions without their names" },
	[EXP_FAULT_NO_THREAD] = { "begin or end of an unknown thread",
				  "begins and ends of unknown threads" },
	[EXP_FAULT_BAD_FILE] = { "damaged file", "damaged files" },
	[EXP_FAULT_NO_FILE] = { "process that found no room to say anything",
				"processes that found no room to say anything" },
	[EXP_FAULT_REQUEST] = { "request for a pause or a sample point lost",
				"requests for pauses or sample points lost" },
};

void exp_region_faults_put(const uint64_t faults[EXP_REGION_FAULTS_COUNT],
			   struct strbuf *out)
{
	const char *comma = "";

	for (int f = 0; f < EXP_REGION_FAULTS_COUNT; f++) {
		if (!faults[f])
			continue;
		strbuf_addf(out, "%s%" PRIu64 " %s", comma, faults[f],
			    faults[f] == 1 ? texts[f].one : texts[f].several);
		comma = ", ";
	}
}
