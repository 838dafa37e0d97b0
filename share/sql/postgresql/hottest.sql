-- SPDX-License-Identifier: Apache-2.0
-- The hottest functions of all recordings, and on how many hosts they ran.
WITH runs AS (
	SELECT m.experiment_id, m.id AS metric_id, m.amount_per_weight AS scale, x.host,
		sum(m.total_weight * m.amount_per_weight) OVER () AS everything
	FROM metrics m JOIN experiments x ON x.id = m.experiment_id
	WHERE m.name = '${metric}' AND coalesce(x.start_utc_ns, 0) BETWEEN ${__from} * 1000000::bigint AND ${__to} * 1000000::bigint
)
SELECT f.name AS function, o.path AS object, t.exclusive, t.inclusive,
	100 * t.exclusive / nullif(t.everything, 0) AS exclusive_percent,
	100 * t.inclusive / nullif(t.everything, 0) AS inclusive_percent, t.hosts, t.recordings, f.report_id
FROM (
	SELECT t.function_id, sum(t.exclusive_weight * r.scale) AS exclusive, sum(t.inclusive_weight * r.scale) AS inclusive,
		max(r.everything) AS everything, count(DISTINCT r.host) AS hosts, count(DISTINCT r.experiment_id) AS recordings
	FROM function_totals t JOIN runs r ON r.experiment_id = t.experiment_id AND r.metric_id = t.metric_id
	GROUP BY t.function_id
) t JOIN functions f ON f.id = t.function_id JOIN objects o ON o.id = f.object_id
ORDER BY t.${flavor} DESC, f.report_id LIMIT ${top}
