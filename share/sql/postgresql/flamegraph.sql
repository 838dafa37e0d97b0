-- SPDX-License-Identifier: Apache-2.0
-- All stacks as one tree, for a flame graph: the sum of each node, which `ask` folds: nanoseconds, or the metric's unit.
SELECT n.id, coalesce(n.parent_id, 0) AS parent_id, f.name AS function, coalesce(w.weight, 0) AS weight
FROM nodes n JOIN lines l ON l.id = n.line_id JOIN functions f ON f.id = l.function_id LEFT JOIN (
	SELECT t.node_id, sum(t.exclusive_weight * (m.amount_per_weight * CASE m.unit WHEN 'seconds' THEN 1e9 ELSE 1 END)) AS weight
	FROM metrics m JOIN experiments x ON x.id = m.experiment_id
		JOIN node_totals t ON t.experiment_id = m.experiment_id AND t.metric_id = m.id
	WHERE m.name = '${metric}' AND coalesce(x.start_utc_ns, 0) BETWEEN ${__from} * 1000000::bigint AND ${__to} * 1000000::bigint
	GROUP BY t.node_id) w ON w.node_id = n.id
