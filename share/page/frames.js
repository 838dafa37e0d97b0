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
 * @property {number} ownSamples of stacks that end here; inverted: not known
 * @property {number} ownWeight
 * @property {boolean} inlined
 * @property {number[]} nodes of the recording's tree, where this frame is
 * @property {number[]} leaves inverted: where the stacks of NODES end
 * @property {?Frame[]} children by weight, the heaviest first; null: not made yet
 * @property {Float64Array} restSamples by child: of it and those behind it
 * @property {Float64Array} restWeight the same
 */

const NONE = new Float64Array(0);

/** @returns {Frame} */
function newFrame(fn, parent) {
	return { fn, parent, depth: parent ? parent.depth + 1 : 0, samples: 0, weight: 0,
		ownSamples: 0, ownWeight: 0, inlined: false, nodes: [], leaves: [], children: null, restSamples: NONE, restWeight: NONE };
}

/** @param {Map<number, Frame>} groups by function */
function setChildren(frame, groups) {
	const children = [...groups.values()].sort((a, b) => b.weight - a.weight || a.fn - b.fn);
	frame.restSamples = new Float64Array(children.length + 1);
	frame.restWeight = new Float64Array(children.length + 1);
	for (let i = children.length - 1; i >= 0; i--) {
		frame.restSamples[i] = frame.restSamples[i + 1] + children[i].samples;
		frame.restWeight[i] = frame.restWeight[i + 1] + children[i].weight;
	}
	frame.children = children;
	return children;
}

function childOf(groups, fn, parent) {
	let child = groups.get(fn);
	if (!child) {
		child = newFrame(fn, parent);
		groups.set(fn, child);
	}
	return child;
}

/** Where FN is called first on the way from the root: each sample below it counts once. */
function outermostNodes(recording, fn, has) {
	const out = [];
	for (let n = 1; n < recording.parent.length; n++)
		if (recording.functionOf[n] === fn && recording.outermost[n] && has(n))
			out.push(n);
	return out;
}

function addNode(frame, sums, n) {
	frame.nodes.push(n);
	frame.samples += sums.samples[n];
	frame.weight += sums.weight[n];
	frame.ownSamples += sums.ownSamples[n];
	frame.ownWeight += sums.ownWeight[n];
}

/** Callers above, callees below. */
export class CallTree {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./aggregate.js').Sums} sums
	 * @param {number} [fn] the tree below this function, wherever it was called from
	 * @param {?import('./aggregate.js').Sums} [base] what it is compared with
	 */
	constructor(recording, sums, fn = -1, base = null) {
		this.recording = recording;
		this.sums = sums;
		this.has = (n) => sums.weight[n] || base && base.weight[n];
		this.root = newFrame(fn, null);
		for (const n of fn < 0 ? [0] : outermostNodes(recording, fn, this.has))
			addNode(this.root, sums, n);
	}

	/** @param {Frame} frame @returns {Frame[]} */
	children(frame) {
		const { firstChild, nextSibling, functionOf, inlined } = this.recording;
		const groups = new Map();
		if (frame.children)
			return frame.children;
		for (const node of frame.nodes) {
			for (let n = firstChild[node]; n; n = nextSibling[n]) {
				if (!this.has(n))
					continue;
				const child = childOf(groups, functionOf[n], frame);
				child.inlined = Boolean(inlined[n]) && (child.inlined || !child.nodes.length);
				addNode(child, this.sums, n);
			}
		}
		return setChildren(frame, groups);
	}

	/** A node and a depth, from which frameAt finds the frame again. */
	static place(frame) {
		return `${frame.nodes[0]}.${frame.depth}`;
	}

	/** The functions from below the root to a place. */
	pathTo(node, depth) {
		const path = [];
		for (let n = node; n && path.length < depth; n = this.recording.parent[n])
			path.push(this.recording.functionOf[n]);
		return path.reverse();
	}
}

/** Inverted: what ran above, its callers below. */
export class CallerTree {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./aggregate.js').Sums} sums
	 * @param {number} [fn] the callers of this function, with all that is below it
	 * @param {?import('./aggregate.js').Sums} [base] what it is compared with
	 */
	constructor(recording, sums, fn = -1, base = null) {
		const which = fn < 0 ? 'ownWeight' : 'weight';
		const has = (n) => sums[which][n] || base && base[which][n];
		this.recording = recording;
		this.samples = fn < 0 ? sums.ownSamples : sums.samples;
		this.weight = sums[which];
		this.root = newFrame(fn, null);
		if (fn < 0) {
			for (let n = 1; n < recording.parent.length; n++)
				if (has(n))
					this.root.leaves.push(n);
		} else {
			this.root.leaves = outermostNodes(recording, fn, has);
			this.root.nodes = this.root.leaves;
		}
		for (const leaf of this.root.leaves) {
			this.root.samples += this.samples[leaf];
			this.root.weight += this.weight[leaf];
		}
		if (fn < 0) { // with those that have no stack
			this.root.samples = sums.samples[0];
			this.root.weight = sums.weight[0];
		}
	}

	/** @param {Frame} frame @returns {Frame[]} */
	children(frame) {
		const { parent, functionOf, inlined } = this.recording;
		const groups = new Map();
		if (frame.children)
			return frame.children;
		for (let i = 0; i < frame.leaves.length; i++) {
			const leaf = frame.leaves[i];
			const n = frame.nodes.length ? parent[frame.nodes[i]] : leaf;
			if (!n)
				continue;
			const child = childOf(groups, functionOf[n], frame);
			child.inlined = Boolean(inlined[n]) && (child.inlined || !child.nodes.length);
			child.nodes.push(n);
			child.leaves.push(leaf);
			child.samples += this.samples[leaf];
			child.weight += this.weight[leaf];
		}
		return setChildren(frame, groups);
	}

	static place(frame) {
		return `${frame.leaves[0]}.${frame.depth}`;
	}

	pathTo(node, depth) {
		const path = [];
		let n = this.root.nodes.length ? this.recording.parent[node] : node;
		for (; n && path.length < depth; n = this.recording.parent[n])
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
	let i = 0;
	for (; i < children.length && children[i].weight * scale >= LEAST_WIDTH; i++) {
		level.push(boxOf(x, children[i].weight * scale, children[i]));
		x += children[i].weight * scale;
	}
	// they are sorted: the rest is smaller
	const samples = box.frame.restSamples[i], weight = box.frame.restWeight[i];
	if (i < children.length && weight * scale >= 1)
		level.push({ x, width: weight * scale, frame: null, parent: box.frame, count: children.length - i, weight, samples });
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
