-- SPDX-License-Identifier: Apache-2.0
-- All stacks as one tree, for a flame graph: the sum of each node, which `ask` folds: nanoseconds, or the metric's unit.
SELECT id, parent_id, function, weight FROM (
	SELECT * FROM (
		SELECT * FROM (SELECT id, ifNull(parent_id, 0) AS parent_id, line_id FROM nodes FINAL)
		ANY LEFT JOIN (
			SELECT node_id AS id, sum(exclusive_weight * scale) AS weight
			FROM (SELECT experiment_id, metric_id, node_id, exclusive_weight FROM node_totals FINAL)
			ALL INNER JOIN (
				SELECT experiment_id, id AS metric_id, amount_per_weight * (unit = 'seconds' ? 1e9 : 1) AS scale
				FROM metrics FINAL WHERE name = '${metric}'
					AND experiment_id GLOBAL IN (SELECT id FROM experiments FINAL
						WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000))
			USING (experiment_id, metric_id)
			GROUP BY node_id)
		USING (id))
	ALL INNER JOIN (SELECT id AS line_id, function_id FROM lines FINAL)
	USING (line_id))
ALL INNER JOIN (SELECT id AS function_id, name AS function FROM functions FINAL)
USING (function_id)
