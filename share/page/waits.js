// SPDX-License-Identifier: Apache-2.0
// What threads waited for, by cause and place: of a selection from the waits in the page, as er_print has it.
import { lowerBound } from './aggregate.js';
import { countText } from './dom.js';
import { sumStates } from './states.js';

/**
 * @typedef {object} Waits each wait, or several of a thread in one row and one tick
 * @property {Uint32Array} first by thread and one more: its first entry
 * @property {Uint32Array} tick by entry: when it ended
 * @property {Uint32Array} row of meta.waits
 * @property {Uint32Array} count
 * @property {Float64Array} ns
 * @property {Float64Array} longest
 * @property {boolean} single no entry has several
 *
 * @typedef {object} WaitSums as meta.waits
 * @property {number} life_ns
 * @property {number} idle_ns
 * @property {number} idle_threads
 * @property {any[]} rows
 */

/** The entries of a thread in one row. */
class Stay {
	constructor(row) {
		this.row = row;
		this.ns = 0;
		this.entries = [];
	}

	add(waits, e) {
		this.ns += waits.ns[e];
		this.entries.push(e);
	}
}

/** By row. @param {Waits} waits @returns {Map<number, Stay>} */
function staysOf(waits, thread, spans) {
	const stays = new Map();
	for (const [from, to] of spans) {
		const end = waits.first[thread + 1];
		for (let e = lowerBound(waits.tick, waits.first[thread], end, from); e < end && waits.tick[e] < to; e++) {
			const row = waits.row[e];
			if (!stays.has(row))
				stays.set(row, new Stay(row));
			stays.get(row).add(waits, e);
		}
	}
	return stays;
}

/** Durations from START up to START + WIDTH are as good as equal: er_print shows their mean. */
function partOf(ns) {
	let width = 1;
	while (ns / width >= 256)
		width *= 2;
	return { start: Math.floor(ns / width) * width, width };
}

/** The nearest rank. @param {Float64Array} sorted at least one */
function quantile(sorted, percent) {
	const { start, width } = partOf(sorted[Math.ceil(sorted.length * percent / 100) - 1]);
	const alike = sorted.filter((ns) => ns >= start && ns < start + width);
	return Math.floor(alike.reduce((sum, ns) => sum + ns, 0) / alike.length);
}

/** What its waits are: percentiles if each of them is known. @param {Waits} waits @param {Stay[]} stays */
function rowOf(meta, waits, stays) {
	const entries = stays.flatMap((stay) => stay.entries);
	const sorted = waits.single ? Float64Array.from(entries, (e) => waits.ns[e]).sort() : null;
	const at = (percent) => sorted && quantile(sorted, percent);
	return { ...meta, sum_ns: stays.reduce((sum, { ns }) => sum + ns, 0),
		count: entries.reduce((sum, e) => sum + waits.count[e], 0),
		p50_ns: at(50), p95_ns: at(95), p99_ns: at(99),
		longest_ns: entries.reduce((longest, e) => Math.max(longest, waits.longest[e]), 0) };
}

/** A thread that is in one row for most of its life waits for work, unless all do. */
function sumStays(recording, stays) {
	const { waits: meta, ticks } = recording.meta;
	const idle = new Set(), rows = new Map();
	for (const [thread, of] of stays) {
		const { life } = sumStates(recording.states, thread, [[0, ticks]]);
		for (const stay of of.values())
			if (meta.rows[stay.row].may_idle && stay.ns * 100 >= life * meta.idle_percent)
				idle.add(stay);
	}
	const all = [...stays.values()].flatMap((of) => [...of.values()]);
	if (idle.size === all.length)
		idle.clear();
	for (const stay of all)
		if (!idle.has(stay))
			rows.set(stay.row, [...rows.get(stay.row) || [], stay]);
	return { life_ns: meta.life_ns, idle_threads: idle.size, idle_ns: [...idle].reduce((sum, { ns }) => sum + ns, 0),
		rows: [...rows].map(([row, those]) => rowOf(meta.rows[row], recording.waits, those)) };
}

/**
 * Of the waits that ended in the selection; of the whole recording, if the page has no others.
 * @param {import('./decode.js').Recording} recording
 * @param {import('./aggregate.js').Selection} selection
 * @returns {WaitSums}
 */
export function sumWaits(recording, { span, threads }) {
	const { waits, meta } = recording, stays = new Map();
	if (!waits || !span && !threads)
		return meta.waits;
	for (let t = 0; t < meta.threads.length; t++)
		if (!threads || threads.has(t))
			stays.set(t, staysOf(waits, t, span || [[0, meta.ticks]]));
	return sumStays(recording, stays);
}

/** Rows of a table. @param {import('./decode.js').Recording} recording @param {WaitSums} sums */
export function waitRows({ meta }, sums) {
	return sums.rows.filter((row) => row.count).map((row) => ({ ...row,
		wait: meta.states.kinds.find((kind) => kind.label === row.state)?.id,
		object: row.object === undefined ? '' : meta.objects[row.object].path, share: row.sum_ns / sums.life_ns }));
}

/** What the table leaves out. @param {import('./decode.js').Recording} recording @param {WaitSums} sums */
export function waitsLeftOut({ meta }, { idle_ns, idle_threads }) {
	const { left_out } = meta.waits;
	return (idle_threads ? `; without ${(idle_ns / 1e9).toFixed(3)} s of ${countText(idle_threads)} idle thread${idle_threads === 1 ? '' : 's'}` : '') +
		(left_out ? `; without ${countText(left_out)} that have least` : '');
}
