// SPDX-License-Identifier: Apache-2.0
// Regions that the program names: their table, and the instances of each on the threads.

import { sumTags } from './aggregate.js';
import { joinSpans } from './state.js';

/**
 * @typedef {object} Regions
 * @property {Uint32Array} first by thread and one more: its first instance; one comes before those in it
 * @property {Uint32Array} row by instance: which of meta.regions it is
 * @property {Float64Array} begin in ticks
 * @property {Float64Array} end
 * @property {number} depth how many are in one another at most
 */

const INSTANCES_MOST = 500; // spans that can be selected at once

/** The names of those around it, and its own. @param {any} meta */
export function branchOf(meta, row) {
	const names = [];
	let at = row;
	do {
		names.push(meta.regions[at].name);
		at = meta.regions[at].parent;
	} while (at);
	return names.reverse().join(' ');
}

/** Exclusive and inclusive, by row; rows come after those around them. @returns {?number[][]} null: only known of the whole recording */
function sumRegions(recording, selection) {
	const { regions } = recording.meta;
	const own = sumTags(recording, selection, 'regions', regions.length);
	const values = own && regions.map((_, row) => [own.samples[row], own.weight[row], own.samples[row], own.weight[row]]);
	for (let row = regions.length - 1; values && row > 0; row--) {
		const around = regions[row].parent ? values[regions[row].parent] : [];
		around[2] += values[row][2];
		around[3] += values[row][3];
	}
	return values;
}

/** Samples outside of all of them too, of the selection; instances are those of the whole recording. */
export function regionRows(recording, selection) {
	const { meta } = recording;
	const sums = (selection.span || selection.threads) && sumRegions(recording, selection);
	return meta.regions.map((region, row) => {
		const [ownSamples, ownWeight, samples, weight] = sums ? sums[row] : region.values.slice(4 * selection.metric);
		return { ...region, region: row, name: branchOf(meta, row), process: region.domain, ownSamples, ownWeight, samples, weight };
	});
}

/** The threads and the time of a region's instances, of many the longest. @param {Regions} regions */
export function instancesOf(regions, row) {
	const found = [], threads = new Set();
	for (let t = 0; t + 1 < regions.first.length; t++)
		for (let i = regions.first[t]; i < regions.first[t + 1]; i++)
			if (regions.row[i] === row)
				found.push({ t, i });
	found.sort((a, b) => regions.end[b.i] - regions.begin[b.i] - (regions.end[a.i] - regions.begin[a.i]) || a.i - b.i);
	for (const { t } of found.slice(0, INSTANCES_MOST))
		threads.add(t);
	return { threads, span: joinSpans(found.slice(0, INSTANCES_MOST).map(({ i }) => ticksOfInstance(regions, i))) };
}

/** Whole ticks. @param {Regions} regions @returns {[number, number]} */
export function ticksOfInstance(regions, i) {
	const from = Math.floor(regions.begin[i]);
	return [from, Math.max(from + 1, Math.ceil(regions.end[i]))];
}
