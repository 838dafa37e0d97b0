-- SPDX-License-Identifier: Apache-2.0
-- Which host is unlike the others: how much of its time it spends elsewhere than they do, as
-- half the sum of the differences of all shares, and by how many typical distances from the
-- median host it is out.  With the function whose share differs most.
SELECT host, recordings, 100 * distance AS distance_percent, if(typical > 0, (distance - middle) / (1.4826 * typical), NULL) AS score,
	function, object, 100 * share AS share_percent, 100 * share_of_others AS others_percent, report_id
FROM (
	SELECT row.1 AS host, row.2 AS recordings, row.3 AS distance, row.4 AS function_id, row.5 AS share,
		row.6 AS share_of_others, middle, typical
	FROM (
		-- the lower one of two in the middle
		SELECT rows, middle, arraySort(arrayMap(d -> abs(d - middle), distances))[intDiv(length(distances) + 1, 2)] AS typical
		FROM (
			SELECT rows, distances, arraySort(distances)[intDiv(length(distances) + 1, 2)] AS middle
			FROM (
				SELECT groupArray((host, recordings, distance, most_of, share, share_of_others)) AS rows,
					groupArray(distance) AS distances
				FROM (
					-- what the host never ran differs, too: by all the share that it has elsewhere
					SELECT host, any(recorded) AS recordings, (sum(abs(own - theirs)) + 1 - sum(theirs)) / 2 AS distance,
						argMax((function_id, own, theirs), (abs(own - theirs), function_id)) AS most,
						most.1 AS most_of, most.2 AS share, most.3 AS share_of_others
					FROM (
						SELECT host, function_id, recorded, exclusive / total AS own,
							(everywhere - exclusive) / (everything - total) AS theirs
						FROM (
							SELECT * FROM (
								SELECT * FROM (
									SELECT 1 AS one, function_id, host, exclusive FROM (
										SELECT function_id, host, sum(exclusive_weight * scale) AS exclusive, sum(inclusive_weight * scale) AS inclusive
										FROM (SELECT experiment_id, metric_id, function_id, exclusive_weight, inclusive_weight FROM function_totals FINAL)
										ALL INNER JOIN (
											SELECT experiment_id, metric_id, scale, total, host FROM (
												SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
												FROM metrics FINAL WHERE name = '${metric}')
											ALL INNER JOIN (SELECT id AS experiment_id, host FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000) USING (experiment_id))
										USING (experiment_id, metric_id)
										GROUP BY function_id, host))
								ALL INNER JOIN (
									SELECT host, count() AS recorded, sum(total) AS total FROM (
										SELECT experiment_id, metric_id, scale, total, host FROM (
											SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
											FROM metrics FINAL WHERE name = '${metric}')
										ALL INNER JOIN (SELECT id AS experiment_id, host FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000) USING (experiment_id))
									GROUP BY host)
								USING (host))
							ALL INNER JOIN (
								SELECT function_id, sum(exclusive) AS everywhere FROM (
									SELECT function_id, host, sum(exclusive_weight * scale) AS exclusive, sum(inclusive_weight * scale) AS inclusive
									FROM (SELECT experiment_id, metric_id, function_id, exclusive_weight, inclusive_weight FROM function_totals FINAL)
									ALL INNER JOIN (
										SELECT experiment_id, metric_id, scale, total, host FROM (
											SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
											FROM metrics FINAL WHERE name = '${metric}')
										ALL INNER JOIN (SELECT id AS experiment_id, host FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000) USING (experiment_id))
									USING (experiment_id, metric_id)
									GROUP BY function_id, host)
								GROUP BY function_id)
							USING (function_id))
						ALL INNER JOIN (
							SELECT 1 AS one, sum(total) AS everything FROM (
								SELECT experiment_id, metric_id, scale, total, host FROM (
									SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total
									FROM metrics FINAL WHERE name = '${metric}')
								ALL INNER JOIN (SELECT id AS experiment_id, host FROM experiments FINAL WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000) USING (experiment_id)))
						USING (one)
						WHERE total > 0 AND everything > total)
					GROUP BY host))))
	ARRAY JOIN rows AS row)
ALL INNER JOIN (
	SELECT function_id, function, report_id, object FROM (
		SELECT id AS function_id, name AS function, report_id, object_id FROM functions FINAL)
	ALL INNER JOIN (SELECT id AS object_id, path AS object FROM objects FINAL)
	USING (object_id))
USING (function_id)
ORDER BY distance DESC, host
