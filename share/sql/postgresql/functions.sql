-- SPDX-License-Identifier: Apache-2.0
-- The statistics of er_print's compare, which changed.sql uses; see FLEET.md.

-- Of numbers above 0, by Stirling's series, from 15 on.
CREATE OR REPLACE FUNCTION ringprof_lgamma(x float8) RETURNS float8
	LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	less float8 := 1;
	r float8;
BEGIN
	WHILE x < 15 LOOP
		less := less * x;
		x := x + 1;
	END LOOP;
	r := 1 / (x * x);
	RETURN (x - 0.5) * ln(x) - x + 0.91893853320467274178 - ln(less)
		+ (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680
			- r * (1.0 / 1188 - r * (691.0 / 360360 - r / 156)))))) / x;
END $$;

-- The regularized incomplete beta function, by its continued fraction (Lentz), which converges
-- where x < (a + 1) / (a + b + 2).
CREATE OR REPLACE FUNCTION ringprof_beta(a float8, b float8, x float8) RETURNS float8
	LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	tiny CONSTANT float8 := 1e-300;
	turned CONSTANT bool := x >= (a + 1) / (a + b + 2);
	front float8;
	was float8;
	c float8 := 1;
	d float8;
	f float8;
	t float8;
BEGIN
	IF a <= 0 OR x <= 0 THEN RETURN 0; END IF;
	IF b <= 0 OR x >= 1 THEN RETURN 1; END IF;
	front := ringprof_lgamma(a + b) - ringprof_lgamma(a) - ringprof_lgamma(b) + a * ln(x) + b * ln(1 - x);
	IF front < -700 THEN RETURN turned::int; END IF;
	IF turned THEN
		was := a;
		a := b;
		b := was;
		x := 1 - x;
	END IF;
	d := 1 - (a + b) * x / (a + 1);
	d := 1 / CASE WHEN abs(d) < tiny THEN tiny ELSE d END;
	f := d;
	FOR m IN 1..100000 LOOP
		t := m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d := 1 + t * d;
		d := 1 / CASE WHEN abs(d) < tiny THEN tiny ELSE d END;
		c := 1 + t / CASE WHEN abs(c) < tiny THEN tiny ELSE c END;
		f := f * c * d;
		t := -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d := 1 + t * d;
		d := 1 / CASE WHEN abs(d) < tiny THEN tiny ELSE d END;
		c := 1 + t / CASE WHEN abs(c) < tiny THEN tiny ELSE c END;
		f := f * c * d;
		EXIT WHEN abs(c * d - 1) < 1e-13;
	END LOOP;
	f := exp(front) * f / a;
	RETURN CASE WHEN turned THEN 1 - f ELSE f END;
END $$;

CREATE OR REPLACE FUNCTION ringprof_student(t float8, freedom float8) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT AS
	$$ SELECT ringprof_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) $$;

-- Two counts of samples: without a difference, the first would be SHARE of their sum.
CREATE OR REPLACE FUNCTION ringprof_counts(one float8, two float8, share float8) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT AS $$
	SELECT least(1, 2 * least(
		CASE WHEN two > 0 THEN ringprof_beta(two, one + 1, 1 - share) ELSE 1 END,
		CASE WHEN one > 0 THEN ringprof_beta(one, two + 1, share) ELSE 1 END)) $$;

-- The spread of all rows together: share, factor and freedom.  By row, of both sides: variances
-- by number of samples (C), squared means (M), squared distances (Q).
CREATE OR REPLACE FUNCTION ringprof_spread(d float8, c0 float8[], m0 float8[], q0 float8[],
	c1 float8[], m1 float8[], q1 float8[], OUT share float8, OUT factor float8, OUT freedom float8)
	LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	n CONSTANT int := coalesce(array_length(c0, 1), 0);
	low float8 := 0;
	high float8 := 1;
	mean float8;
	squares float8;
	scaled float8;
BEGIN
	FOR round IN 0..61 LOOP
		share := CASE round WHEN 0 THEN 0 WHEN 61 THEN low ELSE (low + high) / 2 END;
		SELECT coalesce(avg(r), 0), coalesce(sum(r * r), 0) INTO mean, squares FROM (
			SELECT (q / (c + share * m) + v / (e + share * o)) / d AS r
			FROM unnest(c0, m0, q0, c1, m1, q1) AS x(c, m, q, e, o, v)) ratios;
		EXIT WHEN round = 0 AND mean <= 1 OR round = 61;
		IF round > 0 AND mean > 1 THEN low := share; ELSIF round > 0 THEN high := share; END IF;
	END LOOP;
	factor := 1;
	freedom := 0;
	IF n < 4 THEN RETURN; END IF;
	factor := least(1, greatest(0.35, mean));
	scaled := CASE WHEN mean > 0 THEN (squares - n * mean * mean) / (n - 1) / (mean * mean) ELSE 0 END;
	freedom := d * (n - 1);
	IF d * scaled > 2 THEN
		freedom := greatest(0, least(freedom, (2 * (d - 2) + 4 * d * scaled) / (d * scaled - 2)));
	END IF;
END $$;

-- How often the means of a row would differ that much by chance, given that spread.
CREATE OR REPLACE FUNCTION ringprof_p(m0 float8, m1 float8, x0 float8, x1 float8, q0 float8, q1 float8,
	runs0 float8, runs1 float8, teaches bool, machine bool, factor float8, freedom float8) RETURNS float8
	LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	d CONSTANT float8 := runs0 + runs1 - 2;
	here CONSTANT float8 := (q0 / x0 + q1 / x1) / d;
	f CONSTANT float8 := CASE WHEN teaches THEN factor ELSE 1 END;
	worth float8 := 0;
	ratio float8;
BEGIN
	IF NOT machine AND freedom > 0 THEN
		worth := freedom * least(1, 10 * ringprof_beta(freedom / 2, d / 2, freedom / (freedom + d * here / f)));
	END IF;
	ratio := (worth * f + d * here) / (worth + d);
	IF NOT teaches THEN ratio := greatest(ratio, 1); END IF;
	RETURN ringprof_student((m1 - m0) / sqrt(ratio * (x0 / runs0 + x1 / runs1)), worth + d);
END $$;
