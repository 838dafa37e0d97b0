/* SPDX-License-Identifier: Apache-2.0 */
#include "export/row_layout.h"

#include <stddef.h>

#define INTEGER(NAME)                                                                    \
	{                                                                                \
#NAME, TYPE_INTEGER, false                                               \
	}
#define INTEGER_OR_NULL(NAME)                                                            \
	{                                                                                \
#NAME, TYPE_INTEGER, true                                                \
	}
#define REAL(NAME)                                                                       \
	{                                                                                \
#NAME, TYPE_REAL, false                                                  \
	}
#define REAL_OR_NULL(NAME)                                                               \
	{                                                                                \
#NAME, TYPE_REAL, true                                                   \
	}
#define FLAG(NAME)                                                                       \
	{                                                                                \
#NAME, TYPE_FLAG, false                                                  \
	}
#define TEXT(NAME)                                                                       \
	{                                                                                \
#NAME, TYPE_TEXT, false                                                  \
	}
#define TEXT_OR_NULL(NAME)                                                               \
	{                                                                                \
#NAME, TYPE_TEXT, true                                                   \
	}
#define SKIP(NAME)                                                                       \
	{                                                                                \
#NAME, TYPE_SKIP, false                                                  \
	}

#define EXCLUSIVE_TOTALS INTEGER(exclusive_weight), INTEGER(exclusive_samples)
#define BOTH_TOTALS                                                                      \
	EXCLUSIVE_TOTALS, INTEGER(inclusive_weight), INTEGER(inclusive_samples)

