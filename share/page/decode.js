// SPDX-License-Identifier: Apache-2.0
// The page's data, from base64 to typed arrays: FORMAT.md.
import { gunzip } from './inflate.js';

/**
 * @typedef {object} MetricInfo
 * @property {string} id
 * @property {string} label
 * @property {string} unit
 * @property {number} unit_seconds
 * @property {number} scale
 * @property {boolean} exact
 * @property {boolean} known
 * @property {{samples: number, weight: number}} total
 * @property {{samples: number, weight: number}} all
 * @property {number} weight_unit
 * @property {number} units
 *
 * @typedef {object} Series one metric's samples
 * @property {Float64Array} ownSamples by node
 * @property {Float64Array} ownWeight by node
 * @property {Uint32Array} threadSlot by thread and one more: its first slot
 * @property {Uint32Array} slotTick
 * @property {Uint32Array} slotEntry by slot and one more: its first entry
 * @property {Uint32Array} entryNode
 * @property {Float64Array} entrySamples
 * @property {Float64Array} entryWeight
 *
 * @typedef {object} Recording
 * @property {any} meta as in FORMAT.md
 * @property {string[]} names by function
 * @property {Uint32Array} objectOf by function
 * @property {Uint32Array} parent by node
 * @property {Uint32Array} functionOf by node
 * @property {Uint8Array} inlined by node
 * @property {Uint32Array} firstChild by node, 0: none
 * @property {Uint32Array} nextSibling by node, 0: none
 * @property {Uint8Array} outermost by node: its function is not above it
 * @property {Series[]} series by metric
 */

