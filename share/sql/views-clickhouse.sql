CREATE VIEW IF NOT EXISTS function_metrics AS
SELECT experiment_id, report_id AS function_id, function AS name, linkage_name, object, metric, unit,
	exclusive_weight * amount_per_weight AS exclusive, exclusive_samples,
	inclusive_weight * amount_per_weight AS inclusive, inclusive_samples,
	total_weight = 0 ? NULL : 100.0 * exclusive_weight / total_weight AS exclusive_percent,
	total_weight = 0 ? NULL : 100.0 * inclusive_weight / total_weight AS inclusive_percent
FROM (
	SELECT * FROM (
	SELECT * FROM (SELECT * FROM function_totals FINAL)
	ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
		amount_per_weight, total_weight FROM metrics FINAL)
	USING (experiment_id, metric_id))
	ALL INNER JOIN (
	SELECT function_id, report_id, function, linkage_name, object FROM (
		SELECT id AS function_id, report_id AS report_id, name AS function,
			linkage_name AS linkage_name, object_id FROM functions FINAL)
	ALL INNER JOIN (SELECT id AS object_id, path AS object FROM objects FINAL)
	USING (object_id))
	USING (function_id));
CREATE VIEW IF NOT EXISTS object_metrics AS
SELECT experiment_id, object, kind, metric, unit,
	exclusive_weight * amount_per_weight AS exclusive, exclusive_samples,
	inclusive_weight * amount_per_weight AS inclusive, inclusive_samples,
	total_weight = 0 ? NULL : 100.0 * exclusive_weight / total_weight AS exclusive_percent,
	total_weight = 0 ? NULL : 100.0 * inclusive_weight / total_weight AS inclusive_percent
FROM (
	SELECT * FROM (
	SELECT * FROM (SELECT * FROM object_totals FINAL)
	ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
		amount_per_weight, total_weight FROM metrics FINAL)
	USING (experiment_id, metric_id))
	ALL INNER JOIN (SELECT id AS object_id, path AS object, kind FROM objects FINAL)
	USING (object_id));
CREATE VIEW IF NOT EXISTS line_metrics AS
SELECT experiment_id, report_id AS function_id, function, file, line, object, metric, unit,
	exclusive_weight * amount_per_weight AS exclusive, exclusive_samples,
	inclusive_weight * amount_per_weight AS inclusive, inclusive_samples,
	total_weight = 0 ? NULL : 100.0 * exclusive_weight / total_weight AS exclusive_percent,
	total_weight = 0 ? NULL : 100.0 * inclusive_weight / total_weight AS inclusive_percent
FROM (
	SELECT * FROM (
	SELECT * FROM (SELECT * FROM line_totals FINAL)
	ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
		amount_per_weight, total_weight FROM metrics FINAL)
	USING (experiment_id, metric_id))
	ALL INNER JOIN (
		SELECT line_id, line, file, report_id, function, object FROM (
			SELECT * FROM (
				SELECT id AS line_id, function_id, file_id, line FROM lines FINAL)
			ALL INNER JOIN (SELECT id AS file_id, path AS file FROM files FINAL)
			USING (file_id))
		ALL INNER JOIN (
	SELECT function_id, report_id, function, linkage_name, object FROM (
		SELECT id AS function_id, report_id AS report_id, name AS function,
			linkage_name AS linkage_name, object_id FROM functions FINAL)
	ALL INNER JOIN (SELECT id AS object_id, path AS object FROM objects FINAL)
	USING (object_id))
		USING (function_id))
	USING (line_id));
CREATE VIEW IF NOT EXISTS call_metrics AS
SELECT experiment_id, report_id AS function_id, function, relation,
	other_id = 0 ? NULL : other_report_id AS other_function_id,
	other_id = 0 ? '<Total>' : other_function AS other, metric, unit,
	attributed_weight * amount_per_weight AS attributed, attributed_samples
FROM (
	SELECT * FROM (
		SELECT * FROM (
			SELECT * FROM (
				SELECT experiment_id, metric_id, function_id,
					toString(relation) AS relation, ifNull(other_id, 0) AS other_id,
					attributed_weight, attributed_samples FROM call_totals FINAL
				UNION ALL
				SELECT experiment_id, metric_id, function_id, 'self' AS relation,
					function_id AS other_id, exclusive_weight AS attributed_weight,
					exclusive_samples AS attributed_samples FROM function_totals FINAL)
			ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
				amount_per_weight FROM metrics FINAL)
			USING (experiment_id, metric_id))
		ALL INNER JOIN (SELECT id AS function_id, report_id, name AS function
			FROM functions FINAL)
		USING (function_id))
	ANY LEFT JOIN (SELECT id AS other_id, report_id AS other_report_id,
		name AS other_function FROM functions FINAL)
	USING (other_id));
