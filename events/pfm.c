/* SPDX-License-Identifier: Apache-2.0 */
#include "events/pfm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "base/xalloc.h"

/* Attributes that become fields of the event, and so do not belong in its raw name. */
static const char *const common_attrs[] = { "u",    "k",       "h",    "period",
					    "freq", "precise", "excl", "mg",
					    "mh",   "hv",      "cpu",  "pinned" };

int pfm_open(struct strbuf *err)
{
	int status = pfm_initialize();

	if (status == PFM_SUCCESS)
		return 0;
	strbuf_addf(err, "libpfm4 does not start: %s", pfm_strerror(status));
	return -ENOSYS;
}

void pfm_close(void)
{
	pfm_terminate();
}

static bool pmu_present(pfm_pmu_t id, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(id, info) == PFM_SUCCESS && info->is_present;
}

const char *pfm_cpu(void)
{
	pfm_pmu_info_t info;
	int id;

	pfm_for_all_pmus(id)
	{
		if (pmu_present((pfm_pmu_t)id, &info) && info.type == PFM_PMU_TYPE_CORE)
			return info.name;
	}
	return NULL;
}

static bool attr_is_common(const char *attr, size_t len)
{
	for (size_t i = 0; i < sizeof(common_attrs) / sizeof(*common_attrs); i++)
		if (strlen(common_attrs[i]) == len &&
		    !strncmp(common_attrs[i], attr, len))
			return true;
	return false;
}

static int attr_get(const char *name, struct perf_event_attr *attr, char **full, int *idx)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .fstr = full, .size = sizeof(arg) };
	int status = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3 | PFM_PLMH,
					       PFM_OS_PERF_EVENT_EXT, &arg);

	*idx = arg.idx;
	return status == PFM_SUCCESS ? 0 : -ENOENT;
}

static bool means_same(const char *name, const struct perf_event_attr *attr)
{
	struct perf_event_attr other = { 0 };
	int idx, error = attr_get(name, &other, NULL, &idx);

	return !error && other.config == attr->config && other.config1 == attr->config1 &&
	       other.config2 == attr->config2;
}

/*
 * libpfm4 spells out each attribute: "skl::X:Y:e=0:c=2:u=1".  Drops those that are off or
 * fields of the event; without VALUES, all with a value.
 */
static char *attrs_cut(const char *full, bool values)
{
	struct strbuf out = { 0 };
	const char *colons = strstr(full, "::");
	const char *at = colons ? colons + 2 : full;

	strbuf_add(&out, full, (size_t)(at - full));
	while (*at) {
		size_t len = strcspn(at, ":");
		const char *eq = memchr(at, '=', len);
		size_t key = eq ? (size_t)(eq - at) : len;
		bool off = eq && len == key + 2 && eq[1] == '0';

		if (!eq || (values && !off && !attr_is_common(at, key))) {
			if (out.len && out.data[out.len - 1] != ':')
				strbuf_addch(&out, ':');
			strbuf_add(&out, at, len);
		}
		at += len + (at[len] == ':');
	}
	return strbuf_detach(&out);
}

/* The shortest name that encodes to ATTR again. */
static char *raw_shorten(const char *full, const struct perf_event_attr *attr)
{
	/* attributes that a unit mask implies are unnecessary */
	char *raw = attrs_cut(full, false);

	if (means_same(raw, attr))
		return raw;
	free(raw);
	return attrs_cut(full, true);
}

static const char *name_of_raw(const char *raw)
{
	const char *colons = strstr(raw, "::");

	return colons ? colons + 2 : raw;
}

static bool event_is_uncore(int idx)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	pfm_pmu_info_t pmu;

	return pfm_get_event_info(idx, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS &&
	       pmu_present(event.pmu, &pmu) && pmu.type == PFM_PMU_TYPE_UNCORE;
}

int pfm_encode(const char *name, struct event *event)
{
	struct perf_event_attr attr = { 0 };
	char *full = NULL;
	int idx, error = attr_get(name, &attr, &full, &idx);

	if (error || !full) {
		free(full);
		return -ENOENT;
	}
	event->raw = raw_shorten(full, &attr);
	event->name = xstrdup(name_of_raw(event->raw));
	free(full);
	event->type = attr.type;
	event->config = attr.config;
	event->config1 = attr.config1;
	event->config2 = attr.config2;
	event->exclude_user = attr.exclude_user;
	event->exclude_kernel = attr.exclude_kernel;
	/* as in perf: a narrowed level excludes the hypervisor */
	event->exclude_hv = attr.exclude_user || attr.exclude_kernel;
	event->precise_ip = attr.precise_ip;
	if (attr.precise_ip)
		event->precision = EVENT_PRECISION_FIXED;
	event->freq = attr.freq;
	event->period = attr.sample_period;
	event->not_program = event_is_uncore(idx);
	return 0;
}

static void event_visit(const pfm_pmu_info_t *pmu, const pfm_event_info_t *event,
			pfm_visit *visit, void *arg)
{
	struct pfm_counter counter = {
		.pmu = pmu->name,
		.name = event->name,
		.desc = event->desc,
		.registers = (unsigned)(pmu->num_cntrs > 0 ? pmu->num_cntrs : 0),
		.precise = event->is_precise,
		.uncore = pmu->type == PFM_PMU_TYPE_UNCORE,
	};
	unsigned masks = 0;
	int i;

	pfm_for_each_event_attr(i, event)
	{
		pfm_event_attr_info_t mask = { .size = sizeof(mask) };
		char *name;

		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT_EXT,
					    &mask) != PFM_SUCCESS ||
		    mask.type != PFM_ATTR_UMASK)
			continue;
		name = xasprintf("%s:%s", event->name, mask.name);
		counter.name = name;
		counter.desc = mask.desc;
		counter.precise = event->is_precise && mask.is_precise;
		visit(&counter, arg);
		free(name);
		masks++;
	}
	if (!masks)
		visit(&counter, arg);
}

static void type_visit(pfm_pmu_type_t type, pfm_visit *visit, void *arg)
{
	pfm_pmu_info_t pmu;
	int id, idx;

	pfm_for_all_pmus(id)
	{
		if (!pmu_present((pfm_pmu_t)id, &pmu) || pmu.type != type)
			continue;
		for (idx = pmu.first_event; idx != -1; idx = pfm_get_event_next(idx)) {
			pfm_event_info_t event = { .size = sizeof(event) };

			if (pfm_get_event_info(idx, PFM_OS_PERF_EVENT_EXT, &event) ==
			    PFM_SUCCESS)
				event_visit(&pmu, &event, visit, arg);
		}
	}
}

void pfm_each_counter(pfm_visit *visit, void *arg)
{
	type_visit(PFM_PMU_TYPE_CORE, visit, arg);
	type_visit(PFM_PMU_TYPE_UNCORE, visit, arg);
}
