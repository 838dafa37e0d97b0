/* SPDX-License-Identifier: Apache-2.0 */
#include "import/event.h"

#include <linux/perf_event.h>

static enum stack_mode mode_of(const struct perf_attr *attr)
{
	const uint64_t copy = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	const uint64_t calls = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK;

	if ((attr->sample_type & copy) == copy)
		return STACK_CFI;
	if ((attr->sample_type & calls) == calls &&
	    attr->branch_type & PERF_SAMPLE_BRANCH_CALL_STACK)
		return STACK_LBR;
	return attr->sample_type & PERF_SAMPLE_CALLCHAIN ? STACK_FP : STACK_OFF;
}

static enum import_lost lost_of(const struct perf_attr *attr)
{
	if (import_event_is_dummy(attr))
		return IMPORT_LOST_OTHER;
	return attr->bookkeeping ? IMPORT_LOST_MIXED : IMPORT_LOST_SAMPLES;
}

void import_event_init(struct import_event *e, const struct perf_attr *attr,
		       uint64_t *swapped)
{
	*e = (struct import_event){
		.format = {
			.sample_type = attr->sample_type,
			.regs_user = attr->regs_user,
			.regs_intr = attr->regs_intr,
			.read_format = attr->read_format,
			.branch_type = attr->branch_type,
			.no_id = !attr->sample_id_all,
			.period = attr->period,
			.swapped = swapped,
		},
		.mode = mode_of(attr),
		.row = IMPORT_NO_ROW,
		.inherit = attr->inherit,
		.chains_lack_kernel = attr->exclude_callchain_kernel,
		.lost = lost_of(attr),
	};
}

bool import_event_is_dummy(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}
