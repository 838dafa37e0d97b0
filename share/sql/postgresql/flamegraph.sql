-- SPDX-License-Identifier: Apache-2.0
-- All stacks as one tree, for a flame graph: the sum of each node, which `ask` folds.
SELECT n.id, coalesce(n.parent_id, 0) AS parent_id, f.name AS function, coalesce(w.weight, 0) AS weight
FROM nodes n JOIN lines l ON l.id = n.line_id JOIN functions f ON f.id = l.function_id LEFT JOIN (
	SELECT s.node_id, sum(s.weight) AS weight
	FROM metrics m JOIN experiments x ON x.id = m.experiment_id
		JOIN events e ON e.experiment_id = m.experiment_id AND e.metric_id = m.id
		JOIN contexts c ON c.experiment_id = e.experiment_id AND c.event_id = e.id
		JOIN samples s ON s.experiment_id = c.experiment_id AND s.context_id = c.id
	WHERE m.name = '${metric}' AND coalesce(x.start_utc_ns, 0) BETWEEN ${__from} * 1000000::bigint AND ${__to} * 1000000::bigint
	GROUP BY s.node_id) w ON w.node_id = n.id
