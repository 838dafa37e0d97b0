/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares our encodings with published ones: the tables of ../shared/events, found
 * through RINGPROF_SHARED or beside the source tree.
 *
 * By convention, libpfm4's own codes have bits that the kernel sets itself, and that are 0
 * in an attr.  They are masked on both sides:
 *
 *	bit 16 USR, 17 OS   attr.exclude_user, attr.exclude_kernel
 *	bit 20 INT, 22 EN   set for each counter that runs
 *	bit 40 Host, 41 Guest (AMD)   attr.exclude_host, attr.exclude_guest
 *
 * A name that this libpfm4 does not have is no fault of ours: those are counted, and
 * enough must be left.
 */
#include <stdio.h>
#include <string.h>

#include "events/pfm.h"
#include "forced.h"
#include "tap.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define X86_BITS (UINT64_C(0x530000) | UINT64_C(3) << 40)
#define ARM_BITS UINT64_C(0xc8000000)

/* The tables that libpfm4 must know; those of other architectures are not built in. */
#if defined(__x86_64__)
static const size_t linux_enough = 60, libpfm_enough = 400;
#else
static const size_t linux_enough, libpfm_enough = 20;
#endif

#define COLUMNS 14

struct claim {
	char *pmu, *name;
	uint64_t config, other; /* two ways that the tables state it */
	uint64_t config1;
	bool fails;
};

struct claims {
	struct claim *data;
	size_t len, cap;
};

/* Linux's names of CPUs. */
static const struct {
	const char *cpu, *pmu;
} cpus[] = {
	{ "ivybridge", "ivb" },
	{ "haswell", "hsw" },
	{ "broadwell", "bdw" },
	{ "skylake", "skl" },
	{ "icelake", "icl" },
	{ "sapphirerapids", "spr" },
	{ "alderlake", "adl_glc" },
	{ "amdzen2", "amd64_fam17h_zen2" },
	{ "amdzen3", "amd64_fam19h_zen3" },
	{ "amdzen4", "amd64_fam19h_zen4" },
};

/* Linux's names of AMD's events. */
static const struct {
	const char *linux_name, *name;
} amd[] = {
	{ "ls_not_halted_cyc", "CYCLES_NOT_IN_HALT" },
	{ "ls_not_halted_p0_cyc.p0_freq_cyc",
	  "P0_FREQ_CYCLES_NOT_IN_HALT:P0_FREQ_CYCLES" },
	{ "ex_ret_instr", "RETIRED_INSTRUCTIONS" },
	{ "ex_ret_cops", "RETIRED_UOPS" },
	{ "ex_ret_ops", "RETIRED_OPS" },
	{ "ex_ret_brn", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "ex_ret_brn_misp", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "ex_ret_fus_brnch_inst", "RETIRED_FUSED_BRANCH_INSTRUCTIONS" },
	{ "ex_ret_fused_instr", "RETIRED_FUSED_INSTRUCTIONS" },
	{ "ex_tagged_ibs_ops.ibs_tagged_ops_ret", "TAGGED_IBS_OPS:IBS_TAGGED_OPS_RET" },
};

/* Names that libpfm4 4.13 encodes unlike all others, and its encoding. */
static const struct {
	const char *pmu, *event; /* in any spelling of case and separators */
	uint64_t config;
} defects[] = {
	{ "spr", "INST_RETIRED.ANY", 0x1c0 },
	{ "spr", "spr::inst_retired:any", 0x1c0 },
};

/* libpfm4's tables that perf_event programs through more than one config. */
static const char *const other_layouts[] = { "netburst", "netburst_p" };

static FILE *table_open(const char *name)
{
	const char *shared = getenv("RINGPROF_SHARED"), *src = getenv("RP_SRC");
	char *path = shared ? xasprintf("%s/events/%s", shared, name)
			    : xasprintf("%s/../shared/events/%s", src ? src : ".", name);
	FILE *file = fopen(path, "r");

	free(path);
	return file;
}

/* Splits a line in place; columns that are missing are "". */
static void columns_split(char *line, char *columns[COLUMNS])
{
	static char none[] = "";

	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < COLUMNS; i++)
		columns[i] = line ? strsep(&line, "\t") : none;
}

static void linux_claim(char *columns[COLUMNS], struct claims *claims)
{
	const char *fixed = strstr(columns[11], "event=");
	struct claim claim = { .name = columns[2] };

	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++)
		if (!strcmp(cpus[i].cpu, columns[0]))
			claim.pmu = xstrdup(cpus[i].pmu);
	for (size_t i = 0; i < sizeof(amd) / sizeof(*amd); i++)
		if (!strcmp(amd[i].linux_name, columns[2]))
			claim.name = xstrdup(amd[i].name);
	if (!claim.pmu || !strcmp(columns[1], "cpu_atom")) {
		free(claim.pmu);
		return;
	}
	if (claim.name == columns[2])
		claim.name = xstrdup(columns[2]);
	claim.config = claim.other = strtoull(columns[10], NULL, 0);
	if (fixed)
		claim.other = strtoull(fixed + strlen("event="), NULL, 0);
	*vec_push(claims) = claim;
}

