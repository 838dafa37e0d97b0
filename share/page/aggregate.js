// SPDX-License-Identifier: Apache-2.0
// Sums over the selection: a span of time in some threads.

/** @typedef {import('./decode.js').Recording} Recording */

/**
 * @typedef {object} Selection
 * @property {number} metric
 * @property {?[number, number][]} span ticks, the second not included; in order and apart from
 *   each other; null: all time
 * @property {?Set<number>} threads null: all of them
 *
 * @typedef {object} Sums by node
 * @property {Float64Array} ownSamples
 * @property {Float64Array} ownWeight
 * @property {Float64Array} samples own and below
 * @property {Float64Array} weight
 */

/** The first index from low on whose value is at least limit. */
export function lowerBound(values, low, high, limit) {
	while (low < high) {
		const mid = (low + high) >> 1;
		if (values[mid] < limit)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/** The slots [first, end) of a thread in a span. */
export function slotsOf(series, thread, span) {
	const first = series.threadSlot[thread], end = series.threadSlot[thread + 1];
	if (!span)
		return [first, end];
	return [
		lowerBound(series.slotTick, first, end, span[0]),
		lowerBound(series.slotTick, first, end, span[1]),
	];
}

/** Calls FN with the first slot of each thread's part of the selection, and the one behind it. */
function forParts(recording, selection, fn) {
	const series = recording.series[selection.metric];
	for (let t = 0; series && t < recording.meta.threads.length; t++) {
		if (selection.threads && !selection.threads.has(t))
			continue;
		for (const span of selection.span || [null])
			fn(series, ...slotsOf(series, t, span), t);
	}
}

/** The same with entries. */
function forEntries(recording, selection, fn) {
	forParts(recording, selection, (series, first, end, t) => fn(series, series.slotEntry[first], series.slotEntry[end], t));
}

/** Adds the slots [first, end) to OUT by tag: what no further tag has is the first one's. */
function addTags(out, series, tags, first, end) {
	for (let s = first; s < end; s++)
		for (let e = series.slotEntry[s]; e < series.slotEntry[s + 1]; e++) {
			out.samples[tags.first[s]] += series.entrySamples[e];
			out.weight[tags.first[s]] += series.entryUnits[e] * series.unit;
		}
	for (let i = lowerBound(tags.slot, 0, tags.slot.length, first); i < tags.slot.length && tags.slot[i] < end; i++) {
		const rest = tags.first[tags.slot[i]];
		out.samples[tags.tag[i]] += tags.samples[i];
		out.weight[tags.tag[i]] += tags.weight[i];
		out.samples[rest] -= tags.samples[i];
		out.weight[rest] -= tags.weight[i];
	}
}

/**
 * The selection by CPU or region; null: only known of the whole recording.
 * @param {Recording} recording
 * @param {Selection} selection
 * @param {'cpus'|'regions'} which
 * @param {number} count tags are below
 */
export function sumTags(recording, selection, which, count) {
	const out = { samples: new Float64Array(count), weight: new Float64Array(count) };
	if (!recording.series[selection.metric]?.[which])
		return null;
	forParts(recording, selection, (series, first, end) => addTags(out, series, series[which], first, end));
	return out;
}

function addEntries(sums, series, nodes, first, end) {
	for (let e = first; e < end; e++) {
		sums.ownSamples[nodes[e]] += series.entrySamples[e];
		sums.ownWeight[nodes[e]] += series.entryUnits[e] * series.unit;
	}
}

/** Parents have smaller numbers: one pass from the end adds up all. */
export function sumUp(own, parent) {
	const total = own.slice();
	for (let n = total.length - 1; n > 0; n--)
		total[parent[n]] += total[n];
	return total;
}

/**
 * @param {Recording} recording
 * @param {Selection} selection
 * @param {Uint32Array} parent by node
 * @param {(series: import('./decode.js').Series) => import('./decode.js').Owners} ownersOf whose nodes these are
 * @returns {Sums}
 */
export function sumBy(recording, selection, parent, ownersOf) {
	const series = recording.series[selection.metric];
	const all = series && !selection.span && !selection.threads && ownersOf(series);
	const sums = {
		ownSamples: all ? all.ownSamples : new Float64Array(parent.length),
		ownWeight: all ? all.ownWeight : new Float64Array(parent.length),
	};
	if (!all)
		forEntries(recording, selection, (from, first, end) => addEntries(sums, from, ownersOf(from).entryNode, first, end));
	return { ...sums, samples: sumUp(sums.ownSamples, parent), weight: sumUp(sums.ownWeight, parent) };
}

/** @param {Recording} recording @param {Selection} selection */
export function sumNodes(recording, selection) {
	return sumBy(recording, selection, recording.parent, (series) => series);
}

/**
 * The weight of each thread in the nodes that MEMBER has.
 * @param {Recording} recording
 * @param {Selection} selection
 * @param {Uint8Array} member by node
 * @param {'entryUnits'|'entrySamples'} [what] the weight, or samples
 */
export function sumThreads(recording, selection, member, what = 'entryUnits') {
	const out = new Float64Array(recording.meta.threads.length);
	forEntries(recording, selection, (series, first, end, thread) => {
		for (let e = first; e < end; e++)
			if (member[series.entryNode[e]])
				out[thread] += series[what][e] * (what === 'entryUnits' ? series.unit : 1);
	});
	return out;
}

/**
 * Exclusive and inclusive by function; each sample counts once for a function.
 * @param {Recording} recording
 * @param {Sums} sums
 */
export function sumFunctions(recording, sums) {
	const count = recording.names.length;
	const out = {
		exclusiveSamples: new Float64Array(count),
		exclusiveWeight: new Float64Array(count),
		inclusiveSamples: new Float64Array(count),
		inclusiveWeight: new Float64Array(count),
	};
	for (let n = 1; n < recording.parent.length; n++) {
		const fn = recording.functionOf[n];
		out.exclusiveSamples[fn] += sums.ownSamples[n];
		out.exclusiveWeight[fn] += sums.ownWeight[n];
		if (!recording.outermost[n])
			continue;
		out.inclusiveSamples[fn] += sums.samples[n];
		out.inclusiveWeight[fn] += sums.weight[n];
	}
	return out;
}

function addTo(map, fn, samples, weight) {
	if (!samples && !weight)
		return;
	const row = map.get(fn) || { fn, samples: 0, weight: 0 };
	row.samples += samples;
	row.weight += weight;
	map.set(fn, row);
}

const byWeight = (a, b) => b.weight - a.weight || a.fn - b.fn;

/**
 * The callers and callees of a function, as er_print attributes them: in each sample the
 * innermost occurrence counts.
 * @param {Recording} recording
 * @param {Sums} sums
 * @param {number} fn
 */
export function callersCallees(recording, sums, fn) {
	const { parent, functionOf } = recording;
	// of the nearest nodes of FN below each node, or of it if it is one
	const within = { samples: new Float64Array(parent.length),
		weight: new Float64Array(parent.length) };
	const callers = new Map(), callees = new Map();
	for (let n = parent.length - 1; n > 0; n--) {
		const nested = { samples: within.samples[n], weight: within.weight[n] };
		if (functionOf[n] === fn) {
			addTo(callers, parent[n] ? functionOf[parent[n]] : -1,
				sums.samples[n] - nested.samples, sums.weight[n] - nested.weight);
			within.samples[n] = sums.samples[n];
			within.weight[n] = sums.weight[n];
		} else if (parent[n] && functionOf[parent[n]] === fn) {
			addTo(callees, functionOf[n], sums.samples[n] - nested.samples,
				sums.weight[n] - nested.weight);
		}
		within.samples[parent[n]] += within.samples[n];
		within.weight[parent[n]] += within.weight[n];
	}
	return { callers: [...callers.values()].sort(byWeight),
		callees: [...callees.values()].sort(byWeight) };
}

/**
 * The sum of a search: the samples whose stack has a function that matches, each once.
 * @param {Recording} recording
 * @param {Sums} sums
 * @param {Uint8Array} matches by function
 */
export function sumMatches(recording, sums, matches) {
	const { parent, functionOf } = recording;
	const covered = new Uint8Array(parent.length);
	let samples = 0, weight = 0;
	for (let n = 1; n < parent.length; n++) {
		const hit = matches[functionOf[n]];
		if (hit && !covered[parent[n]]) {
			samples += sums.samples[n];
			weight += sums.weight[n];
		}
		covered[n] = hit || covered[parent[n]] ? 1 : 0;
	}
	return { samples, weight };
}

/**
 * Calls FN with the tick and the weight of each slot of a thread.
 * @param {import('./decode.js').Series} series
 * @param {number} thread
 * @param {[number, number]} span ticks
 * @param {(tick: number, weight: number) => void} fn
 */
export function forSlots(series, thread, span, fn) {
	const [low, high] = slotsOf(series, thread, span);
	for (let s = low; s < high; s++) {
		let units = 0;
		for (let e = series.slotEntry[s]; e < series.slotEntry[s + 1]; e++)
			units += series.entryUnits[e];
		fn(series.slotTick[s], units * series.unit);
	}
}

/**
 * The weight in each of COUNT equal parts of the time from FIRST to END, of one thread.
 * @param {import('./decode.js').Series} series
 * @param {number} thread
 * @param {number} first a tick
 * @param {number} end a tick
 * @param {number} count
 * @param {Float64Array} [out] to which they are added
 * @returns {Float64Array}
 */
export function sumTime(series, thread, first, end, count, out = new Float64Array(count)) {
	forSlots(series, thread, [first, end], (tick, weight) => {
		// a tick may cover several parts: it is spread over them
		const from = (tick - first) * count / (end - first);
		const to = (tick + 1 - first) * count / (end - first);
		for (let p = Math.floor(from); p < to && p < count; p++)
			out[p] += weight * (Math.min(to, p + 1) - Math.max(from, p)) / (to - from);
	});
	return out;
}
