-- SPDX-License-Identifier: Apache-2.0
-- Which host is unlike the others: how much of its time it spends elsewhere than they do, as
-- half the sum of the differences of all shares, and by how many typical distances from the
-- median host it is out.  With the function whose share differs most.
WITH runs AS (
	SELECT m.experiment_id, m.id AS metric_id, m.amount_per_weight AS scale, x.host,
		m.total_weight * m.amount_per_weight AS total
	FROM metrics m JOIN experiments x ON x.id = m.experiment_id
	WHERE m.name = '${metric}' AND coalesce(x.start_utc_ns, 0) BETWEEN ${__from} * 1000000::bigint AND ${__to} * 1000000::bigint
), hosts AS (
	SELECT host, count(*) AS recordings, sum(total) AS total, sum(sum(total)) OVER () AS everything FROM runs GROUP BY host
), sums AS (
	SELECT t.function_id, r.host, sum(t.exclusive_weight * r.scale) AS exclusive,
		sum(sum(t.exclusive_weight * r.scale)) OVER (PARTITION BY t.function_id) AS everywhere
	FROM function_totals t JOIN runs r ON r.experiment_id = t.experiment_id AND r.metric_id = t.metric_id
	GROUP BY t.function_id, r.host
), shares AS (
	SELECT s.function_id, h.host, h.recordings, s.exclusive / h.total AS own,
		(s.everywhere - s.exclusive) / (h.everything - h.total) AS theirs
	FROM sums s JOIN hosts h USING (host) WHERE h.total > 0 AND h.everything > h.total
), distances AS (
	-- what the host never ran differs, too: by all the share that it has elsewhere
	SELECT host, recordings, (sum(abs(own - theirs)) + 1 - sum(theirs)) / 2 AS distance FROM shares GROUP BY host, recordings
), middles AS (
	SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY distance) AS middle FROM distances
), typicals AS (
	SELECT middle, percentile_disc(0.5) WITHIN GROUP (ORDER BY abs(distance - middle)) AS typical
	FROM distances, middles GROUP BY middle
)
SELECT d.host, d.recordings, 100 * d.distance AS distance_percent,
	(d.distance - t.middle) / nullif(1.4826 * t.typical, 0) AS score, f.name AS function, o.path AS object,
	100 * m.own AS share_percent, 100 * m.theirs AS others_percent, f.report_id
FROM distances d CROSS JOIN typicals t
	JOIN LATERAL (SELECT * FROM shares s WHERE s.host = d.host ORDER BY abs(own - theirs) DESC, function_id DESC LIMIT 1) m ON true
	JOIN functions f ON f.id = m.function_id JOIN objects o ON o.id = f.object_id
ORDER BY d.distance DESC, d.host
