// SPDX-License-Identifier: Apache-2.0
// Whether two counts of samples differ by more than chance: the exact test that er_print's
// comparisons use (analyzer/compare/significance.c); a test compares both.

/** The logarithm of the gamma function, by Lanczos' series. */
function logGamma(x) {
	const terms = [76.18009172947146, -86.50532032941677, 24.01409824083091,
		-1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5];
	const t = x + 5.5;
	let sum = 1.000000000190015;
	for (let i = 0; i < terms.length; i++)
		sum += terms[i] / (x + 1 + i);
	return Math.log(2.5066282746310005 * sum / x) - t + (x + 0.5) * Math.log(t);
}

/** The incomplete beta function's continued fraction, by Lentz's method. */
function betaFraction(a, b, x) {
	const tiny = 1e-300, away = (v) => Math.abs(v) < tiny ? tiny : v;
	let c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), f = d;
	for (let m = 1; m < 100000; m++) {
		const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / away(1 + even * d);
		c = away(1 + even / c);
		f *= c * d;
		d = 1 / away(1 + odd * d);
		c = away(1 + odd / c);
		f *= c * d;
		if (Math.abs(c * d - 1) < 1e-12)
			break;
	}
	return f;
}

/** From 0 at x = 0 to 1 at x = 1. */
function beta(a, b, x) {
	if (x <= 0 || x >= 1)
		return x >= 1 ? 1 : 0;
	const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) +
		b * Math.log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a
		: 1 - front * betaFraction(b, a, 1 - x) / b;
}

/**
 * How often chance alone gives two counts that differ as much as these, of which the first is
 * expected to have SHARE of their sum.
 * @param {number} first
 * @param {number} second
 * @param {number} share
 */
export function chanceOf(first, second, share) {
	const atMost = second ? beta(second, first + 1, 1 - share) : 1;
	const atLeast = first ? beta(first, second + 1, share) : 1;
	return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/**
 * The same for the means of several runs each, by Welch's test.
 * @param {number[]} first at least two
 * @param {number[]} second
 */
export function chanceOfMeans(first, second) {
	const [a, b] = [first, second].map((runs) => {
		const mean = runs.reduce((x, y) => x + y, 0) / runs.length;
		const squares = runs.reduce((x, y) => x + (y - mean) * (y - mean), 0);
		return { mean, variance: squares / (runs.length - 1) / runs.length, runs: runs.length };
	});
	const variance = a.variance + b.variance;
	if (variance <= 0)
		return a.mean === b.mean ? 1 : 0;
	const freedom = variance * variance /
		(a.variance * a.variance / (a.runs - 1) + b.variance * b.variance / (b.runs - 1));
	const t = (a.mean - b.mean) / Math.sqrt(variance);
	return beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}