/* clang-format off */
const struct row_layout row_layouts[ROW_TABLES] = {
	[ROWS_EXPERIMENTS] = { "experiments", true, "id", 1, {
		INTEGER(id), TEXT(identity), TEXT(path), TEXT(host), TEXT(kernel),
		TEXT(arch), TEXT(cpu), INTEGER(cpus), SKIP(started),
		{ "start_utc_ns", TYPE_SECONDS, true }, INTEGER(duration_ns),
		TEXT(command), TEXT(comment), TEXT(collector), FLAG(complete),
		INTEGER_OR_NULL(exit_status), INTEGER_OR_NULL(signal), FLAG(inlines),
		INTEGER(lost), INTEGER(lost_other), INTEGER(lost_records),
		INTEGER(throttled), SKIP(first_node), SKIP(last_node),
		SKIP(first_sample), SKIP(last_sample) } },
	[ROWS_LABELS] = { "labels", false, "experiment_id, key", 0, {
		SKIP(experiment_id), TEXT(key), TEXT(value) } },
	[ROWS_METRICS] = { "metrics", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), TEXT(name), TEXT(label), TEXT(unit),
		REAL(amount_per_weight), FLAG(exact), INTEGER(total_weight),
		INTEGER(total_samples) } },
	[ROWS_EVENTS] = { "events", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER(metric_id), TEXT(asked),
		TEXT(got), TEXT(reason), TEXT_OR_NULL(state), TEXT(unit),
		INTEGER_OR_NULL(period), REAL_OR_NULL(hz), REAL(scale) } },
	[ROWS_PROCESSES] = { "processes", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER_OR_NULL(parent_id),
		INTEGER(pid), TEXT(name), TEXT_OR_NULL(command),
		{ "start_utc_ns", TYPE_UTC, false } } },
	[ROWS_THREADS] = { "threads", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER(process_id), INTEGER(last_id),
		INTEGER(tid), INTEGER(number), TEXT(name),
		{ "born_utc_ns", TYPE_UTC_OR_0, true }, TEXT_OR_NULL(cgroup) } },
	[ROWS_BRANCHES] = { "branches", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER_OR_NULL(parent_id),
		TEXT(branch), TEXT(name), TEXT_OR_NULL(domain), INTEGER(depth),
		FLAG(apart) } },
	[ROWS_REGIONS] = { "regions", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER(branch_id), INTEGER(thread_id),
		{ "begin_utc_ns", TYPE_UTC, false }, { "end_utc_ns", TYPE_UTC, true },
		INTEGER_OR_NULL(duration_ns) } },
	[ROWS_MARKS] = { "marks", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER(thread_id),
		{ "utc_ns", TYPE_UTC, false }, TEXT(kind), TEXT_OR_NULL(domain),
		TEXT(name), TEXT_OR_NULL(value) } },
	[ROWS_OBJECTS] = { "objects", true, "id", 1, {
		INTEGER(id), TEXT(path), { "kind", TYPE_KIND, false } } },
	[ROWS_FUNCTIONS] = { "functions", true, "id", 1, {
		INTEGER(id), INTEGER(object_id), TEXT(name), TEXT(linkage_name),
		TEXT(tell), TEXT(build_id), TEXT(report_id) } },
	[ROWS_FILES] = { "files", true, "id", 1, { INTEGER(id), TEXT(path) } },
	[ROWS_LINES] = { "lines", true, "id", 1, {
		INTEGER(id), INTEGER(function_id), INTEGER(file_id), INTEGER(line) } },
	[ROWS_MODULES] = { "modules", true, "id", 1, {
		INTEGER(id), SKIP(experiment_id), INTEGER(object_id),
		TEXT_OR_NULL(build_id) } },
	[ROWS_FRAMES] = { "frames", true, "id", 1, {
		INTEGER(id), INTEGER(module_id), INTEGER(address), FLAG(is_return) } },
	[ROWS_FRAME_LINES] = { "frame_lines", true, "frame_id, level, line_id", 3, {
		INTEGER(frame_id), INTEGER(level), INTEGER(line_id) } },
	[ROWS_NODES] = { "nodes", true, "id", 1, {
		INTEGER(id), INTEGER_OR_NULL(parent_id), SKIP(last_id),
		INTEGER_OR_NULL(frame_id), INTEGER(line_id), FLAG(first_function),
		FLAG(first_object), FLAG(first_line) } },
	[ROWS_CONTEXTS] = { "contexts", false, "experiment_id, id", 0, {
		INTEGER(id), INTEGER(event_id), INTEGER(thread_id),
		INTEGER_OR_NULL(cpu), INTEGER_OR_NULL(branch_id) } },
	[ROWS_SAMPLES] = { "samples", false, "experiment_id, id", 0, {
		INTEGER(id), INTEGER(context_id), { "utc_ns", TYPE_UTC, false },
		INTEGER(weight), INTEGER(node_id) } },
	[ROWS_SAMPLE_DATA] = { "sample_data", false, "experiment_id, sample_id", 0, {
		INTEGER(sample_id), INTEGER_OR_NULL(address), INTEGER_OR_NULL(latency),
		TEXT_OR_NULL(source) } },
	[ROWS_LOSSES] = { "losses", false, "experiment_id, id", 0, {
		INTEGER(id), SKIP(experiment_id), INTEGER_OR_NULL(thread_id),
		{ "utc_ns", TYPE_UTC, false }, INTEGER(cpu), INTEGER(records) } },
	[ROWS_FUNCTION_TOTALS] = { "function_totals", false,
		"experiment_id, metric_id, function_id", 0, {
		INTEGER(metric_id), INTEGER(function_id), BOTH_TOTALS } },
	[ROWS_OBJECT_TOTALS] = { "object_totals", false,
		"experiment_id, metric_id, object_id", 0, {
		INTEGER(metric_id), INTEGER(object_id), BOTH_TOTALS } },
	[ROWS_LINE_TOTALS] = { "line_totals", false,
		"experiment_id, metric_id, line_id", 0, {
		INTEGER(metric_id), INTEGER(line_id), BOTH_TOTALS } },
	[ROWS_CALL_TOTALS] = { "call_totals", false, "experiment_id, id", 0, {
		INTEGER(id), INTEGER(metric_id), INTEGER(function_id),
		{ "relation", TYPE_RELATION, false }, INTEGER_OR_NULL(other_id),
		INTEGER(attributed_weight), INTEGER(attributed_samples) } },
	[ROWS_NODE_TOTALS] = { "node_totals", false,
		"experiment_id, metric_id, node_id", 0, {
		INTEGER(metric_id), INTEGER(node_id), EXCLUSIVE_TOTALS } },
	[ROWS_THREAD_TOTALS] = { "thread_totals", false,
		"experiment_id, metric_id, thread_id", 0, {
		INTEGER(metric_id), INTEGER(thread_id), EXCLUSIVE_TOTALS } },
	[ROWS_SECOND_TOTALS] = { "second_totals", false,
		"experiment_id, metric_id, second", 0, {
		INTEGER(metric_id), INTEGER(second), EXCLUSIVE_TOTALS } },
	[ROWS_BRANCH_TOTALS] = { "branch_totals", false,
		"experiment_id, metric_id, branch_id", 0, {
		INTEGER(metric_id), INTEGER(branch_id), BOTH_TOTALS } },
};
/* clang-format on */
