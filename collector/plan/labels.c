/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/labels.h"

#include <stdlib.h>
#include <string.h>

#include "plan/rank.h"
#include "base/xalloc.h"

/* A label, and the variable that has its value; the first one that is set counts. */
static const struct {
	const char *key, *variable;
} known[] = {
	{ "job", "SLURM_JOB_ID" },
	{ "job", "PBS_JOBID" },
	{ "job", "LSB_JOBID" },
	{ "array_task", "SLURM_ARRAY_TASK_ID" },
	{ "array_task", "PBS_ARRAY_INDEX" },
	{ "array_task", "LSB_JOBINDEX" }, /* 0: the job is no array */
	{ "rank", NULL },                 /* rank.h */
	{ "node", "SLURMD_NODENAME" },
	{ "node", "PBS_NODENUM" },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

static const char *value_of(size_t row)
{
	const char *value;

	if (!known[row].variable)
		return rank_get();
	value = getenv(known[row].variable);
	if (value && !strcmp(known[row].variable, "LSB_JOBINDEX") && !strcmp(value, "0"))
		return NULL;
	return value && *value ? value : NULL;
}

static void set_label(struct exp_log *log, const char *key, const char *value)
{
	char *text = xasprintf("%s=%.*s", key, EXP_LABEL_VALUE_MAX + 1, value);
	const char *label = text;

	exp_log_set_labels(log, &label, 1);
	free(text);
}

void labels_fill(struct exp_log *log, const struct options *opt)
{
	const char *done = "";

	for (size_t i = 0; i < KNOWN && !opt->import; i++) {
		const char *value = value_of(i);

		if (!value || !strcmp(done, known[i].key))
			continue;
		set_label(log, known[i].key, value);
		done = known[i].key;
	}
	exp_log_set_labels(log, opt->labels.data, opt->labels.len);
}
