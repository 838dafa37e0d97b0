-- SPDX-License-Identifier: Apache-2.0
-- What changed from the release ${base} to the release ${other} (labels `release`), with the
-- significance of er_print's compare, see FLEET.md.  For ClickHouse from 18.16 on, so without
-- WITH, window functions or recursion: read from the innermost query to the outermost.
-- ignore() is 0, and names what 18.16 overlooks inside lambdas.
SELECT id = 0 ? '<Total>' : function AS function, object, m0 AS before, m1 AS after, m1 - m0 AS delta, p, q,
	q > (id = 0 ? 0.01 : 0.05) ? 'noise' : (m1 > m0 ? 'more' : 'less') AS change, report_id
FROM (
SELECT row.1 AS id, row.2 AS m0, row.3 AS m1, row.4 AS p, q FROM (
SELECT arrayConcat(rows, others) AS all_rows, arrayConcat(l17, other_rates) AS all_rates FROM (
-- the least of all from there on, in steps of 1, 2, 4, … 65536
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l16, arrayResize(arraySlice(l16, 65537),
	length(rows), 1.)) AS l17 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l15, arrayResize(arraySlice(l15, 32769),
	length(rows), 1.)) AS l16 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l14, arrayResize(arraySlice(l14, 16385),
	length(rows), 1.)) AS l15 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l13, arrayResize(arraySlice(l13, 8193), length(rows),
	1.)) AS l14 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l12, arrayResize(arraySlice(l12, 4097), length(rows),
	1.)) AS l13 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l11, arrayResize(arraySlice(l11, 2049), length(rows),
	1.)) AS l12 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l10, arrayResize(arraySlice(l10, 1025), length(rows),
	1.)) AS l11 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l9, arrayResize(arraySlice(l9, 513), length(rows),
	1.)) AS l10 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l8, arrayResize(arraySlice(l8, 257), length(rows),
	1.)) AS l9 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l7, arrayResize(arraySlice(l7, 129), length(rows),
	1.)) AS l8 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l6, arrayResize(arraySlice(l6, 65), length(rows),
	1.)) AS l7 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l5, arrayResize(arraySlice(l5, 33), length(rows),
	1.)) AS l6 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l4, arrayResize(arraySlice(l4, 17), length(rows),
	1.)) AS l5 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l3, arrayResize(arraySlice(l3, 9), length(rows),
	1.)) AS l4 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l2, arrayResize(arraySlice(l2, 5), length(rows),
	1.)) AS l3 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l1, arrayResize(arraySlice(l1, 3), length(rows),
	1.)) AS l2 FROM (
SELECT rows, others, other_rates, arrayMap((x, y) -> least(x, y), l0, arrayResize(arraySlice(l0, 2), length(rows),
	1.)) AS l1 FROM (
-- Which share of the tests with at least this p would be false alarms (Benjamini and Hochberg)
SELECT arraySort(r -> r.4, groupArrayIf((function_id, m0, m1, p), tested)) AS rows,
	groupArrayIf((function_id, m0, m1, p), NOT tested) AS others,
	arrayMap(r -> toFloat64(r.1 = 0 ? r.4 : 1), others) AS other_rates,
	arrayMap((r, i) -> r.4 * length(rows) / i, rows, arrayEnumerate(rows)) AS l0
FROM (
SELECT function_id, m0_ AS m0, m1_ AS m1, s0_ AS s0, s1_ AS s1,
	least(1, 2 * ((m1 > m0) = (r1_ > r0_) ? least(p_own, p_rest) : p_own)) AS p_alone,
	whole_ ? p_own : (typical_ OR exactly_ ? greatest(p_spread, p_alone) : greatest(p_spread, greatest(p_alone, p_counts_))) AS p,
	function_id != 0 AND 2 * pow(least(part0_, 1 - part0_), s0 + s1) <= 0.05 AS tested
FROM (
SELECT function_id, any(whole) AS whole_, any(typical) AS typical_, any(s0) AS s0_, any(s1) AS s1_, any(m0) AS m0_,
	any(m1) AS m1_, any(r0) AS r0_, any(r1) AS r1_, any(exactly) AS exactly_, any(part0) AS part0_,
	any(p_counts) AS p_counts_,
	maxIf(beta, which = 'spread') AS p_spread, maxIf(beta, which = 'rest') AS p_rest, maxIf(beta, which = 'own') AS p_own
FROM (
SELECT function_id, whole, typical, s0, s1, m0, m1, r0, r1, exactly, part0, p_counts, which, if(a <= 0 OR x <= 0, 0,
	if(x >= 1, 1, if(far, x * (a + b) > a, if(x > 0.5, 1 - part, part)))) AS beta
FROM (
	SELECT function_id, whole, typical, s0, s1, m0, m1, r0, r1, exactly, part0, p_counts, which, a, b, x, far,
		(exp(front) + arraySum(arrayMap(s -> exp(s + front), arrayCumSum(arrayMap(
		j -> log((ya + yb + j) / (ya + j + 1) * yx),
			range(far ? 1 : toUInt32(100 + up + 15 * sqrt(ya + up))))))) + ignore(yb, yx)) / ya AS part
	FROM (
		SELECT function_id, whole, typical, s0, s1, m0, m1, r0, r1, exactly, part0, p_counts, which, a, b, x,
			x > 0.5 ? b : a AS ya, x > 0.5 ? a : b AS yb, x > 0.5 ? 1 - x : x AS yx,
			lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x) AS front,
			greatest(0, ((ya + yb) * yx - ya) / (1 - yx)) AS up,
			NOT a * log(x * (a + b) / a) + b * log((1 - x) * (a + b) / b) >= -45 AS far
		FROM (SELECT function_id, whole, typical, s0, s1, m0, m1, r0, r1, exactly, part0, p_counts, ask.1 AS which,
			ask.2 / 2 AS a, 0.5 AS b, ask.2 / (ask.2 + ask.3) AS x FROM (
	SELECT function_id, whole, typical, s0, s1, m0, m1, r0, r1, exactly, part0, p_counts, [('spread', all,
		(m1 - m0) * (m1 - m0) / w), ('rest', reall, (r1 - r0) * (r1 - r0) / rew),
		('own', own, (m1 - m0) * (m1 - m0) / ownw)] AS asks
	FROM (
SELECT function_id, whole_ AS whole, typical_ AS typical, s0_ AS s0, s1_ AS s1, m0_ AS m0, m1_ AS m1, r0_ AS r0,
	r1_ AS r1, exactly_ AS exactly, part0_ AS part0,
	least(1, 2 * least(s1 > 0 ? at_most : 1, s0 > 0 ? at_least : 1)) AS p_counts,
	machine_ OR freedom_ <= 0 ? 0 : freedom_ * least(1, tail / 0.1) AS worth,
		machine_ OR refreedom_ <= 0 ? 0 : refreedom_ * least(1, retail / 0.1) AS reworth,
	worth + d_ AS all, reworth + d_ AS reall,
	(worth * f_ + d_ * here_) / all AS ratio, (reworth * ref_ + d_ * rehere_) / reall AS reratio,
	(teaches_ ? ratio : greatest(ratio, 1)) * (x0_ / runs0_ + x1_ / runs1_) AS w,
	(teaches_ ? reratio : greatest(reratio, 1)) * (y0_ / runs0_ + y1_ / runs1_) AS rew,
	greatest((q0_ + q1_) / d_, e0_ * e0_) * (1 / runs0_ + 1 / runs1_) AS ownw, toFloat64(d_) AS own
FROM (
SELECT function_id, any(machine) AS machine_, any(whole) AS whole_, any(typical) AS typical_, any(teaches) AS teaches_,
	any(s0) AS s0_, any(s1) AS s1_, any(m0) AS m0_, any(m1) AS m1_, any(q0) AS q0_, any(q1) AS q1_, any(r0) AS r0_,
	any(r1) AS r1_, any(runs0) AS runs0_, any(runs1) AS runs1_, any(d) AS d_, any(e0) AS e0_, any(e1) AS e1_,
	any(part0) AS part0_, any(exactly) AS exactly_, any(x0) AS x0_, any(x1) AS x1_, any(y0) AS y0_, any(y1) AS y1_,
	any(here) AS here_, any(rehere) AS rehere_, any(f) AS f_, any(ref) AS ref_, any(freedom) AS freedom_,
	any(refreedom) AS refreedom_,
	maxIf(beta, which = 'tail') AS tail, maxIf(beta, which = 'retail') AS retail,
	maxIf(beta, which = 'at most') AS at_most, maxIf(beta, which = 'at least') AS at_least
FROM (
SELECT function_id, machine, whole, typical, teaches, s0, s1, m0, m1, q0, q1, r0, r1, runs0, runs1, d, e0, e1, part0,
	exactly, x0, x1, y0, y1, here, rehere, f, ref, freedom, refreedom, which, if(a <= 0 OR x <= 0, 0, if(x >= 1, 1,
	if(far, x * (a + b) > a, if(x > 0.5, 1 - part, part)))) AS beta
FROM (
	SELECT function_id, machine, whole, typical, teaches, s0, s1, m0, m1, q0, q1, r0, r1, runs0, runs1, d, e0, e1, part0,
		exactly, x0, x1, y0, y1, here, rehere, f, ref, freedom, refreedom, which, a, b, x, far,
		(exp(front) + arraySum(arrayMap(s -> exp(s + front), arrayCumSum(arrayMap(
		j -> log((ya + yb + j) / (ya + j + 1) * yx),
			range(far ? 1 : toUInt32(100 + up + 15 * sqrt(ya + up))))))) + ignore(yb, yx)) / ya AS part
	FROM (
		SELECT function_id, machine, whole, typical, teaches, s0, s1, m0, m1, q0, q1, r0, r1, runs0, runs1, d, e0, e1, part0,
			exactly, x0, x1, y0, y1, here, rehere, f, ref, freedom, refreedom, which, a, b, x, x > 0.5 ? b : a AS ya,
			x > 0.5 ? a : b AS yb, x > 0.5 ? 1 - x : x AS yx,
			lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x) AS front,
			greatest(0, ((ya + yb) * yx - ya) / (1 - yx)) AS up,
			NOT a * log(x * (a + b) / a) + b * log((1 - x) * (a + b) / b) >= -45 AS far
		FROM (SELECT function_id, machine, whole, typical, teaches, s0, s1, m0, m1, q0, q1, r0, r1, runs0, runs1, d, e0, e1,
			part0, exactly, x0, x1, y0, y1, here, rehere, f, ref, freedom, refreedom, ask.1 AS which, ask.2 AS a, ask.3 AS b,
			ask.4 AS x FROM (
	SELECT function_id, machine, whole, typical, teaches, s0, s1, m0, m1, q0, q1, r0, r1, runs0, runs1, d, e0, e1, part0,
		exactly, x0, x1, y0, y1, here, rehere, f, ref, freedom, refreedom, [
		('tail', freedom / 2, d / 2, freedom / (freedom + d * here / f)),
		('retail', refreedom / 2, d / 2, refreedom / (refreedom + d * rehere / ref)),
		('at most', toFloat64(s1), s0 + 1., 1 - part0), ('at least', toFloat64(s0), s1 + 1., part0)] AS asks
	FROM (
SELECT runs0, runs1, d, e0, e1, part0, exactly, spread, respread, factor, refactor, freedom, refreedom,
	fact.1 AS function_id, fact.2 AS machine, fact.3 AS whole, fact.4 AS typical, fact.5 AS s0, fact.6 AS s1,
	row.1 AS m0, row.2 AS m1, row.3 AS c0, row.4 AS c1, row.5 AS q0, row.6 AS q1, row.7 AS r0, row.8 AS r1, row.9 AS u0,
		row.10 AS u1,
	typical AND NOT machine AS teaches, teaches ? factor : 1 AS f, teaches ? refactor : 1 AS ref,
	c0 + spread * m0 * m0 AS x0, c1 + spread * m1 * m1 AS x1, c0 + respread * r0 * r0 AS y0, c1 + respread * r1 * r1 AS y1,
	(q0 / x0 + q1 / x1) / d AS here, (u0 / y0 + u1 / y1) / d AS rehere
FROM (
-- What all rows together teach: how far ratios vary, and how many runs that is worth (compare/spread.c)
SELECT runs0, runs1, d, e0, e1, part0, exactly, facts, sums, n, p15 AS spread, v15 AS respread,
	arrayMap((c, m, q, e, o, v) -> (q / (c + p15 * m) + v / (e + p15 * o)) / d, gc0, gm0, gq0, gc1, gm1, gq1) AS ratios,
	arrayMap((c, m, q, e, o, v) -> (q / (c + v15 * m) + v / (e + v15 * o)) / d, gc0, gr0, gu0, gc1, gr1, gu1) AS reratios,
	arraySum(ratios) / n AS mean, arraySum(reratios) / n AS remean,
	(arraySum(r -> r * r, ratios) - arraySum(ratios) * mean) / (n - 1) AS variance,
	(arraySum(r -> r * r, reratios) - arraySum(reratios) * remean) / (n - 1) AS revariance,
	n < 4 ? 1 : least(1, greatest(0.35, mean)) AS factor, n < 4 ? 1 : least(1, greatest(0.35, remean)) AS refactor,
	mean > 0 ? variance / (mean * mean) : 0 AS scaled, remean > 0 ? revariance / (remean * remean) : 0 AS rescaled,
	d * scaled - 2 AS over, d * rescaled - 2 AS reover, toFloat64(d * (n - 1)) AS most,
	n < 4 ? 0 : (over <= 0 ? most : greatest(0, least(most, (2 * (d - 2) + 4 * d * scaled) / over))) AS freedom,
	n < 4 ? 0 : (reover <= 0 ? most : greatest(0, least(most, (2 * (d - 2) + 4 * d * rescaled) / reover))) AS refreedom
FROM (
-- The share of the amount (p, relative: v) that makes the mean ratio 1, four bits a query
SELECT *, p14 + exp2(-60) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p14 + exp2(-60) * (i + 1)) * m) + v / (e + (p14 + exp2(-60) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p15,
	v14 + exp2(-60) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v14 + exp2(-60) * (i + 1)) * m) + v / (e + (v14 + exp2(-60) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v15
FROM (
SELECT *, p13 + exp2(-56) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p13 + exp2(-56) * (i + 1)) * m) + v / (e + (p13 + exp2(-56) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p14,
	v13 + exp2(-56) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v13 + exp2(-56) * (i + 1)) * m) + v / (e + (v13 + exp2(-56) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v14
FROM (
SELECT *, p12 + exp2(-52) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p12 + exp2(-52) * (i + 1)) * m) + v / (e + (p12 + exp2(-52) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p13,
	v12 + exp2(-52) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v12 + exp2(-52) * (i + 1)) * m) + v / (e + (v12 + exp2(-52) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v13
FROM (
SELECT *, p11 + exp2(-48) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p11 + exp2(-48) * (i + 1)) * m) + v / (e + (p11 + exp2(-48) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p12,
	v11 + exp2(-48) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v11 + exp2(-48) * (i + 1)) * m) + v / (e + (v11 + exp2(-48) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v12
FROM (
SELECT *, p10 + exp2(-44) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p10 + exp2(-44) * (i + 1)) * m) + v / (e + (p10 + exp2(-44) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p11,
	v10 + exp2(-44) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v10 + exp2(-44) * (i + 1)) * m) + v / (e + (v10 + exp2(-44) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v11
FROM (
SELECT *, p9 + exp2(-40) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p9 + exp2(-40) * (i + 1)) * m) + v / (e + (p9 + exp2(-40) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p10,
	v9 + exp2(-40) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v9 + exp2(-40) * (i + 1)) * m) + v / (e + (v9 + exp2(-40) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v10
FROM (
SELECT *, p8 + exp2(-36) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p8 + exp2(-36) * (i + 1)) * m) + v / (e + (p8 + exp2(-36) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p9,
	v8 + exp2(-36) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v8 + exp2(-36) * (i + 1)) * m) + v / (e + (v8 + exp2(-36) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v9
FROM (
SELECT *, p7 + exp2(-32) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p7 + exp2(-32) * (i + 1)) * m) + v / (e + (p7 + exp2(-32) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p8,
	v7 + exp2(-32) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v7 + exp2(-32) * (i + 1)) * m) + v / (e + (v7 + exp2(-32) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v8
FROM (
SELECT *, p6 + exp2(-28) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p6 + exp2(-28) * (i + 1)) * m) + v / (e + (p6 + exp2(-28) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p7,
	v6 + exp2(-28) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v6 + exp2(-28) * (i + 1)) * m) + v / (e + (v6 + exp2(-28) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v7
FROM (
SELECT *, p5 + exp2(-24) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p5 + exp2(-24) * (i + 1)) * m) + v / (e + (p5 + exp2(-24) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p6,
	v5 + exp2(-24) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v5 + exp2(-24) * (i + 1)) * m) + v / (e + (v5 + exp2(-24) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v6
FROM (
SELECT *, p4 + exp2(-20) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p4 + exp2(-20) * (i + 1)) * m) + v / (e + (p4 + exp2(-20) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p5,
	v4 + exp2(-20) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v4 + exp2(-20) * (i + 1)) * m) + v / (e + (v4 + exp2(-20) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v5
FROM (
SELECT *, p3 + exp2(-16) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p3 + exp2(-16) * (i + 1)) * m) + v / (e + (p3 + exp2(-16) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p4,
	v3 + exp2(-16) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v3 + exp2(-16) * (i + 1)) * m) + v / (e + (v3 + exp2(-16) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v4
FROM (
SELECT *, p2 + exp2(-12) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p2 + exp2(-12) * (i + 1)) * m) + v / (e + (p2 + exp2(-12) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p3,
	v2 + exp2(-12) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v2 + exp2(-12) * (i + 1)) * m) + v / (e + (v2 + exp2(-12) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v3
FROM (
SELECT *, p1 + exp2(-8) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p1 + exp2(-8) * (i + 1)) * m) + v / (e + (p1 + exp2(-8) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p2,
	v1 + exp2(-8) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v1 + exp2(-8) * (i + 1)) * m) + v / (e + (v1 + exp2(-8) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v2
FROM (
SELECT *, p0 + exp2(-4) * arrayCount(i -> arraySum((c, m, q, e, o,
	v) -> q / (c + (p0 + exp2(-4) * (i + 1)) * m) + v / (e + (p0 + exp2(-4) * (i + 1)) * o),
		gc0, gm0, gq0, gc1, gm1, gq1) > n * d, range(15)) + ignore(gc0, gc1, gm0, gm1, gq0, gq1) AS p1,
	v0 + exp2(-4) * arrayCount(i -> arraySum((c, m, q, e, o,
		v) -> q / (c + (v0 + exp2(-4) * (i + 1)) * m) + v / (e + (v0 + exp2(-4) * (i + 1)) * o),
		gc0, gr0, gu0, gc1, gr1, gu1) > n * d, range(15)) + ignore(gc0, gc1, gr0, gr1, gu0, gu1) AS v1
FROM (
SELECT *, toFloat64(0) AS p0, toFloat64(0) AS v0 FROM (
-- One row, with all functions in arrays
SELECT any(n0) AS runs0, any(n1) AS runs1, any(own) AS d, any(each0) AS e0, any(each1) AS e1, any(share) AS part0,
	any(exact) AS exactly,
	groupArray((function_id, machine, whole, typical, s0, s1)) AS facts,
	groupArray((m0, m1, c0, c1, q0, q1, r0, r1, u0, u1)) AS sums, countIf(typical AND NOT machine) AS n,
	groupArrayIf(c0, typical AND NOT machine) AS gc0, groupArrayIf(c1, typical AND NOT machine) AS gc1,
	groupArrayIf(m0 * m0, typical AND NOT machine) AS gm0, groupArrayIf(m1 * m1, typical AND NOT machine) AS gm1,
	groupArrayIf(q0, typical AND NOT machine) AS gq0, groupArrayIf(q1, typical AND NOT machine) AS gq1,
	groupArrayIf(r0 * r0, typical AND NOT machine) AS gr0, groupArrayIf(r1 * r1, typical AND NOT machine) AS gr1,
	groupArrayIf(u0, typical AND NOT machine) AS gu0, groupArrayIf(u1, typical AND NOT machine) AS gu1
FROM (
	SELECT *, arraySum(a -> (a - m0) * (a - m0), a0) + (n0 - length(a0)) * m0 * m0 AS q0,
		arraySum(a -> (a - m1) * (a - m1), a1) + (n1 - length(a1)) * m1 * m1 AS q1,
		arraySum(a -> (a - r0) * (a - r0), b0) + (n0 - length(b0)) * r0 * r0 AS u0,
		arraySum(a -> (a - r1) * (a - r1), b1) + (n1 - length(b1)) * r1 * r1 AS u1,
		greatest(s0, 1) / n0 AS k0, greatest(s1, 1) / n1 AS k1, k0 * each0 * each0 AS c0, k1 * each1 * each1 AS c1,
		NOT whole AND k0 >= 10 AND k1 >= 10 AS typical
	FROM (
	SELECT *, arraySum(a0) / n0 AS m0, arraySum(a1) / n1 AS m1, arraySum(b0) / n0 AS r0, arraySum(b1) / n1 AS r1 FROM (
	SELECT *, whole OR ignore(rest) ? a0 : arrayMap((a, t) -> a * rest / (t - a), a0, t0) AS b0,
		whole OR ignore(rest) ? a1 : arrayMap((a, t) -> a * rest / (t - a), a1, t1) AS b1
	FROM (
	SELECT *, (everything - arraySum(a0) - arraySum(a1)) / (n0 + n1) AS rest,
		function_id = 0 OR arrayExists((a, t) -> t - a <= 0.05 * t, a0, t0) OR arrayExists((a, t) -> t - a <= 0.05 * t, a1,
			t1) AS whole
	FROM (
		SELECT * FROM (
		SELECT 1 AS one, function_id, groupArrayIf(amount, side = 0) AS a0, groupArrayIf(total, side = 0) AS t0,
			sumIf(samples, side = 0) AS s0,
			groupArrayIf(amount, side = 1) AS a1, groupArrayIf(total, side = 1) AS t1, sumIf(samples, side = 1) AS s1
		FROM (
			SELECT function_id, side, weight * scale AS amount, samples, total FROM (
				SELECT experiment_id, metric_id, function_id, ${flavor}_weight AS weight, ${flavor}_samples AS samples
				FROM function_totals FINAL WHERE weight > 0 OR samples > 0)
			ALL INNER JOIN (SELECT experiment_id, metric_id, side, scale, total, total_samples, exact FROM (
			SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total,
				total_samples, exact
			FROM metrics FINAL WHERE name = '${metric}')
		ALL INNER JOIN (
			SELECT experiment_id, value != '${base}' AS side FROM labels FINAL
			WHERE key = 'release' AND value IN ('${base}', '${other}'))
		USING (experiment_id)
		WHERE experiment_id GLOBAL IN (SELECT id FROM experiments FINAL
			WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000)) USING (experiment_id, metric_id)
			UNION ALL
			SELECT toInt64(0) AS function_id, side, total AS amount, total_samples AS samples, total FROM (SELECT experiment_id,
				metric_id, side, scale, total, total_samples, exact FROM (
			SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total,
				total_samples, exact
			FROM metrics FINAL WHERE name = '${metric}')
		ALL INNER JOIN (
			SELECT experiment_id, value != '${base}' AS side FROM labels FINAL
			WHERE key = 'release' AND value IN ('${base}', '${other}'))
		USING (experiment_id)
		WHERE experiment_id GLOBAL IN (SELECT id FROM experiments FINAL
			WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000)))
		GROUP BY function_id)
		ALL INNER JOIN (SELECT 1 AS one, countIf(side = 0) AS n0, countIf(side = 1) AS n1, n0 + n1 - 2 AS own,
			sum(total) AS everything, max(exact) AS exact,
			sumIf(total_samples, side = 0) > 0 AND sumIf(total, side = 0) > 0 ? sumIf(total, side = 0) / sumIf(total_samples,
				side = 0) : 0 AS known0,
			sumIf(total_samples, side = 1) > 0 AND sumIf(total, side = 1) > 0 ? sumIf(total, side = 1) / sumIf(total_samples,
				side = 1) : 0 AS known1,
			known0 > 0 ? known0 : (known1 > 0 ? known1 : 1) AS each0, known1 > 0 ? known1 : each0 AS each1,
			each1 * n0 / (each1 * n0 + each0 * n1) AS share
		FROM (SELECT experiment_id, metric_id, side, scale, total, total_samples, exact FROM (
			SELECT experiment_id, id AS metric_id, amount_per_weight AS scale, total_weight * amount_per_weight AS total,
				total_samples, exact
			FROM metrics FINAL WHERE name = '${metric}')
		ALL INNER JOIN (
			SELECT experiment_id, value != '${base}' AS side FROM labels FINAL
			WHERE key = 'release' AND value IN ('${base}', '${other}'))
		USING (experiment_id)
		WHERE experiment_id GLOBAL IN (SELECT id FROM experiments FINAL
			WHERE ifNull(start_utc_ns, 0) BETWEEN ${__from} * 1000000 AND ${__to} * 1000000))) USING (one))
	ANY LEFT JOIN (
		SELECT id AS function_id, object_id GLOBAL IN (SELECT id FROM objects FINAL
			WHERE toString(kind) IN ('kernel', 'kernel module', 'artificial')) AS machine FROM functions FINAL)
	USING (function_id)))))))))))))))))))))))
ARRAY JOIN facts AS fact, sums AS row))
ARRAY JOIN asks AS ask))))
GROUP BY function_id)))
ARRAY JOIN asks AS ask))))
GROUP BY function_id)))))))))))))))))))))
ARRAY JOIN all_rows AS row, all_rates AS q)
ANY LEFT JOIN (
	SELECT id, function, report_id, object FROM (
		SELECT id, name AS function, report_id, object_id FROM functions FINAL)
	ALL INNER JOIN (SELECT id AS object_id, path AS object FROM objects FINAL)
	USING (object_id))
USING (id)
ORDER BY id != 0, abs(delta) DESC, report_id
