// SPDX-License-Identifier: Apache-2.0
// The uncertainty of a count of samples, as er_print gives it: two-sided 95 % mid-P intervals.
// analyzer/model/interval.c explains the approximations; a test compares both.

const SMALL_COUNTS = [
	[0.00000, 2.99573], [0.05002, 4.93186], [0.33533, 6.60796], [0.76310, 8.16447],
	[1.27095, 9.64844], [1.83199, 11.08242], [2.43182, 12.47925], [3.06159, 13.84710],
	[3.71540, 15.19150], [4.38907, 16.51643],
];

const NORMAL = 1.959964; // 97.5 % of the normal distribution

function gammaQuantile(n, z) {
	const root = 1 - 1 / (9 * n) + z / (3 * Math.sqrt(n));
	return n * root * root * root;
}

/** @param {number} count @returns {[number, number]} */
export function poissonInterval(count) {
	const n = count + 0.5;
	if (count < SMALL_COUNTS.length)
		return [SMALL_COUNTS[count][0], SMALL_COUNTS[count][1]];
	return [gammaQuantile(n, -NORMAL) - 0.05, gammaQuantile(n, NORMAL) + 0.08];
}

/** P(X < count) and half of P(X = count), and its slope by the share. */
function binomialTail(count, total, share) {
	let each = Math.exp(total * Math.log1p(-share)), sum = 0, before = 0;
	for (let k = 0; k < count; k++) {
		sum += each;
		before = each;
		each *= (total - k) / (k + 1) * share / (1 - share);
	}
	const slope = -(before * (total - count + 1) / (1 - share) +
		each * (total - count) / (1 - share)) / 2;
	return { value: sum + each / 2, slope };
}

/** From the bound of a Poisson count on, by Newton's method. */
function boundOfFew(count, total, bound, target) {
	let share = Math.min(2 * bound / (2 * total - count + 0.5 + bound), 0.9);
	for (let i = 0; i < 8 && share > 0; i++) {
		const tail = binomialTail(count, total, share);
		const next = share - (tail.value - target) / tail.slope;
		share = next <= 0 ? share / 2 : next >= 1 ? (1 + share) / 2 : next;
	}
	return share * total;
}

function shareOfFew(count, total) {
	const [low, high] = SMALL_COUNTS[count];
	return [boundOfFew(count, total, low, 0.975), boundOfFew(count, total, high, 0.025)];
}

function betaQuantile(count, rest, z) {
	const a = 1 / (9 * (count + 0.5)), b = 1 / (9 * (rest + 0.5));
	const p = (1 - b) * (1 - b) - z * z * b, q = (1 - a) * (1 - b);
	const r = (1 - a) * (1 - a) - z * z * a;
	const root = (q + Math.sign(z) * Math.sqrt(q * q - p * r)) / p;
	const odds = root * root * root * b / a;
	return odds / (1 + odds);
}

function shareOfMany(count, total) {
	const rest = total - count, part = count / total;
	return [
		total * betaQuantile(count, rest, -NORMAL) - (0.05 + 0.03 * part),
		total * betaQuantile(count, rest, NORMAL) + (0.08 - 0.03 * part),
	];
}

/** @param {number} count @param {number} total @returns {number[]} */
export function shareInterval(count, total) {
	if (!total)
		return [0, 0];
	if (count > total)
		count = total;
	if (total - count < SMALL_COUNTS.length && count > total / 2) {
		const [low, high] = shareOfFew(total - count, total);
		return [total - high, total - low];
	}
	return count < SMALL_COUNTS.length ? shareOfFew(count, total) : shareOfMany(count, total);
}

/**
 * Samples as amounts of a row of a known total: a further one is one less of the rest's.
 * @param {import('./decode.js').MetricInfo} metric
 * @param {number} samples
 * @param {number} weight
 * @param {number} each behind one of its samples, though it may have none
 * @param {number[]} range
 * @returns {[number, number]}
 */
function shareOfAmount(metric, samples, weight, each, range) {
	const { all, sampled } = metric, rest = all.samples - samples, mean = sampled / all.samples;
	const other = rest > 0 ? Math.max((sampled - weight) / rest, Math.min((all.weight - weight) / rest, mean)) : mean;
	const [low, high] = range.map((count) => {
		const own = count * each;
		return own > 0 ? (weight + rest * other) * (own / (own + (all.samples - count) * other)) : 0;
	});
	return [Math.min(low, weight), Math.min(Math.max(high, weight), all.weight)];
}

/**
 * The interval of an amount, in the metric's unit.
 * @param {import('./decode.js').MetricInfo} metric
 * @param {number} samples
 * @param {number} weight
 * @returns {[number, number]}
 */
export function amountInterval(metric, samples, weight) {
	if (metric.exact || (!samples && weight))
		return [weight * metric.scale, weight * metric.scale];
	const [low, high] = metric.known ? shareInterval(samples, metric.all.samples)
		: poissonInterval(samples);
	if (metric.each > 0) // around a weight whose rest is exact
		return [Math.max(0, weight - (samples - low) * metric.each) * metric.scale,
			Math.min(weight + (high - samples) * metric.each, metric.known ? metric.all.weight : Infinity) * metric.scale];
	const each = samples ? weight / samples
		: metric.total.samples ? metric.total.weight / metric.total.samples : 0;
	const amounts = metric.known && metric.all.samples ? shareOfAmount(metric, samples, weight, each, [low, high])
		: [low * each, high * each];
	return [amounts[0] * metric.scale, amounts[1] * metric.scale];
}
