/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/dictionary_said.h"

static bool below(uint64_t id, size_t count)
{
	return id < count;
}

int exp_take_region_paths(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t parent = rows->column[EXP_REGION_PATH_PARENT][i];
		uint64_t name = rows->column[EXP_REGION_PATH_NAME][i];
		uint64_t domain = rows->column[EXP_REGION_PATH_DOMAIN][i];
		unsigned depth;

		if (!below(parent, exp->region_paths.len) ||
		    !below(name, exp->strings.len) || !below(domain, exp->strings.len))
			return EXP_BLOCK_DAMAGED;
		depth = exp->region_paths.data[parent].depth + 1u;
		if (depth > EXP_REGION_DEPTH_MAX)
			return EXP_BLOCK_DAMAGED;
		*vec_push(&exp->region_paths) = (struct exp_region_path){
			.parent = (uint32_t)parent,
			.name = (uint32_t)name,
			.domain = (uint32_t)domain,
			.depth = (uint16_t)depth,
			.apart = rows->column[EXP_REGION_PATH_APART][i] != 0,
		};
	}
	return 0;
}

static bool region_is_sound(const struct experiment *exp, uint64_t thread, uint64_t path,
			    uint64_t begin_ns, uint64_t end_ns)
{
	return below(thread, exp->threads.len) &&
	       thread < UINT32_MAX >> EXP_REGION_FLAG_BITS && path &&
	       below(path, exp->region_paths.len) && begin_ns <= end_ns;
}

/* Flags of a later version are left out. */
int exp_take_regions(struct experiment *exp, const struct exp_rows *rows)
{
	const uint64_t *thread = rows->column[EXP_REGION_THREAD];
	const uint64_t *path = rows->column[EXP_REGION_PATH];
	const uint64_t *begin = rows->column[EXP_REGION_BEGIN_NS];
	const uint64_t *end = rows->column[EXP_REGION_END_NS];
	const uint64_t *flags = rows->column[EXP_REGION_FLAGS];

	vec_reserve(&exp->regions, rows->count);
	for (size_t i = 0; i < rows->count; i++) {
		if (!region_is_sound(exp, thread[i], path[i], begin[i], end[i]))
			return EXP_BLOCK_DAMAGED;
		exp->regions.data[exp->regions.len++] = (struct exp_region){
			.begin_ns = begin[i],
			.end_ns = end[i],
			.path = (uint32_t)path[i],
			.thread = (uint32_t)thread[i],
			.flags = flags[i] & (EXP_REGION_UNENDED | EXP_REGION_CUT),
		};
	}
	return 0;
}

/* Kinds of a later version are left out. */
int exp_take_region_faults(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t kind = rows->column[EXP_REGION_FAULT_KIND][i];
		uint64_t count = rows->column[EXP_REGION_FAULT_COUNT][i];

		if (kind < EXP_REGION_FAULTS_COUNT)
			exp->region_faults[kind] = count;
	}
	return 0;
}

/* Kinds of a later version are left out, and values of a later type are not known. */
int exp_take_marks(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t thread = rows->column[EXP_MARK_THREAD][i];
		uint64_t kind = rows->column[EXP_MARK_KIND][i];
		uint64_t name = rows->column[EXP_MARK_NAME][i];
		uint64_t domain = rows->column[EXP_MARK_DOMAIN][i];
		uint64_t type = rows->column[EXP_MARK_TYPE][i];
		uint64_t value = rows->column[EXP_MARK_VALUE][i];

		if (!below(thread, exp->threads.len) || !below(name, exp->strings.len) ||
		    !below(domain, exp->strings.len) ||
		    (type == EXP_VALUE_TEXT && !below(value, exp->strings.len)))
			return EXP_BLOCK_DAMAGED;
		if (!kind || kind >= EXP_MARK_KINDS)
			continue;
		*vec_push(&exp->marks) = (struct exp_mark){
			.time_ns = rows->column[EXP_MARK_TIME_NS][i],
			.value = value,
			.thread = (uint32_t)thread,
			.name = (uint32_t)name,
			.domain = (uint32_t)domain,
			.kind = (enum exp_mark_kind)kind,
			.type = type < EXP_VALUE_TYPES ? (enum exp_value_type)type
						       : EXP_VALUE_NONE,
		};
	}
	return 0;
}

/* What is empty, or lies in another or before it, is left out. */
int exp_take_spans(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		spans_add(&exp->spans, rows->column[EXP_SPAN_FROM_NS][i],
			  rows->column[EXP_SPAN_TO_NS][i]);
	exp->paused |= rows->count > 0;
	return 0;
}

/* Kinds of a later version are those of a program's. */
int exp_take_points(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t time = rows->column[EXP_POINT_TIME_NS][i];
		uint64_t kind = rows->column[EXP_POINT_KIND][i];
		uint64_t name = rows->column[EXP_POINT_NAME][i];
		const struct exp_point *last =
			exp->points.len ? &exp->points.data[exp->points.len - 1] : NULL;

		if (!below(name, exp->strings.len) || (last && time < last->time_ns))
			return EXP_BLOCK_DAMAGED;
		if (!kind || kind >= EXP_POINT_KINDS)
			kind = EXP_POINT_PROGRAM;
		*vec_push(&exp->points) = (struct exp_point){
			.time_ns = time,
			.kind = (enum exp_point_kind)kind,
			.name = (uint32_t)name,
			.known = (unsigned)rows->column[EXP_POINT_KNOWN][i],
			.user_ns = rows->column[EXP_POINT_USER_NS][i],
			.system_ns = rows->column[EXP_POINT_SYSTEM_NS][i],
			.minor_faults = rows->column[EXP_POINT_MINOR_FAULTS][i],
			.major_faults = rows->column[EXP_POINT_MAJOR_FAULTS][i],
			.voluntary = rows->column[EXP_POINT_VOLUNTARY][i],
			.involuntary = rows->column[EXP_POINT_INVOLUNTARY][i],
		};
	}
	return 0;
}

int exp_take_point_counts(struct experiment *exp, const struct exp_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		uint64_t of = rows->column[EXP_POINT_COUNT_POINT][i];
		uint64_t event = rows->column[EXP_POINT_COUNT_EVENT][i];
		struct exp_point *point;

		if (!below(of, exp->points.len) || !below(event, exp->log.events.len))
			return EXP_BLOCK_DAMAGED;
		point = &exp->points.data[of];
		if (!point->counts)
			point->count = (uint32_t)exp->point_counts.len;
		else if (point->count + point->counts != exp->point_counts.len)
			return EXP_BLOCK_DAMAGED;
		point->counts++;
		*vec_push(&exp->point_counts) = (struct exp_point_count){
			.count = rows->column[EXP_POINT_COUNT_COUNT][i],
			.enabled_ns = rows->column[EXP_POINT_COUNT_ENABLED_NS][i],
			.running_ns = rows->column[EXP_POINT_COUNT_RUNNING_NS][i],
			.event = (uint32_t)event,
		};
	}
	return 0;
}
