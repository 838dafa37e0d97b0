// SPDX-License-Identifier: Apache-2.0
// The columns of the tables.
import { objectName } from './colors.js';
import { amountText, countText, percentText } from './dom.js';
import { amountInterval } from './interval.js';

/** Fewer samples than this are no measurement: their interval is as wide as the value. */
export const FEW_SAMPLES = 5;

/**
 * @typedef {object} Context
 * @property {() => import('./decode.js').MetricInfo} metric
 * @property {() => number} whole the weight of the selection
 * @property {() => import('./change.js').Change} change
 */

/** In percent, as Excl. % is. @param {Context} context */
function rangeText(context, row) {
	const metric = context.metric(), whole = context.whole() * metric.scale;
	if (metric.exact)
		return '–';
	const [low, high] = amountInterval(metric, row.ownSamples, row.ownWeight);
	return whole > 0 ? `${(100 * low / whole).toFixed(2)}–${(100 * high / whole).toFixed(2)}` : '–';
}

/** @param {Context} context */
function makeColumns(context) {
	const exact = () => context.metric().exact;
	const few = (row) => !exact() && row.ownSamples < FEW_SAMPLES;
	const fewBelow = (row) => !exact() && row.samples < FEW_SAMPLES;
	const noise = (row) => row.change.noise;
	const number = (key, title, grey, value, text) => ({ key, title, number: true, grey, value, text });
	const word = (key, title, value) => ({ key, title, value, text: value });
	const own = (row) => row.ownWeight, below = (row) => row.weight;
	return {
		excl: number('excl', 'Exclusive', few, own, (row) => amountText(context.metric(), row.ownWeight)),
		exclp: number('exclp', 'Excl. %', few, own, (row) => percentText(row.ownWeight, context.whole())),
		amount: number('excl', 'Amount', few, own, (row) => amountText(context.metric(), row.ownWeight)),
		share: number('exclp', '%', few, own, (row) => percentText(row.ownWeight, context.whole())),
		range: number('range', '95 % interval', few, own, (row) => rangeText(context, row)),
		samples: number('samples', 'Samples', few, (row) => row.ownSamples, (row) => countText(row.ownSamples)),
		incl: number('incl', 'Inclusive', fewBelow, below, (row) => amountText(context.metric(), row.weight)),
		inclp: number('inclp', 'Incl. %', fewBelow, below, (row) => percentText(row.weight, context.whole())),
		before: number('before', 'Before', noise, (row) => row.change.before,
			(row) => context.change().valueText(row.change.before)),
		now: number('now', 'Now', noise, (row) => row.change.value, (row) => context.change().valueText(row.change.value)),
		delta: number('excl', 'Change', noise, (row) => Math.abs(row.change.delta),
			(row) => context.change().deltaText(row.change)),
		chance: number('chance', 'By chance', noise, (row) => row.change.chance,
			(row) => row.change.chance < 0.0001 ? '< 0.01 %' : percentText(row.change.chance, 1)),
		counts: number('counts', 'Samples', noise, (row) => row.ownSamples,
			(row) => `${countText(row.was.samples)} → ${countText(row.ownSamples)}`),
		name: word('name', 'Function', (row) => row.name),
		object: word('object', 'Object', (row) => objectName(row.object)),
		path: word('name', 'Object', (row) => row.name),
		kind: word('object', 'Kind', (row) => row.kind),
		thread: word('name', 'Thread', (row) => `${row.name} ${row.tid}`),
		process: word('object', 'Process', (row) => row.process),
		processName: word('name', 'Process', (row) => `${row.name} ${row.pid}`),
		threads: number('threads', 'Threads', () => false, (row) => row.threads.length, (row) => countText(row.threads.length)),
	};
}

const LAYOUTS = {
	functions: ['excl', 'exclp', 'range', 'samples', 'incl', 'inclp', 'name', 'object'],
	changes: ['delta', 'before', 'now', 'chance', 'counts', 'name', 'object'],
	objects: ['excl', 'exclp', 'range', 'samples', 'incl', 'inclp', 'path', 'kind'],
	threads: ['amount', 'share', 'range', 'samples', 'thread', 'process'],
	processes: ['amount', 'share', 'range', 'samples', 'threads', 'processName'],
};

/** @param {string} kind @param {Context} context @returns {import('./table.js').Column[]} */
export function columnsOf(kind, context) {
	const columns = makeColumns(context);
	return LAYOUTS[kind].map((key) => columns[key]);
}
