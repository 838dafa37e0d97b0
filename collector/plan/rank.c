/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/rank.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Variables of a launcher: the rank, the number of ranks, and one without which it is none. */
static const struct launcher {
	const char *rank, *count, *also;
} launchers[] = {
	{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL },
	{ "PMIX_RANK", "SLURM_STEP_NUM_TASKS", NULL },
	{ "PMI_RANK", "PMI_SIZE", NULL },
	/* a batch script is no rank of its job, although Slurm gives it number 0 */
	{ "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID" },
};

/* NULL if it is empty, too. */
static const char *variable(const char *name)
{
	const char *value = name ? getenv(name) : NULL;

	return value && *value ? value : NULL;
}

static const struct launcher *find(void)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++)
		if (variable(launchers[i].rank) &&
		    (!launchers[i].also || variable(launchers[i].also)))
			return &launchers[i];
	return NULL;
}

const char *rank_get(void)
{
	const struct launcher *by = find();

	return by ? variable(by->rank) : NULL;
}

/* Decimal digits alone, below 2^32. */
static bool read_number(const char *text, uint64_t *out)
{
	char *end;

	if (!text || text[strspn(text, "0123456789")] || strlen(text) > 10)
		return false;
	*out = strtoull(text, &end, 10);
	return *out <= UINT32_MAX;
}

static int digits(uint64_t number)
{
	int count = 1;

	while (number /= 10)
		count++;
	return count;
}

char *rank_experiment(const char *name)
{
	const struct launcher *by = find();
	size_t len = strlen(name), suffix = strlen(".er");
	uint64_t rank, count;

	if (!by || !read_number(variable(by->rank), &rank) ||
	    !read_number(variable(by->count), &count) || count < 2)
		return NULL;
	return xasprintf("%.*s.%0*u.er", (int)(len - suffix), name, digits(count - 1),
			 (unsigned)rank);
}
