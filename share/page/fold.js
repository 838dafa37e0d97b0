// SPDX-License-Identifier: Apache-2.0
// Recursion folded: a stack that comes back to a function continues from that function's first
// occurrence, so main;a;b;a;c becomes main;a;c.  What is made is a recording again, of fewer
// nodes, so every tree works on it.
import { findOutermost, linkChildren } from './decode.js';

/** @typedef {import('./decode.js').Recording} Recording */

/** The node of FN among AT and those above it, 0: none. */
function above(parent, functionOf, at, fn) {
	while (at && functionOf[at] !== fn)
		at = parent[at];
	return at;
}

/**
 * @param {Recording} recording
 * @returns {{recording: Recording, nodeOf: Uint32Array}} nodeOf: by node of RECORDING
 */
export function foldRecursion(recording) {
	const count = recording.parent.length;
	const nodeOf = new Uint32Array(count);
	const parent = new Uint32Array(count), functionOf = new Uint32Array(count);
	const inlined = new Uint8Array(count);
	const children = new Map(); // parent and function → node
	let nodes = 1;
	for (let n = 1; n < count; n++) {
		const up = nodeOf[recording.parent[n]], fn = recording.functionOf[n];
		const key = up * recording.names.length + fn;
		let node = children.get(key) || above(parent, functionOf, up, fn);
		if (!node) {
			node = nodes++;
			parent[node] = up;
			functionOf[node] = fn;
			inlined[node] = recording.inlined[n];
		}
		children.set(key, node);
		inlined[node] &= recording.inlined[n];
		nodeOf[n] = node;
	}
	const cut = { parent: parent.slice(0, nodes), functionOf: functionOf.slice(0, nodes),
		inlined: inlined.slice(0, nodes) };
	const { firstChild, nextSibling } = linkChildren(cut.parent);
	const outermost = findOutermost(cut.functionOf, cut.parent, firstChild, nextSibling,
		recording.names.length);
	return { recording: { ...recording, ...cut, firstChild, nextSibling, outermost }, nodeOf };
}

function fold(values, nodeOf, count) {
	const out = new Float64Array(count);
	for (let n = 0; n < values.length; n++)
		out[nodeOf[n]] += values[n];
	return out;
}

/** @param {import('./aggregate.js').Sums} sums @param {Uint32Array} nodeOf */
export function foldOwn(sums, nodeOf, count) {
	return { ownSamples: fold(sums.ownSamples, nodeOf, count),
		ownWeight: fold(sums.ownWeight, nodeOf, count) };
}
