-- SPDX-License-Identifier: Apache-2.0
-- The shares of the hottest functions by release, as said by `collect --label release=1.2`.
WITH runs AS (
	SELECT m.experiment_id, m.id AS metric_id, m.amount_per_weight AS scale, l.value AS release,
		m.total_weight * m.amount_per_weight AS total
	FROM metrics m JOIN experiments x ON x.id = m.experiment_id
		JOIN labels l ON l.experiment_id = m.experiment_id AND l.key = 'release'
	WHERE m.name = '${metric}' AND coalesce(x.start_utc_ns, 0) BETWEEN ${__from} * 1000000::bigint AND ${__to} * 1000000::bigint
), releases AS (
	SELECT release, count(*) AS recordings, sum(total) AS total FROM runs GROUP BY release
), sums AS (
	SELECT t.function_id, r.release, sum(t.exclusive_weight * r.scale) AS exclusive, sum(t.inclusive_weight * r.scale) AS inclusive
	FROM function_totals t JOIN runs r ON r.experiment_id = t.experiment_id AND r.metric_id = t.metric_id
	GROUP BY t.function_id, r.release
), hottest AS (
	SELECT function_id, sum(${flavor}) AS hot FROM sums GROUP BY function_id ORDER BY hot DESC, function_id LIMIT ${top}
)
SELECT f.name AS function, o.path AS object, r.release, r.recordings,
	100 * coalesce(s.exclusive, 0) / nullif(r.total, 0) AS exclusive_percent,
	100 * coalesce(s.inclusive, 0) / nullif(r.total, 0) AS inclusive_percent, f.report_id
FROM hottest h CROSS JOIN releases r LEFT JOIN sums s ON s.function_id = h.function_id AND s.release = r.release
	JOIN functions f ON f.id = h.function_id JOIN objects o ON o.id = f.object_id
ORDER BY h.hot DESC, h.function_id, r.release