CREATE VIEW IF NOT EXISTS thread_metrics AS
SELECT experiment_id, thrid, process, thread, name, process_name, metric, unit,
	exclusive_weight * amount_per_weight AS exclusive, exclusive_samples
FROM (
	SELECT * FROM (
	SELECT * FROM (SELECT * FROM thread_totals FINAL)
	ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
		amount_per_weight, total_weight FROM metrics FINAL)
	USING (experiment_id, metric_id))
	ALL INNER JOIN (
		SELECT experiment_id, thread_id, thrid, thread, name, process, process_name FROM (
			SELECT experiment_id, id AS thread_id, number AS thrid, tid AS thread, name,
				process_id FROM threads FINAL)
		ALL INNER JOIN (SELECT experiment_id, id AS process_id, pid AS process,
			name AS process_name FROM processes FINAL)
		USING (experiment_id, process_id))
	USING (experiment_id, thread_id));
CREATE VIEW IF NOT EXISTS second_metrics AS
SELECT experiment_id, second, metric, unit,
	exclusive_weight * amount_per_weight AS exclusive, exclusive_samples
FROM (
	SELECT * FROM (SELECT * FROM second_totals FINAL)
	ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
		amount_per_weight, total_weight FROM metrics FINAL)
	USING (experiment_id, metric_id));
CREATE VIEW IF NOT EXISTS region_metrics AS
SELECT experiment_id, branch, name, domain, depth, apart, metric, unit,
	exclusive_weight * amount_per_weight AS exclusive, exclusive_samples,
	inclusive_weight * amount_per_weight AS inclusive, inclusive_samples,
	total_weight = 0 ? NULL : 100.0 * exclusive_weight / total_weight AS exclusive_percent,
	total_weight = 0 ? NULL : 100.0 * inclusive_weight / total_weight AS inclusive_percent
FROM (
	SELECT * FROM (
	SELECT * FROM (SELECT * FROM branch_totals FINAL)
	ALL INNER JOIN (SELECT experiment_id, id AS metric_id, name AS metric, unit,
		amount_per_weight, total_weight FROM metrics FINAL)
	USING (experiment_id, metric_id))
	ALL INNER JOIN (SELECT experiment_id, id AS branch_id, branch, name, domain, depth, apart
		FROM branches FINAL)
	USING (experiment_id, branch_id));
CREATE VIEW IF NOT EXISTS region_times AS
SELECT experiment_id, branch, name, domain, depth, apart, instances, unended, total_ns, mean_ns,
	shortest_ns, longest_ns
FROM (
	SELECT * FROM (SELECT experiment_id, branch_id, count() AS instances,
		count() - count(duration_ns) AS unended, sum(duration_ns) AS total_ns,
		avg(duration_ns) AS mean_ns, min(duration_ns) AS shortest_ns,
		max(duration_ns) AS longest_ns
		FROM regions FINAL GROUP BY experiment_id, branch_id)
	ALL INNER JOIN (SELECT experiment_id, id AS branch_id, branch, name, domain, depth, apart
		FROM branches FINAL)
	USING (experiment_id, branch_id));
CREATE VIEW IF NOT EXISTS sample_rows AS
SELECT experiment_id, id, toDateTime(intDiv(utc_ns, 1000000000), 'UTC') AS utc, utc_ns,
	metric_id, event_id, state, thread_id, cpu, weight, node_id, frame_id, line_id, branch_id
FROM (
	SELECT * FROM (
		SELECT * FROM (SELECT * FROM samples FINAL)
		ALL INNER JOIN (
			SELECT experiment_id, context_id, event_id, thread_id, cpu, branch_id, metric_id,
				state FROM (
				SELECT experiment_id, id AS context_id, event_id, thread_id, cpu, branch_id
				FROM contexts FINAL)
			ALL INNER JOIN (SELECT experiment_id, id AS event_id, metric_id, state
				FROM events FINAL)
			USING (experiment_id, event_id))
		USING (experiment_id, context_id))
	ALL INNER JOIN (SELECT id AS node_id, frame_id, line_id FROM nodes FINAL)
	USING (node_id));
