-- SPDX-License-Identifier: Apache-2.0
-- The shares of the hottest functions by release, as said by `collect --label release=1.2`.
SELECT function, object, release, recordings, total = 0 ? NULL : 100 * exclusive / total AS exclusive_percent,
	total = 0 ? NULL : 100 * inclusive / total AS inclusive_percent, report_id
FROM (
	SELECT * FROM (
		-- each of the hottest with each release
		SELECT function_id, hot, recordings, total, release FROM (
			SELECT * FROM (
				SELECT 1 AS one, function_id, sum(${flavor}) AS hot FROM (
					SELECT function_id, release, sum(exclusive_weight * scale) AS exclusive, sum(inclusive_weight * scale) AS inclusive
					FROM (SELECT experiment_id, metric_id, function_id, exclusive_weight, inclusive_weight FROM function_totals FINAL)
					ALL INNER JOIN (
						SELECT experiment_id, metric_id, scale, total, release FROM (
							SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
							FROM metrics FINAL WHERE name = '${metric}')
						ALL INNER JOIN (SELECT experiment_id, value AS release FROM labels FINAL WHERE key = 'release'
							AND experiment_id GLOBAL IN (SELECT id FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000)) USING (experiment_id))
					USING (experiment_id, metric_id)
					GROUP BY function_id, release)
				GROUP BY function_id ORDER BY hot DESC, function_id LIMIT ${top})
			ALL INNER JOIN (
				SELECT 1 AS one, release, count() AS recordings, sum(total) AS total FROM (
					SELECT experiment_id, metric_id, scale, total, release FROM (
						SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
						FROM metrics FINAL WHERE name = '${metric}')
					ALL INNER JOIN (SELECT experiment_id, value AS release FROM labels FINAL WHERE key = 'release'
						AND experiment_id GLOBAL IN (SELECT id FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000)) USING (experiment_id))
				GROUP BY release)
			USING (one)))
	ANY LEFT JOIN (
		SELECT function_id, release, sum(exclusive_weight * scale) AS exclusive, sum(inclusive_weight * scale) AS inclusive
		FROM (SELECT experiment_id, metric_id, function_id, exclusive_weight, inclusive_weight FROM function_totals FINAL)
		ALL INNER JOIN (
			SELECT experiment_id, metric_id, scale, total, release FROM (
				SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
				FROM metrics FINAL WHERE name = '${metric}')
			ALL INNER JOIN (SELECT experiment_id, value AS release FROM labels FINAL WHERE key = 'release'
				AND experiment_id GLOBAL IN (SELECT id FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000)) USING (experiment_id))
		USING (experiment_id, metric_id)
		GROUP BY function_id, release)
	USING (function_id, release))
ALL INNER JOIN (
	SELECT function_id, function, report_id, object FROM (
		SELECT id AS function_id, name AS function, report_id, object_id FROM functions FINAL)
	ALL INNER JOIN (SELECT id AS object_id, path AS object FROM objects FINAL)
	USING (object_id))
USING (function_id)
ORDER BY hot DESC, function_id, release
