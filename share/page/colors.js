// SPDX-License-Identifier: Apache-2.0
// Colours of frames, from Okabe and Ito's palette, which people with any kind of colour vision
// can tell apart; lightened, so that black text is legible on each.  They mean the same in
// light and dark.

/** @typedef {import('./decode.js').Recording} Recording */

export const KINDS = [
	{ kind: 'program', label: 'program', color: '#f3bd5a' },
	{ kind: 'library', label: 'library', color: '#8fcdf0' },
	{ kind: 'kernel', label: 'kernel', color: '#dfa9c8' },
	{ kind: 'generated', label: 'generated code', color: '#6fcfae' },
	{ kind: 'unknown', label: 'unknown', color: '#c4c4c4' },
	{ kind: 'artificial', label: 'no code', color: '#f5ee9c' },
];

export const OBJECT_COLORS = ['#f3bd5a', '#8fcdf0', '#6fcfae', '#dfa9c8', '#f2a27c', '#9db7e4', '#d3d97a'];
export const OTHER_COLOR = '#c4c4c4';

/** "libc.so.6" */
export function objectName(path) {
	return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** A shared library is not the program; only the name distinguishes them. */
function kindOf(object) {
	if (object.kind !== 'file')
		return object.kind;
	return /\.so(\.|$)/.test(objectName(object.path)) ? 'library' : 'program';
}

/** By kind, which does not depend on the selection. @param {Recording} recording */
function colorsOfKinds({ objectOf, meta: { objects } }) {
	const kinds = objects.map((object) => KINDS.find((k) => k.kind === kindOf(object)) || KINDS[4]);
	const used = new Set();
	for (let fn = 0; fn < objectOf.length; fn++)
		used.add(kinds[objectOf[fn]]);
	return { of: kinds.map((kind) => kind.color), legend: KINDS.filter((kind) => used.has(kind)) };
}

/** The heaviest objects have colours of their own. @param {Recording} recording @param {Float64Array} weight by node */
function colorsOfObjects({ objectOf, functionOf, meta: { objects } }, weight) {
	const sums = new Float64Array(objects.length);
	for (let n = 1; n < weight.length; n++)
		sums[objectOf[functionOf[n]]] += weight[n];
	const order = objects.map((_, o) => o).filter((o) => sums[o] > 0)
		.sort((a, b) => sums[b] - sums[a]);
	const of = new Array(objects.length).fill(OTHER_COLOR);
	order.slice(0, OBJECT_COLORS.length).forEach((o, i) => { of[o] = OBJECT_COLORS[i]; });
	const legend = order.slice(0, OBJECT_COLORS.length).map((o) =>
		({ label: objectName(objects[o].path), color: of[o] }));
	if (order.length > legend.length)
		legend.push({ label: `${order.length - legend.length} others`, color: OTHER_COLOR });
	return { of, legend };
}

/**
 * The colour of each object, and the legend.
 * @param {Recording} recording
 * @param {string} by 'kind' or 'object'
 * @param {Float64Array} weight of stacks that end there, by node
 */
export function colorsOf(recording, by, weight) {
	return by === 'object' ? colorsOfObjects(recording, weight) : colorsOfKinds(recording);
}

/** <Truncated>, <Unsampled>, <Merged>: hatched wherever they are, not only coloured. */
export function isArtificial(recording, fn) {
	return recording.meta.objects[recording.objectOf[fn]].kind === 'artificial';
}
