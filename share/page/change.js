// SPDX-License-Identifier: Apache-2.0
// Two selections compared by equal things: by their shares of each, or by amounts a second or,
// of experiments, a run.
import { chanceOf, chanceOfMeans } from './significance.js';

/** A frame that chance makes differ this rarely is coloured. */
export const LEAST_CHANCE = 0.01;

export const CHANGE_COLORS = {
	// blue and orange, which any kind of colour vision distinguishes
	more: ['#fde3c3', '#f9be7c', '#ee9436'],
	less: ['#d6e6f5', '#9cc6ea', '#5a9fd8'],
	noise: '#d0d3d8',
};

/** Samples of CPU time vary by less than this in what each stands for. */
const WAITS_FROM = 1.1;

/** By how much a share of the whole must differ for the next darker colour, in percent. */
const STEPS = [2, 8];

/**
 * @typedef {object} Side
 * @property {number} samples of all of it
 * @property {number} weight of all of it
 * @property {number} parts how many seconds, or runs
 * @property {import('./aggregate.js').Sums[]} [runs] of two experiments or more: each one's
 */

/**
 * The part of a row's samples that is in NOW if its amounts a part are equal: as many as the side's
 * parts, and fewer the more each sample stands for.  That is the row's own: the interval of a
 * recording may change while it runs, and other rows have more or less that no sample stands for.
 * Of a sum with waits, a sample stands for CPU time alone.
 * @param {Side[]} sides now and base
 * @param {{samples: number, weight: number}[]} rows of them
 */
function shareByRate(sides, rows, metric) {
	const equal = sides[0].parts / (sides[0].parts + sides[1].parts);
	if (metric.each > 0)
		return equal;
	const [a, b] = sides.map((side, i) => {
		const { samples, weight } = rows[i].samples > 0 && rows[i].weight > 0 ? rows[i] : side;
		return weight > 0 ? side.parts * samples / weight : 0;
	});
	return a && b ? a / (a + b) : equal;
}

export class Change {
	/**
	 * @param {Side} now the selection
	 * @param {Side} base what it is compared with
	 * @param {boolean} byRate amounts of a part, not shares
	 * @param {import('./decode.js').MetricInfo} metric
	 * @param {boolean} [ofRuns] parts are runs, not seconds
	 */
	constructor(now, base, byRate, metric, ofRuns = false) {
		this.now = now;
		this.base = base;
		this.byRate = byRate;
		this.metric = metric;
		this.ofRuns = ofRuns;
		this.spread = [now, base].every(({ runs }) => runs && runs.length > 1);
		/** of shares: the part of both sides' samples that is in NOW if nothing changed */
		this.share = now.samples / (now.samples + base.samples || 1);
		this.cache = new Map();
	}

	/** What is compared: percent of its side, or units a second. */
	value(weight, side) {
		if (this.byRate)
			return side.parts > 0 ? weight * this.metric.scale / side.parts : 0;
		return side.weight > 0 ? 100 * weight / side.weight : 0;
	}

	/** By the counts of samples alone. */
	chanceOfCounts(now, base) {
		const share = this.byRate ? shareByRate([this.now, this.base], [now, base], this.metric) : this.share;
		const key = `${now.samples}.${base.samples}.${share.toFixed(6)}`;
		let chance = this.cache.get(key);
		if (chance === undefined)
			chance = chanceOf(now.samples, base.samples, share);
		this.cache.set(key, chance);
		return chance;
	}

	/** Whether it has more than what samples of a sum stand for: waits, which no count measures. */
	hasWaits({ samples, weight }) {
		return this.metric.each > 0 && weight > WAITS_FROM * samples * this.metric.each;
	}

	/**
	 * @param {{samples: number, weight: number}} now
	 * @param {{samples: number, weight: number}} base
	 * @param {(run: import('./aggregate.js').Sums) => number} weightIn what a run has of it
	 */
	of(now, base, weightIn) {
		const runs = (side) => side.runs.map((run) => weightIn(run) / (this.byRate ? 1 : run.weight[0] || 1));
		// what is exact has no noise to measure by, but that of several runs
		const exact = this.metric.exact || this.hasWaits(now) || this.hasWaits(base);
		// where nothing was sampled, as of <Unsampled>, there is no count to judge by
		const tested = exact ? this.spread : now.samples + base.samples > 0;
		let chance = exact || !tested ? 1 : this.chanceOfCounts(now, base);
		// what could be chance of sampling needs no other test; runs may differ by more
		if (this.spread && exact)
			chance = chanceOfMeans(runs(this.now), runs(this.base));
		else if (this.spread && chance <= LEAST_CHANCE)
			chance = Math.max(chance, chanceOfMeans(runs(this.now), runs(this.base)));
		const value = this.value(now.weight, this.now), before = this.value(base.weight, this.base);
		return { value, before, delta: value - before, chance, tested, noise: chance > LEAST_CHANCE };
	}

	/** "+3.10 %" of the whole, or "+0.031 s/s" */
	deltaText(change) {
		const sign = change.delta < 0 ? '−' : '+';
		return sign + this.valueText(Math.abs(change.delta));
	}

	valueText(value) {
		if (!this.byRate)
			return `${value.toFixed(2)} %`;
		if (this.ofRuns)
			return this.metric.unit_seconds ? `${value.toFixed(3)} ${this.metric.unit === 'seconds' ? 's' : this.metric.unit}`
				: `${Math.round(value).toLocaleString('en-US')} ${this.metric.unit}`;
		if (this.metric.state)
			return `${value.toFixed(3)} s/s`;
		return this.metric.unit_seconds ? `${value.toFixed(3)} CPUs`
			: `${Math.round(value).toLocaleString('en-US')} ${this.metric.unit}/s`;
	}

	color(change) {
		if (change.noise || !change.delta)
			return CHANGE_COLORS.noise;
		const whole = this.byRate ? Math.max(this.value(this.now.weight, this.now),
			this.value(this.base.weight, this.base)) : 100;
		const part = Math.abs(change.delta) / whole * 100;
		const step = STEPS.filter((limit) => part >= limit).length;
		return CHANGE_COLORS[change.delta > 0 ? 'more' : 'less'][step];
	}
}

/** @returns {{label: string, color: string}[]} */
export function changeLegend() {
	const { more, less, noise } = CHANGE_COLORS;
	return [{ label: `− less, by up to ${STEPS[0]} %`, color: less[0] }, { label: `to ${STEPS[1]} %`, color: less[1] },
		{ label: 'or more', color: less[2] },
		{ label: `+ more, by up to ${STEPS[0]} %`, color: more[0] }, { label: `to ${STEPS[1]} %`, color: more[1] },
		{ label: 'or more', color: more[2] },
		{ label: 'no change that could not be chance', color: noise }];
}
