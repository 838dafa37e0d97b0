// SPDX-License-Identifier: Apache-2.0
// The frames of a flame graph: nodes of the call tree, merged by function, made when they are
// first looked at.  Nothing here is recursive: stacks may be thousands deep.

/**
 * @typedef {object} Frame
 * @property {number} fn -1: all
 * @property {?Frame} parent
 * @property {number} depth of the root: 0
 * @property {number} samples
 * @property {number} weight
 * @property {boolean} inlined
 * @property {number[]} nodes of the recording's tree, where this frame is
 * @property {number[]} leaves inverted: where the stacks of NODES end
 * @property {?Frame[]} children by weight; null: not made yet
 */

/** @returns {Frame} */
function newFrame(fn, parent) {
	return { fn, parent, depth: parent ? parent.depth + 1 : 0, samples: 0, weight: 0,
		inlined: false, nodes: [], leaves: [], children: null };
}

function sortedChildren(groups) {
	return [...groups.values()].sort((a, b) => b.weight - a.weight || a.fn - b.fn);
}

function childOf(groups, fn, parent) {
	let child = groups.get(fn);
	if (!child) {
		child = newFrame(fn, parent);
		groups.set(fn, child);
	}
	return child;
}

/** Callers above, callees below. */
export class CallTree {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./aggregate.js').Sums} sums
	 */
	constructor(recording, sums) {
		this.recording = recording;
		this.sums = sums;
		this.root = newFrame(-1, null);
		this.root.nodes = [0];
		this.root.samples = sums.samples[0];
		this.root.weight = sums.weight[0];
	}

	/** @param {Frame} frame @returns {Frame[]} */
	children(frame) {
		const { firstChild, nextSibling, functionOf, inlined } = this.recording;
		const groups = new Map();
		if (frame.children)
			return frame.children;
		for (const node of frame.nodes) {
			for (let n = firstChild[node]; n; n = nextSibling[n]) {
				if (!this.sums.weight[n])
					continue;
				const child = childOf(groups, functionOf[n], frame);
				child.inlined = Boolean(inlined[n]) && (child.inlined || !child.nodes.length);
				child.nodes.push(n);
				child.samples += this.sums.samples[n];
				child.weight += this.sums.weight[n];
			}
		}
		frame.children = sortedChildren(groups);
		return frame.children;
	}

	/** A node and a depth, from which framesTo finds the frame again. */
	static place(frame) {
		return `${frame.nodes[0]}.${frame.depth}`;
	}

	/** The functions from the root to a place. */
	pathTo(node) {
		const path = [];
		for (let n = node; n; n = this.recording.parent[n])
			path.push(this.recording.functionOf[n]);
		return path.reverse();
	}
}

/** Inverted: what ran above, its callers below. */
export class CallerTree {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./aggregate.js').Sums} sums
	 */
	constructor(recording, sums) {
		this.recording = recording;
		this.sums = sums;
		this.root = newFrame(-1, null);
		for (let n = 1; n < recording.parent.length; n++)
			if (sums.ownWeight[n])
				this.root.leaves.push(n);
		this.root.samples = sums.samples[0];
		this.root.weight = sums.weight[0];
	}

	/** @param {Frame} frame @returns {Frame[]} */
	children(frame) {
		const { parent, functionOf, inlined } = this.recording;
		const groups = new Map();
		if (frame.children)
			return frame.children;
		for (let i = 0; i < frame.leaves.length; i++) {
			const leaf = frame.leaves[i];
			const n = frame.parent ? parent[frame.nodes[i]] : leaf;
			if (!n)
				continue;
			const child = childOf(groups, functionOf[n], frame);
			child.inlined = Boolean(inlined[n]) && (child.inlined || !child.nodes.length);
			child.nodes.push(n);
			child.leaves.push(leaf);
			child.samples += this.sums.ownSamples[leaf];
			child.weight += this.sums.ownWeight[leaf];
		}
		frame.children = sortedChildren(groups);
		return frame.children;
	}

	static place(frame) {
		return `${frame.leaves[0]}.${frame.depth}`;
	}

	pathTo(node, depth) {
		const path = [];
		for (let n = node; n && path.length < depth; n = this.recording.parent[n])
			path.push(this.recording.functionOf[n]);
		return path;
	}
}

/** The frame at a place, or the last one on the way there that has samples. */
export function frameAt(tree, place) {
	const [node, depth] = place.split('.').map(Number);
	let frame = tree.root;
	if (!(node > 0 && node < tree.recording.parent.length && depth > 0))
		return frame;
	for (const fn of tree.pathTo(node, depth)) {
		const next = tree.children(frame).find((child) => child.fn === fn);
		if (!next)
			break;
		frame = next;
	}
	return frame;
}

/**
 * @typedef {object} Box a frame on the screen, or several small ones that stand together
 * @property {number} x
 * @property {number} width
 * @property {?Frame} frame null: several
 * @property {Frame} parent of several
 * @property {number} count how many
 * @property {number} weight
 * @property {number} samples
 */

const LEAST_WIDTH = 3; // what is narrower is gathered

function boxOf(x, width, frame) {
	return { x, width, frame, parent: frame.parent, count: 1, weight: frame.weight,
		samples: frame.samples };
}

function addChildren(tree, box, scale, level) {
	let x = box.x;
	const children = tree.children(box.frame);
	for (let i = 0; i < children.length; i++) {
		const width = children[i].weight * scale;
		if (width >= LEAST_WIDTH) {
			level.push(boxOf(x, width, children[i]));
			x += width;
			continue;
		}
		// they are sorted: the rest is smaller
		const rest = { x, width: 0, frame: null, parent: box.frame, count: children.length - i,
			weight: 0, samples: 0 };
		for (; i < children.length; i++) {
			rest.weight += children[i].weight;
			rest.samples += children[i].samples;
		}
		rest.width = rest.weight * scale;
		if (rest.width >= 1)
			level.push(rest);
	}
}

/**
 * The boxes of each level below the root; those above ZOOM are as wide as all.
 * @param {CallTree|CallerTree} tree
 * @param {Frame} zoom
 * @param {number} width
 * @returns {Box[][]}
 */
export function layOut(tree, zoom, width) {
	const levels = [];
	for (let frame = zoom; frame; frame = frame.parent)
		levels.push([boxOf(0, width, frame)]);
	levels.reverse();
	const scale = zoom.weight > 0 ? width / zoom.weight : 0;
	for (let level = levels[levels.length - 1]; level.length;) {
		const next = [];
		for (const box of level)
			if (box.frame)
				addChildren(tree, box, scale, next);
		if (next.length)
			levels.push(next);
		level = next;
	}
	return levels;
}
