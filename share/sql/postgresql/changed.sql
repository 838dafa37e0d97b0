-- SPDX-License-Identifier: Apache-2.0
-- What changed from the release ${base} to the release ${other} (labels `release`), with the
-- significance of er_print's compare, see FLEET.md.  Needs functions.sql.
WITH runs AS (
	SELECT m.experiment_id, m.id AS metric_id, (l.value <> '${base}')::int AS side, m.amount_per_weight AS scale,
		m.total_weight * m.amount_per_weight AS total, m.total_samples, m.exact
	FROM metrics m JOIN labels l ON l.experiment_id = m.experiment_id AND l.key = 'release'
		JOIN experiments x ON x.id = m.experiment_id
	WHERE m.name = '${metric}' AND l.value IN ('${base}', '${other}')
		AND coalesce(x.start_utc_ns, 0) BETWEEN ${__from} * 1000000::bigint AND ${__to} * 1000000::bigint
), known AS (
	SELECT count(*) FILTER (WHERE side = 0)::float8 AS n0, count(*) FILTER (WHERE side = 1)::float8 AS n1,
		sum(total) AS everything, bool_or(exact) AS exact,
		nullif(sum(total) FILTER (WHERE side = 0), 0) / nullif(sum(total_samples) FILTER (WHERE side = 0), 0)::float8 AS each0,
		nullif(sum(total) FILTER (WHERE side = 1), 0) / nullif(sum(total_samples) FILTER (WHERE side = 1), 0)::float8 AS each1
	FROM runs
), sides AS (
	SELECT n0, n1, everything, exact, coalesce(each0, each1, 1) AS each0, coalesce(each1, each0, 1) AS each1 FROM known
), shares AS (
	SELECT *, each1 * n0 / (each1 * n0 + each0 * n1) AS share FROM sides WHERE n0 > 0 AND n1 > 0 AND n0 + n1 > 2
), amounts AS (
	SELECT t.function_id, r.side, t.${flavor}_weight * r.scale AS a, t.${flavor}_samples AS samples, r.total AS t
	FROM function_totals t JOIN runs r ON r.experiment_id = t.experiment_id AND r.metric_id = t.metric_id
	WHERE t.${flavor}_weight > 0 OR t.${flavor}_samples > 0
	UNION ALL
	SELECT 0, side, total, total_samples, total FROM runs
), rests AS (
	SELECT function_id, (everything - sum(a)) / runs AS rest,
		function_id = 0 OR bool_or(t - a <= 0.05 * t) AS whole
	FROM amounts, (SELECT everything, n0 + n1 AS runs FROM shares) s
	GROUP BY function_id, everything, runs
), relative AS (
	SELECT function_id, side, a, samples, whole, CASE WHEN whole THEN a ELSE a * rest / (t - a) END AS b
	FROM amounts JOIN rests USING (function_id)
), means AS (
	SELECT function_id, bool_or(whole) AS whole,
		coalesce(sum(a) FILTER (WHERE side = 0), 0) / n0 AS m0, coalesce(sum(a) FILTER (WHERE side = 1), 0) / n1 AS m1,
		coalesce(sum(b) FILTER (WHERE side = 0), 0) / n0 AS r0, coalesce(sum(b) FILTER (WHERE side = 1), 0) / n1 AS r1,
		coalesce(sum(samples) FILTER (WHERE side = 0), 0)::float8 AS s0, coalesce(sum(samples) FILTER (WHERE side = 1), 0)::float8 AS s1,
		n0, n1, each0, each1, share, exact
	FROM relative, shares GROUP BY function_id, n0, n1, each0, each1, share, exact
), squares AS (
	-- runs without the function are that far off, too
	SELECT function_id,
		coalesce(sum((a - m0) ^ 2) FILTER (WHERE side = 0), 0) + (n0 - count(*) FILTER (WHERE side = 0)) * m0 ^ 2 AS q0,
		coalesce(sum((a - m1) ^ 2) FILTER (WHERE side = 1), 0) + (n1 - count(*) FILTER (WHERE side = 1)) * m1 ^ 2 AS q1,
		coalesce(sum((b - r0) ^ 2) FILTER (WHERE side = 0), 0) + (n0 - count(*) FILTER (WHERE side = 0)) * r0 ^ 2 AS u0,
		coalesce(sum((b - r1) ^ 2) FILTER (WHERE side = 1), 0) + (n1 - count(*) FILTER (WHERE side = 1)) * r1 ^ 2 AS u1
	FROM relative JOIN means USING (function_id) GROUP BY function_id, n0, n1, m0, m1, r0, r1
), spreads AS (
	SELECT means.*, q0, q1, u0, u1, greatest(s0, 1) / n0 * each0 ^ 2 AS c0, greatest(s1, 1) / n1 * each1 ^ 2 AS c1,
		NOT means.whole AND greatest(s0, 1) / n0 >= 10 AND greatest(s1, 1) / n1 >= 10 AS typical,
		coalesce((SELECT o.kind IN ('kernel', 'kernel module', 'artificial') FROM functions f
			JOIN objects o ON o.id = f.object_id WHERE f.id = function_id), false) AS machine
	FROM means JOIN squares USING (function_id)
), learned AS (
	SELECT (ringprof_spread(d, array_agg(c0), array_agg(m0 ^ 2), array_agg(q0), array_agg(c1), array_agg(m1 ^ 2), array_agg(q1))).*
	FROM (SELECT n0 + n1 - 2 AS d FROM shares) s LEFT JOIN spreads ON typical AND NOT machine GROUP BY d
), relearned AS (
	SELECT (ringprof_spread(d, array_agg(c0), array_agg(r0 ^ 2), array_agg(u0), array_agg(c1), array_agg(r1 ^ 2), array_agg(u1))).*
	FROM (SELECT n0 + n1 - 2 AS d FROM shares) s LEFT JOIN spreads ON typical AND NOT machine GROUP BY d
), parts AS (
	SELECT function_id, whole, typical, exact, m0, m1, s0, s1, share, (m1 > m0) = (r1 > r0) AS same_way,
		ringprof_student((m1 - m0) / sqrt(greatest((q0 + q1) / (n0 + n1 - 2), each0 ^ 2) * (1 / n0 + 1 / n1)), n0 + n1 - 2) AS p_own,
		ringprof_p(m0, m1, c0 + l.lshare * m0 ^ 2, c1 + l.lshare * m1 ^ 2, q0, q1, n0, n1,
			typical AND NOT machine, machine, l.factor, l.freedom) AS p_spread,
		ringprof_p(r0, r1, c0 + k.kshare * r0 ^ 2, c1 + k.kshare * r1 ^ 2, u0, u1, n0, n1,
			typical AND NOT machine, machine, k.factor, k.freedom) AS p_rest
	FROM spreads, learned l(lshare, factor, freedom), relearned k(kshare, factor, freedom)
), tests AS (
	SELECT function_id, m0, m1, function_id <> 0 AND ln(2) + (s0 + s1) * ln(least(share, 1 - share)) <= ln(0.05) AS tested,
		CASE WHEN whole THEN p_own ELSE greatest(p_spread,
			least(1, 2 * CASE WHEN same_way THEN least(p_own, p_rest) ELSE p_own END),
			CASE WHEN typical OR exact THEN 0 ELSE ringprof_counts(s0, s1, share) END) END AS p
	FROM parts
), rates AS (
	SELECT *, p * count(*) OVER (PARTITION BY tested) / row_number() OVER (PARTITION BY tested ORDER BY p, function_id) AS over
	FROM tests
), discoveries AS (
	SELECT *, CASE WHEN tested THEN least(1, min(over) OVER (PARTITION BY tested ORDER BY p DESC, function_id DESC))
		WHEN function_id = 0 THEN p ELSE 1 END AS q
	FROM rates
)
SELECT CASE d.function_id WHEN 0 THEN '<Total>' ELSE f.name END AS function, coalesce(o.path, '') AS object,
	m0 AS before, m1 AS after, m1 - m0 AS delta, p, q,
	CASE WHEN q > CASE d.function_id WHEN 0 THEN 0.01 ELSE 0.05 END THEN 'noise' WHEN m1 > m0 THEN 'more' ELSE 'less' END AS change,
	coalesce(f.report_id, '') AS report_id
FROM discoveries d LEFT JOIN functions f ON f.id = d.function_id LEFT JOIN objects o ON o.id = f.object_id
ORDER BY d.function_id <> 0, abs(m1 - m0) DESC, report_id