/** @param {string} text base64 @returns {Uint8Array} */
export function bytesOfBase64(text) {
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/** @param {Uint8Array} packed gzip @returns {Promise<Uint8Array>} */
export async function expand(packed) {
	if (typeof DecompressionStream !== 'function')
		return gunzip(packed);
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads varints from one section after another. */
class SectionReader {
	/** @param {Uint8Array} bytes */
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 4;
	}

	varint() {
		let value = 0, scale = 1, byte;
		do {
			byte = this.bytes[this.at++];
			value += (byte & 0x7f) * scale;
			scale *= 128;
		} while (byte >= 0x80);
		return value;
	}

	/** The next section. */
	section() {
		const length = this.varint();
		this.at += length;
		return this.bytes.subarray(this.at - length, this.at);
	}

	/** The number of a column's numbers: bytes that end one. */
	static count(section) {
		let count = 0;
		for (let i = 0; i < section.length; i++)
			count += section[i] < 0x80 ? 1 : 0;
		return count;
	}

	/**
	 * The next section as a column.
	 * @template {Uint32Array|Float64Array} T
	 * @param {new (length: number) => T} type
	 * @returns {T}
	 */
	column(type) {
		const section = this.section();
		const out = new type(SectionReader.count(section));
		for (let at = 0, i = 0; at < section.length; i++) {
			let value = 0, scale = 1, byte;
			do {
				byte = section[at++];
				value += (byte & 0x7f) * scale;
				scale *= 128;
			} while (byte >= 0x80);
			out[i] = value;
		}
		return out;
	}
}

/** @param {number} value exact up to 2^53 */
function unzigzag(value) {
	return value % 2 ? -(value + 1) / 2 : value / 2;
}

/** @param {SectionReader} reader @returns {string[]} */
function readNames(reader) {
	const shared = reader.column(Uint32Array), lengths = reader.column(Uint32Array);
	const bytes = reader.section();
	const decoder = new TextDecoder();
	const names = new Array(shared.length);
	let name = new Uint8Array(256);
	for (let i = 0, at = 0; i < names.length; i++) {
		const end = shared[i] + lengths[i];
		if (end > name.length) {
			const longer = new Uint8Array(end * 2);
			longer.set(name);
			name = longer;
		}
		name.set(bytes.subarray(at, at + lengths[i]), shared[i]);
		at += lengths[i];
		names[i] = decoder.decode(name.subarray(0, end));
	}
	return names;
}

/** Each number, and that before it: where something begins. @param {Uint32Array} counts */
function starts(counts, extra) {
	const out = new Uint32Array(counts.length + 1);
	for (let i = 0; i < counts.length; i++)
		out[i + 1] = out[i] + counts[i] + extra;
	return out;
}

/** @param {Uint32Array} slotTick steps, which become ticks @param {Uint32Array} threadSlot */
function addTicks(slotTick, threadSlot) {
	for (let t = 0; t + 1 < threadSlot.length; t++)
		for (let s = threadSlot[t] + 1; s < threadSlot[t + 1]; s++)
			slotTick[s] += slotTick[s - 1];
}

/** @param {Float64Array} steps @param {Uint32Array} slotEntry @returns {Uint32Array} */
function addNodes(steps, slotEntry) {
	const nodes = new Uint32Array(steps.length);
	for (let s = 0, first = 0; s + 1 < slotEntry.length; s++) {
		let node = first += unzigzag(steps[slotEntry[s]]);
		nodes[slotEntry[s]] = node;
		for (let e = slotEntry[s] + 1; e < slotEntry[s + 1]; e++)
			nodes[e] = node += steps[e];
	}
	return nodes;
}

/** @param {SectionReader} reader @param {MetricInfo} metric @returns {Series} */
function readSeries(reader, metric) {
	const ownSamples = reader.column(Float64Array), ownWeight = reader.column(Float64Array);
	const threadSlot = starts(reader.column(Uint32Array), 0);
	const slotTick = reader.column(Uint32Array);
	const slotEntry = starts(reader.column(Uint32Array), 1);
	const entryNode = addNodes(reader.column(Float64Array), slotEntry);
	const entrySamples = reader.column(Float64Array), entryWeight = reader.column(Float64Array);
	addTicks(slotTick, threadSlot);
	for (let e = 0; e < entryWeight.length; e++)
		entryWeight[e] = (unzigzag(entryWeight[e]) + entrySamples[e] * metric.units) *
			metric.weight_unit;
	return { ownSamples, ownWeight, threadSlot, slotTick, slotEntry, entryNode, entrySamples,
		entryWeight };
}

/** Children in the order of their numbers. @param {Uint32Array} parent */
export function linkChildren(parent) {
	const firstChild = new Uint32Array(parent.length);
	const nextSibling = new Uint32Array(parent.length);
	for (let n = parent.length - 1; n > 0; n--) {
		nextSibling[n] = firstChild[parent[n]];
		firstChild[parent[n]] = n;
	}
	return { firstChild, nextSibling };
}

/**
 * Walks the tree without recursion: stacks may be thousands deep.
 * @returns {Uint8Array}
 */
export function findOutermost(functionOf, parent, firstChild, nextSibling, functions) {
	const open = new Uint32Array(functions);
	const outermost = new Uint8Array(parent.length);
	let node = firstChild[0];
	while (node) {
		const fn = functionOf[node];
		outermost[node] = open[fn]++ ? 0 : 1;
		if (firstChild[node]) {
			node = firstChild[node];
			continue;
		}
		open[fn]--;
		while (node && !nextSibling[node]) {
			node = parent[node];
			if (node)
				open[functionOf[node]]--;
		}
		node = node && nextSibling[node];
	}
	return outermost;
}

/** @param {Uint8Array} bytes @returns {Recording} */
export function decode(bytes) {
	const reader = new SectionReader(bytes);
	const meta = JSON.parse(new TextDecoder().decode(reader.section()));
	const names = readNames(reader);
	const objectOf = reader.column(Uint32Array);
	const ups = reader.column(Uint32Array), functions = reader.column(Uint32Array);
	const parent = new Uint32Array(meta.nodes);
	const functionOf = new Uint32Array(meta.nodes);
	const inlined = new Uint8Array(meta.nodes);
	for (let n = 1; n < meta.nodes; n++) {
		parent[n] = n - ups[n - 1];
		functionOf[n] = functions[n - 1] >>> 1;
		inlined[n] = functions[n - 1] & 1;
	}
	const { firstChild, nextSibling } = linkChildren(parent);
	const outermost = findOutermost(functionOf, parent, firstChild, nextSibling, names.length);
	const series = meta.metrics.map((metric) => readSeries(reader, metric));
	return { meta, names, objectOf, parent, functionOf, inlined, firstChild, nextSibling,
		outermost, series };
}
