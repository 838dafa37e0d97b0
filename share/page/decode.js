// SPDX-License-Identifier: Apache-2.0
// The page's data, from text to typed arrays: FORMAT.md.
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
 * @property {boolean} state waits, or a sum with them
 * @property {number} each of a sum with waits: the weight behind a sample; else 0
 * @property {{samples: number, weight: number}} total
 * @property {{samples: number, weight: number}} all
 * @property {boolean} scaled from the part of the time in which it was counted
 * @property {number} sampled the weight of all, without <Unsampled>
 * @property {number} weight_unit
 * @property {number} units
 *
 * @typedef {Uint8Array|Uint16Array|Uint32Array|Float64Array} Numbers of as few bytes as all of them allow
 *
 * @typedef {object} Owners to which nodes samples belong
 * @property {Float64Array} ownSamples by node
 * @property {Float64Array} ownWeight by node
 * @property {Numbers} entryNode
 *
 * @typedef {object} Tags what slots are told apart by
 * @property {Numbers} first by slot: the tag of all that no further one has
 * @property {number[]} slot by further tag of a slot, in order
 * @property {number[]} tag
 * @property {number[]} samples
 * @property {number[]} weight
 *
 * @typedef {object} Series one metric's samples
 * @property {?Tags} cpus number + 1, 0: not known; null: only known of the whole recording
 * @property {?Tags} regions rows of meta's
 * @property {Float64Array} ownSamples by node
 * @property {Float64Array} ownWeight by node
 * @property {Owners} placed the same by the nodes of places
 * @property {Uint32Array} threadSlot by thread and one more: its first slot
 * @property {Uint32Array} slotTick
 * @property {Uint32Array} slotEntry by slot and one more: its first entry
 * @property {Numbers} entryNode
 * @property {Numbers} entrySamples
 * @property {Numbers} entryUnits the weight, in units of
 * @property {number} unit
 *
 * @typedef {object} Places nodes that are apart by where they are in the code, too
 * @property {Uint32Array} parent by such node
 * @property {Uint32Array} placeOf by such node, 0: none
 * @property {Uint32Array} instruction by place from 1: its number, 0: none
 * @property {Uint32Array} linesEnd by place: where its lines end, which begin where those of the place before end
 * @property {Uint32Array} lines their numbers, the outermost first, 0: not in the page
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
 * @property {any} code as in FORMAT.md
 * @property {?Places} places null: the code has the values of the whole recording alone
 * @property {?import('./states.js').States} states null: none were recorded
 * @property {?import('./regions.js').Regions} regions null: the program named none, or groups are compared
 * @property {?import('./waits.js').Waits} waits null: only known of the whole recording
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.[]*+-;,=>?@^_`{|}~';

/** Five characters are four bytes; the last group has one more than bytes. @param {string} text base85 @returns {Uint8Array} */
export function bytesOfBase85(text) {
	const digit = new Uint8Array(128), bytes = new Uint8Array(Math.ceil(text.length / 5) * 4);
	for (let i = 0; i < DIGITS.length; i++)
		digit[DIGITS.charCodeAt(i)] = i;
	for (let i = 0, to = 0; i < text.length; i += 5, to += 4) {
		let group = 0;
		for (let d = i; d < i + 5; d++)
			group = group * 85 + (d < text.length ? digit[text.charCodeAt(d)] : 84);
		bytes[to] = group >>> 24;
		bytes[to + 1] = group >>> 16;
		bytes[to + 2] = group >>> 8;
		bytes[to + 3] = group;
	}
	return bytes.subarray(0, Math.floor(text.length * 4 / 5));
}

/** @param {Uint8Array} packed gzip @returns {Promise<Uint8Array>} */
export async function expand(packed) {
	if (typeof DecompressionStream !== 'function')
		return gunzip(packed);
	const stream = new Blob([/** @type {any} */ (packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
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

	/** Whether the next section is a column of zeros; then it is read. */
	zeros() {
		const { at } = this;
		for (const byte of this.section())
			if (byte) {
				this.at = at;
				return false;
			}
		return true;
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
			let byte = section[at++], value = byte & 0x7f;
			for (let scale = 128; byte >= 0x80; scale *= 128) {
				byte = section[at++];
				value += (byte & 0x7f) * scale;
			}
			out[i] = value;
		}
		return out;
	}
}

/** @param {number} value exact up to 2^53 */
function unzigzag(value) {
	return value % 2 ? -(value + 1) / 2 : value / 2;
}

/** A decoder is slow to call: it takes many names at once. */
class NameDecoder {
	constructor() {
		this.decoder = new TextDecoder();
		this.block = new Uint8Array(1 << 16);
		this.used = 0;
		/** @type {string[]} */
		this.names = [];
		this.ends = []; // of those in the block
	}

	/** @param {Uint8Array} name */
	add(name) {
		if (name.length > this.block.length - this.used)
			this.flush();
		if (name.length > this.block.length) {
			this.names.push(this.decoder.decode(name));
			return;
		}
		this.block.set(name, this.used);
		this.ends.push(this.used += name.length);
	}

	flush() {
		const bytes = this.block.subarray(0, this.used), text = this.decoder.decode(bytes);
		// a character is a byte, unless there are others than ASCII's
		const from = text.length === bytes.length ? (start, end) => text.slice(start, end)
			: (start, end) => this.decoder.decode(bytes.subarray(start, end));
		this.ends.forEach((end, i) => this.names.push(from(i ? this.ends[i - 1] : 0, end)));
		this.ends = [];
		this.used = 0;
	}

	finish() {
		this.flush();
		return this.names;
	}
}

/** @param {SectionReader} reader @returns {string[]} */
function readNames(reader) {
	const shared = reader.column(Uint32Array), lengths = reader.column(Uint32Array);
	const bytes = reader.section();
	const names = new NameDecoder();
	let name = new Uint8Array(256);
	for (let i = 0, at = 0; i < shared.length; i++) {
		const end = shared[i] + lengths[i];
		if (end > name.length) {
			const longer = new Uint8Array(end * 2);
			longer.set(name);
			name = longer;
		}
		name.set(bytes.subarray(at, at + lengths[i]), shared[i]);
		at += lengths[i];
		names.add(name.subarray(0, end));
	}
	return names.finish();
}

/** Each number, and that before it: where something begins. @param {Uint32Array} counts */
function starts(counts, extra) {
	const out = new Uint32Array(counts.length + 1);
	for (let i = 0; i < counts.length; i++)
		out[i + 1] = out[i] + counts[i] + extra;
	return out;
}

/** @param {Uint32Array} steps which become ticks @param {Uint32Array} first by thread */
function addTicks(steps, first) {
	for (let t = 0; t + 1 < first.length; t++)
		for (let s = first[t] + 1; s < first[t + 1]; s++)
			steps[s] += steps[s - 1];
}

/** @param {Uint32Array} steps @param {Uint32Array} slotEntry @param {Numbers} nodes to write */
function addNodes(steps, slotEntry, nodes) {
	for (let s = 0, first = 0; s + 1 < slotEntry.length; s++) {
		let node = first += unzigzag(steps[slotEntry[s]]);
		nodes[slotEntry[s]] = node;
		for (let e = slotEntry[s] + 1; e < slotEntry[s + 1]; e++)
			nodes[e] = node += steps[e];
	}
	return nodes;
}

/** The type of the fewest bytes for whole numbers up to HIGHEST. */
function typeFor(highest) {
	return highest < 2 ** 8 ? Uint8Array : highest < 2 ** 16 ? Uint16Array : highest < 2 ** 32 ? Uint32Array : Float64Array;
}

/** @param {Float64Array|Uint32Array} numbers @returns {Numbers} */
function narrowed(numbers) {
	let highest = 0;
	for (let i = 0; i < numbers.length; i++)
		highest = Math.max(highest, numbers[i]);
	const type = typeFor(highest);
	return numbers instanceof type ? numbers : new type(numbers);
}

/**
 * The weights of entries: mostly there are as many units for each of their samples.
 * @param {SectionReader} reader
 * @param {MetricInfo} metric
 * @param {Numbers} entrySamples
 */
function readWeights(reader, metric, entrySamples) {
	if (reader.zeros())
		return { entryUnits: entrySamples, unit: metric.units * metric.weight_unit };
	const units = reader.column(Float64Array);
	for (let e = 0; e < units.length; e++)
		units[e] = unzigzag(units[e]) + entrySamples[e] * metric.units;
	return { entryUnits: narrowed(units), unit: metric.weight_unit };
}

/** @param {SectionReader} reader @returns {Numbers} */
function readPacked(reader) {
	const { at } = reader, section = reader.section();
	if (SectionReader.count(section) === section.length)
		return section.slice(); // a byte each
	reader.at = at;
	return narrowed(reader.column(Float64Array));
}

/** @param {SectionReader} reader @param {MetricInfo} metric @param {number} nodes @returns {Series} */
function readSeries(reader, metric, nodes) {
	const threadSlot = starts(reader.column(Uint32Array), 0);
	const slotTick = reader.column(Uint32Array);
	const slotEntry = starts(reader.column(Uint32Array), 1);
	const steps = reader.column(Uint32Array);
	const entryNode = addNodes(steps, slotEntry, new (typeFor(nodes))(steps.length));
	const entrySamples = readPacked(reader);
	const weights = readWeights(reader, metric, entrySamples);
	const ownSamples = new Float64Array(nodes), ownWeight = reader.column(Float64Array).map(unzigzag);
	for (let e = 0; e < entryNode.length; e++) {
		ownSamples[entryNode[e]] += entrySamples[e];
		ownWeight[entryNode[e]] += weights.entryUnits[e] * weights.unit;
	}
	addTicks(slotTick, threadSlot);
	return { ownSamples, ownWeight, cpus: null, regions: null, placed: { ownSamples, ownWeight, entryNode }, threadSlot, slotTick, slotEntry, entryNode,
		entrySamples, ...weights };
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

/** @param {SectionReader} reader @returns {?import('./states.js').States} */
function readStates(reader, meta) {
	const first = starts(reader.column(Uint32Array), 0);
	const gap = reader.column(Uint32Array), length = reader.column(Uint32Array), short = reader.column(Float64Array);
	const from = gap, end = length, ns = short; // each column becomes what is kept
	const { kinds, bucket_ticks } = meta.states;
	const bucketNs = bucket_ticks * meta.tick_ns;
	for (let group = 0; group + 1 < first.length; group++) {
		let at = 0;
		for (let r = first[group]; r < first[group + 1]; r++) {
			const buckets = length[r] + 1;
			at += gap[r];
			ns[r] = (bucketNs - short[r]) * buckets;
			from[r] = at * bucket_ticks;
			at += buckets;
			end[r] = Math.min(at * bucket_ticks, meta.ticks);
		}
	}
	return kinds.length ? { kinds, first, from, end, ns } : null;
}

/** @param {SectionReader} reader @returns {?import('./regions.js').Regions} */
function readRegions(reader, meta) {
	const first = starts(reader.column(Uint32Array), 0), row = reader.column(Uint32Array);
	const begin = reader.column(Float64Array), end = reader.column(Float64Array); // steps and lengths, in microseconds
	let depth = 1;
	for (let t = 0; t + 1 < first.length; t++)
		for (let i = first[t], us = 0; i < first[t + 1]; i++) {
			us += begin[i];
			begin[i] = us * 1000 / meta.tick_ns;
			end[i] = (us + end[i]) * 1000 / meta.tick_ns;
			depth = Math.max(depth, meta.regions[row[i]].depth);
		}
	return meta.regions.length ? { first, row, begin, end, depth } : null;
}

/** @param {SectionReader} reader @returns {?import('./waits.js').Waits} */
function readWaits(reader) {
	const first = starts(reader.column(Uint32Array), 0);
	const tick = reader.column(Uint32Array), row = reader.column(Uint32Array);
	const count = reader.column(Uint32Array).map((others) => others + 1);
	const ns = reader.column(Float64Array), several = reader.column(Float64Array);
	const longest = ns.slice();
	addTicks(tick, first);
	for (let e = 0, at = 0; e < count.length; e++)
		if (count[e] > 1)
			longest[e] = several[at++];
	return first.length > 1 ? { first, tick, row, count, ns, longest, single: !several.length } : null;
}

/** @param {SectionReader} reader @param {Uint32Array} parent @returns {?Places} */
function readPlaces(reader, parent) {
	const of = reader.column(Uint32Array), instruction = reader.column(Uint32Array);
	const linesEnd = starts(reader.column(Uint32Array), 0), lines = reader.column(Uint32Array);
	const placeOf = new Uint32Array(parent.length);
	placeOf.set(of, 1);
	return of.length ? { parent, placeOf, instruction, linesEnd, lines } : null;
}

/** @param {SectionReader} reader */
function readNodes(reader, count) {
	const levels = reader.column(Uint32Array), functions = reader.column(Uint32Array);
	const parent = new Uint32Array(count);
	const functionOf = new Uint32Array(count);
	const inlined = new Uint8Array(count);
	for (let n = 1; n < count; n++) {
		parent[n] = n - 1;
		for (let up = levels[n - 1]; up > 0; up--)
			parent[n] = parent[parent[n]];
		functionOf[n] = functions[n - 1] >>> 1;
		inlined[n] = functions[n - 1] & 1;
	}
	return { parent, functionOf, inlined };
}

/**
 * Makes one node of all with the same functions, which keep the order of the first of them.
 * @param {{parent: Uint32Array, functionOf: Uint32Array, inlined: Uint8Array}} nodes
 */
function joinAlike(nodes, functions) {
	const nodeOf = new Uint32Array(nodes.parent.length);
	const parent = [0], functionOf = [0], inlined = [0], known = new Map();
	for (let n = 1; n < nodeOf.length; n++) {
		const above = nodeOf[nodes.parent[n]], fn = nodes.functionOf[n], key = above * functions + fn;
		const next = parent.length, node = known.get(key) || next;
		nodeOf[n] = node;
		known.set(key, node);
		parent[node] = above;
		functionOf[node] = fn;
		inlined[node] = nodes.inlined[n] & (node < next ? inlined[node] : 1);
	}
	return { nodeOf, parent: Uint32Array.from(parent), functionOf: Uint32Array.from(functionOf), inlined: Uint8Array.from(inlined) };
}

/** What SERIES has by the nodes that NODE_OF has for those of places. @param {Series} series */
function byNode(series, nodeOf, count) {
	const { placed } = series;
	const ownSamples = new Float64Array(count), ownWeight = new Float64Array(count);
	const entryNode = new (typeFor(count))(placed.entryNode.length);
	nodeOf.forEach((node, n) => {
		ownSamples[node] += placed.ownSamples[n];
		ownWeight[node] += placed.ownWeight[n];
	});
	for (let e = 0; e < entryNode.length; e++)
		entryNode[e] = nodeOf[placed.entryNode[e]];
	return { ...series, ownSamples, ownWeight, entryNode };
}

/** @param {SectionReader} reader @param {MetricInfo} metric @param {number} slots @returns {?Tags} */
function readTags(reader, metric, slots) {
	const numbers = reader.column(Float64Array);
	const first = new Float64Array(slots), out = { slot: [], tag: [], samples: [], weight: [] };
	if (!numbers.length)
		return null;
	for (let s = 0, at = 0, tag = 0; s < slots; s++) {
		const step = numbers[at++];
		first[s] = tag += unzigzag(Math.floor(step / 2));
		for (let more = step % 2 ? numbers[at++] + 1 : 0; more > 0; more--) {
			const samples = numbers[at + 1];
			out.slot.push(s);
			out.tag.push(numbers[at]);
			out.samples.push(samples);
			out.weight.push((unzigzag(numbers[at + 2]) + samples * metric.units) * metric.weight_unit);
			at += 3;
		}
	}
	return { ...out, first: narrowed(first) };
}

/** @param {Uint8Array} bytes @returns {Recording} */
export function decode(bytes) {
	const reader = new SectionReader(bytes);
	const meta = JSON.parse(new TextDecoder().decode(reader.section()));
	const names = readNames(reader);
	const objectOf = reader.column(Uint32Array);
	const nodes = readNodes(reader, meta.nodes);
	const series = meta.metrics.map((metric) => readSeries(reader, metric, meta.nodes));
	const code = JSON.parse(new TextDecoder().decode(reader.section()));
	const states = readStates(reader, meta);
	const regions = readRegions(reader, meta);
	const places = readPlaces(reader, nodes.parent);
	series.forEach((one, m) => {
		one.cpus = readTags(reader, meta.metrics[m], one.slotTick.length);
		one.regions = readTags(reader, meta.metrics[m], one.slotTick.length);
	});
	const waits = readWaits(reader);
	const joined = places && joinAlike(nodes, names.length);
	const { parent, functionOf, inlined } = joined || nodes;
	const { firstChild, nextSibling } = linkChildren(parent);
	const outermost = findOutermost(functionOf, parent, firstChild, nextSibling, names.length);
	return { meta, names, objectOf, parent, functionOf, inlined, firstChild, nextSibling, outermost,
		series: joined ? series.map((one) => byNode(one, joined.nodeOf, parent.length)) : series, code, places, states, regions, waits };
}