static void libpfm_claim(char *columns[COLUMNS], struct claims *claims)
{
	const char *colons = strstr(columns[2], "::"), *comma;
	struct claim claim = { 0 };

	/* a comma ends a name for us */
	if (!colons || strchr(columns[2], ',') || strstr(columns[2], "_unc_") ||
	    strstr(columns[2], "_UNC_") || strtoul(columns[4], NULL, 0) > 2)
		return;
	for (size_t i = 0; i < sizeof(other_layouts) / sizeof(*other_layouts); i++)
		if (!strncmp(columns[2], other_layouts[i], (size_t)(colons - columns[2])))
			return;
	claim.pmu = xstrndup(columns[2], (size_t)(colons - columns[2]));
	claim.name = xstrdup(columns[2]);
	claim.fails = !strncmp(columns[3], "PFM_ERR", 7);
	claim.config = claim.other = strtoull(columns[5], NULL, 0);
	comma = strchr(columns[5], ',');
	claim.config1 = comma ? strtoull(comma + 1, NULL, 0) : 0;
	*vec_push(claims) = claim;
}

static bool table_read(const char *name, void (*add)(char **columns, struct claims *),
		       struct claims *claims)
{
	FILE *file = table_open(name);
	char *line = NULL, *columns[COLUMNS];
	size_t size = 0;

	if (!file)
		return false;
	while (getline(&line, &size, file) > 0) {
		if (*line == '#' || !strncmp(line, "cpu\t", 4) ||
		    !strncmp(line, "file\t", 5))
			continue;
		columns_split(line, columns);
		add(columns, claims);
	}
	free(line);
	fclose(file);
	return true;
}

static void claims_release(struct claims *claims)
{
	vec_for_each(struct claim, claim, claims) {
		free(claim->pmu);
		free(claim->name);
	}
	vec_release(claims);
}

/* A child's findings for the claims of one PMU. */
struct answer {
	const struct claims *claims; /* the child has its own copy */
	const char *pmu;
	bool has_table;
	struct encoding {
		bool known;
		uint64_t config, config1;
	} rows[];
};

static void claims_ask(const struct events *events, void *arg)
{
	struct answer *answer = arg;

	answer->has_table = pfm_cpu() && !strcmp(pfm_cpu(), answer->pmu);
	for (size_t i = 0; answer->has_table && i < answer->claims->len; i++) {
		struct event_list list = { 0 };
		struct strbuf err = { 0 };

		if (!strcmp(answer->claims->data[i].pmu, answer->pmu) &&
		    !event_list_parse(events, answer->claims->data[i].name, &list,
				      &err)) {
			answer->rows[i].known = true;
			answer->rows[i].config = list.data[0].config;
			answer->rows[i].config1 = list.data[0].config1;
		}
		event_list_release(&list);
		strbuf_release(&err);
	}
}

static bool is_defect(const struct claim *claim, uint64_t config)
{
	for (size_t i = 0; i < sizeof(defects) / sizeof(*defects); i++)
		if (!strcmp(defects[i].pmu, claim->pmu) &&
		    !strcmp(defects[i].event, claim->name) && defects[i].config == config)
			return true;
	return false;
}

static bool is_as_stated(const struct claim *claim, uint64_t config, uint64_t config1)
{
	uint64_t bits = ~(strncmp(claim->pmu, "arm_", 4) ? X86_BITS : ARM_BITS);

	return ((config & bits) == (claim->config & bits) ||
		(config & bits) == (claim->other & bits) || is_defect(claim, config)) &&
	       config1 == claim->config1;
}

/* Returns the number of claims that could be compared. */
static size_t pmu_test(const struct claims *claims, const char *pmu)
{
	size_t len = sizeof(struct answer) + claims->len * sizeof(struct encoding);
	struct answer *answer = forced_answer(len);
	size_t compared = 0;

	answer->claims = claims;
	answer->pmu = pmu;
	ok(forced_ask(pmu, claims_ask, answer), "%s: asked", pmu);
	for (size_t i = 0; answer->has_table && i < claims->len; i++) {
		const struct claim *claim = &claims->data[i];
		const struct encoding *row = &answer->rows[i];

		if (strcmp(claim->pmu, pmu) != 0 || (!row->known && !claim->fails))
			continue;
		compared++;
		ok(claim->fails ? !row->known
				: is_as_stated(claim, row->config, row->config1),
		   "%s %s: %s 0x%llx 0x%llx, stated as 0x%llx 0x%llx", pmu, claim->name,
		   row->known ? "is" : "unknown", (unsigned long long)row->config,
		   (unsigned long long)row->config1, (unsigned long long)claim->config,
		   (unsigned long long)claim->config1);
	}
	munmap(answer, len);
	return compared;
}

static size_t claims_test(const struct claims *claims)
{
	size_t compared = 0;

	for (size_t i = 0; i < claims->len; i++) {
		size_t first = 0;

		while (strcmp(claims->data[first].pmu, claims->data[i].pmu) != 0)
			first++;
		if (first == i)
			compared += pmu_test(claims, claims->data[i].pmu);
	}
	return compared;
}

int main(void)
{
	struct claims linux_claims = { 0 }, libpfm_claims = { 0 };
	size_t compared;

	if (!table_read("encodings.tsv", linux_claim, &linux_claims) ||
	    !table_read("encodings_more.tsv", linux_claim, &linux_claims) ||
	    !table_read("encodings_libpfm4.tsv", libpfm_claim, &libpfm_claims))
		skip_all("no tables: set RINGPROF_SHARED to the folder that has "
			 "events/encodings.tsv");
	compared = claims_test(&linux_claims);
	ok(compared >= linux_enough, "%zu of %zu of Linux's names are libpfm4's",
	   compared, linux_claims.len);
	compared = claims_test(&libpfm_claims);
	ok(compared >= libpfm_enough, "%zu of %zu of libpfm4's own are in this version",
	   compared, libpfm_claims.len);
	claims_release(&linux_claims);
	claims_release(&libpfm_claims);
	return done_testing();
}
