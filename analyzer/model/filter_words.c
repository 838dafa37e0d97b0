/* SPDX-License-Identifier: Apache-2.0 */
#include "model/filter_words.h"

#include "model/points.h"

#define SECOND_NS 1000000000

static const struct exp_thread *thread_of(const struct filter_source *from,
					  const struct filter_subject *of)
{
	return &from->exp->threads.data[of->samples->thread[of->index]];
}

static int64_t word_tstamp(const struct filter_source *from,
			   const struct filter_subject *of)
{
	(void)from;
	return (int64_t)of->samples->time_ns[of->index];
}

static int64_t word_sample(const struct filter_source *from,
			   const struct filter_subject *of)
{
	const uint64_t time_ns = of->samples->time_ns[of->index];

	if (points_intervals(from->exp))
		return points_interval_at(from->exp, time_ns);
	return (int64_t)(time_ns / SECOND_NS) + 1;
}

static int64_t word_thrid(const struct filter_source *from,
			  const struct filter_subject *of)
{
	return thread_of(from, of)->number;
}

static int64_t word_lwpid(const struct filter_source *from,
			  const struct filter_subject *of)
{
	return thread_of(from, of)->tid;
}

static int64_t word_pid(const struct filter_source *from, const struct filter_subject *of)
{
	return from->exp->processes.data[thread_of(from, of)->process].pid;
}

static int64_t word_cpuid(const struct filter_source *from,
			  const struct filter_subject *of)
{
	uint64_t cpu = of->samples->cpu[of->index];

	(void)from;
	return cpu == UINT32_MAX ? -1 : (int64_t)cpu;
}

static int64_t word_expid(const struct filter_source *from,
			  const struct filter_subject *of)
{
	(void)of;
	return from->number;
}

static int64_t word_expgrid(const struct filter_source *from,
			    const struct filter_subject *of)
{
	(void)of;
	return from->group;
}

static int64_t word_weight(const struct filter_source *from,
			   const struct filter_subject *of)
{
	(void)from;
	return (int64_t)of->samples->weight[of->index];
}

static int64_t word_vaddr(const struct filter_source *from,
			  const struct filter_subject *of)
{
	(void)from;
	return (int64_t)of->samples->address[of->index];
}

static int64_t word_latency(const struct filter_source *from,
			    const struct filter_subject *of)
{
	(void)from;
	return (int64_t)of->samples->latency[of->index];
}

/* The details of the sample's data. */
static const struct exp_detail *detail_of(const struct filter_source *from,
					  const struct filter_subject *of)
{
	return filter_data_of(from->data, of->samples->first + of->index);
}

uint64_t filter_cgroup_of(const struct filter_source *from,
			  const struct filter_subject *of)
{
	uint32_t cgroup = thread_of(from, of)->cgroup;

	return cgroup ? cgroup : detail_of(from, of)->value[EXP_DETAIL_CGROUP];
}

static int64_t word_paddr(const struct filter_source *from,
			  const struct filter_subject *of)
{
	return (int64_t)detail_of(from, of)->value[EXP_DETAIL_PHYSICAL];
}

static int64_t word_datapage(const struct filter_source *from,
			     const struct filter_subject *of)
{
	return (int64_t)detail_of(from, of)->value[EXP_DETAIL_DATA_PAGE];
}

static int64_t word_codepage(const struct filter_source *from,
			     const struct filter_subject *of)
{
	return (int64_t)detail_of(from, of)->value[EXP_DETAIL_CODE_PAGE];
}

static int64_t word_txn(const struct filter_source *from, const struct filter_subject *of)
{
	return (int64_t)detail_of(from, of)->value[EXP_DETAIL_TRANSACTION];
}

static int64_t word_depth(const struct filter_source *from,
			  const struct filter_subject *of)
{
	return from->depths[of->node];
}

static int64_t word_instance(const struct filter_source *from,
			     const struct filter_subject *of)
{
	return filter_regions_number(from->regions, of->samples, of->index);
}

static int64_t word_rank(const struct filter_source *from,
			 const struct filter_subject *of)
{
	return filter_regions_rank(from->regions, of->samples, of->index);
}

filter_word_fn *const filter_words[FILTER_WORDS] = {
	[WORD_TSTAMP] = word_tstamp,     [WORD_SAMPLE] = word_sample,
	[WORD_THRID] = word_thrid,       [WORD_LWPID] = word_lwpid,
	[WORD_PID] = word_pid,           [WORD_CPUID] = word_cpuid,
	[WORD_EXPID] = word_expid,       [WORD_EXPGRID] = word_expgrid,
	[WORD_WEIGHT] = word_weight,     [WORD_DEPTH] = word_depth,
	[WORD_VADDR] = word_vaddr,       [WORD_LATENCY] = word_latency,
	[WORD_PADDR] = word_paddr,       [WORD_DATAPAGE] = word_datapage,
	[WORD_CODEPAGE] = word_codepage, [WORD_TXN] = word_txn,
	[WORD_INSTANCE] = word_instance, [WORD_RANK] = word_rank,
};
