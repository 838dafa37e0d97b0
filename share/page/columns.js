// SPDX-License-Identifier: Apache-2.0
// The columns of the tables.
import { objectName } from './colors.js';
import { amountText, countText, FEW_SAMPLES, percentText } from './dom.js';
import { amountInterval } from './interval.js';
import { partsOf } from './states.js';

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
			(row) => row.change.tested ? row.change.chance < 0.0001 ? '< 0.01 %' : percentText(row.change.chance, 1) : '–'),
		counts: number('counts', 'Samples', noise, (row) => row.ownSamples,
			(row) => `${countText(row.was.samples)} → ${countText(row.ownSamples)}`),
		name: word('name', 'Function', (row) => row.name),
		object: word('object', 'Object', (row) => objectName(row.object)),
		path: word('name', 'Object', (row) => row.name),
		kind: word('object', 'Kind', (row) => row.kind),
		thread: word('name', 'Thread', (row) => `${row.name} ${row.tid}`),
		process: word('object', 'Process', (row) => row.process),
		cpu: { key: 'name', title: 'CPU', number: true, value: (row) => row.cpu, text: (row) => row.cpu < 0 ? '<Unknown>' : String(row.cpu) },
		processName: word('name', 'Process', (row) => `${row.name} ${row.pid}`),
		threads: number('threads', 'Threads', () => false, (row) => row.threads.length, (row) => countText(row.threads.length)),
	};
}

const LAYOUTS = {
	functions: ['excl', 'exclp', 'range', 'samples', 'incl', 'inclp', 'name', 'object'],
	changes: ['delta', 'before', 'now', 'chance', 'counts', 'name', 'object'],
	objects: ['excl', 'exclp', 'range', 'samples', 'incl', 'inclp', 'path', 'kind'],
	threads: ['amount', 'share', 'range', 'samples', 'thread', 'process'],
	cpus: ['amount', 'share', 'range', 'samples', 'cpu'],
	processes: ['amount', 'share', 'range', 'samples', 'threads', 'processName'],
};

const LAYOUT_OF_REGIONS = ['excl', 'exclp', 'incl', 'inclp'];

const msText = (ns) => (ns / 1e6).toFixed(3);
const secondsText = (ns) => (ns / 1e9).toFixed(3);

/** Exact times: none is grey. */
function timeColumn(key, title, value, text) {
	return { key, title, number: true, value, text: (row) => text(value(row)) };
}

/** Life, CPU time, each state, and whose they are. */
function stateColumns(states, columns) {
	return [timeColumn('life', 'Life s', (row) => row.life, secondsText),
		...partsOf(states).map((kind, i) => timeColumn(kind.id, kind.label, (row) => row.parts[i], secondsText)),
		columns.thread, columns.process];
}

/** As er_print's waits. */
function waitColumns(columns, { waits }) {
	const ms = (key, title, value) => timeColumn(key, title, value, msText);
	const rank = (percent) => ({ ...timeColumn(`p${percent}`, `${percent} % ms`, (row) => row[`p${percent}_ns`] ?? -1,
		(ns) => ns < 0 ? '–' : msText(ns)), hint: waits && !waits.single
		? `${percent} % of the waits were no longer. –: of so many waits the page has not each, but of those of a thread in one step of time the sum and the longest`
		: `${percent} % of the waits were no longer` });
	return [timeColumn('sum', 'Total s', (row) => row.sum_ns, secondsText),
		{ ...timeColumn('oflife', '% of life', (row) => row.share, (share) => percentText(share, 1)),
			hint: 'Of the whole lives of all threads, whatever is selected' },
		timeColumn('count', 'Waits', (row) => row.count, countText),
		ms('mean', 'Mean ms', (row) => row.sum_ns / row.count), rank(50), rank(95), rank(99),
		ms('longest', 'Longest ms', (row) => row.longest_ns),
		{ key: 'state', title: 'State', value: (row) => row.state, text: (row) => row.state }, columns.name, columns.object];
}

/** As er_print's regions: those outside of all have no durations. */
function regionColumns(columns, { meta }) {
	const dash = (known, text) => known ? text : '–';
	const us = (key, title, value) => ({ key, title, number: true, value: (row) => row.ended ? value(row) : -1,
		text: (row) => dash(row.ended, (value(row) / 1e3).toFixed(3)) });
	const domain = { key: 'object', title: 'Domain', value: (row) => row.domain, text: (row) => row.domain };
	return [...LAYOUT_OF_REGIONS.map((key) => columns[key]),
		{ key: 'count', title: 'Instances', number: true, value: (row) => row.count, text: (row) => dash(row.region, countText(row.count)) },
		{ key: 'sum', title: 'Wall s', number: true, value: (row) => row.sum_ns, text: (row) => dash(row.ended, secondsText(row.sum_ns)) },
		us('mean', 'Mean µs', (row) => row.sum_ns / row.ended), us('p50', '50 % µs', (row) => row.p50_ns), us('p95', '95 % µs', (row) => row.p95_ns),
		us('p99', '99 % µs', (row) => row.p99_ns), us('longest', 'Longest µs', (row) => row.longest_ns),
		{ key: 'name', title: 'Region', value: (row) => row.name, text: (row) => row.name },
		...meta.regions.some((region) => region.domain) ? [domain] : []];
}

/**
 * @param {string} kind
 * @param {Context} context
 * @param {import('./decode.js').Recording} recording
 * @returns {import('./table.js').Column[]}
 */
export function columnsOf(kind, context, recording) {
	const columns = makeColumns(context);
	if (kind === 'states')
		return stateColumns(recording.states, columns);
	if (kind === 'waits')
		return waitColumns(columns, recording);
	if (kind === 'regions')
		return regionColumns(columns, recording);
	return LAYOUTS[kind].map((key) => columns[key]);
}
