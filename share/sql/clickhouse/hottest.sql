-- SPDX-License-Identifier: Apache-2.0
-- The hottest functions of all recordings, and on how many hosts they ran.
SELECT function, object, exclusive, inclusive, everything = 0 ? NULL : 100 * exclusive / everything AS exclusive_percent,
	everything = 0 ? NULL : 100 * inclusive / everything AS inclusive_percent, hosts, recordings, report_id
FROM (
	SELECT * FROM (
		SELECT 1 AS one, function_id, sum(exclusive_weight * scale) AS exclusive, sum(inclusive_weight * scale) AS inclusive,
			uniqExact(host) AS hosts, uniqExact(experiment_id) AS recordings
		FROM (
			SELECT experiment_id, metric_id, function_id, exclusive_weight, inclusive_weight FROM function_totals FINAL)
		ALL INNER JOIN (
			SELECT experiment_id, metric_id, scale, host FROM (
				SELECT experiment_id, id AS metric_id, amount_per_weight AS scale FROM metrics FINAL WHERE name = '${metric}')
			ALL INNER JOIN (
				SELECT id AS experiment_id, host FROM experiments FINAL
				WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000)
			USING (experiment_id))
		USING (experiment_id, metric_id)
		GROUP BY function_id)
	ANY LEFT JOIN (
		SELECT 1 AS one, sum(total_weight * amount_per_weight) AS everything FROM metrics FINAL
		WHERE name = '${metric}' AND experiment_id GLOBAL IN (
			SELECT id FROM experiments FINAL
			WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000))
	USING (one))
ALL INNER JOIN (
	SELECT function_id, function, report_id, object FROM (
		SELECT id AS function_id, name AS function, report_id, object_id FROM functions FINAL)
	ALL INNER JOIN (SELECT id AS object_id, path AS object FROM objects FINAL)
	USING (object_id))
USING (function_id)
ORDER BY ${flavor} DESC, report_id LIMIT ${top}
