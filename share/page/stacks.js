// SPDX-License-Identifier: Apache-2.0
// The trees of the selection that several views show, made when first asked for: as recorded
// or with recursion folded, from the root or from what ran, of all or around one function.
import { sumThreads, sumUp } from './aggregate.js';
import { foldOwn, foldRecursion } from './fold.js';
import { CallTree, CallerTree } from './frames.js';

/** @typedef {import('./aggregate.js').Sums} Sums */

export class Stacks {
	/** @param {import('./decode.js').Recording} recording */
	constructor(recording) {
		this.recording = recording;
		this.folded = null; // the recording, once it was asked for
	}

	/** @param {Sums} sums of the selection @param {?Sums} base what it is compared with */
	setSums(sums, base) {
		this.plain = { recording: this.recording, sums, base };
		this.flat = null;
		this.foldedRuns = new Map();
		this.trees = new Map();
	}

	/** The recording and its sums. @param {boolean} fold */
	of(fold) {
		if (!fold)
			return this.plain;
		this.folded ||= foldRecursion(this.recording);
		this.flat ||= { recording: this.folded.recording, sums: this.fold(this.plain.sums),
			base: this.plain.base && this.fold(this.plain.base) };
		return this.flat;
	}

	fold(sums) {
		const { parent } = this.folded.recording;
		const own = foldOwn(sums, this.folded.nodeOf, parent.length);
		return { ...own, samples: sumUp(own.ownSamples, parent), weight: sumUp(own.ownWeight, parent) };
	}

	/**
	 * @param {object} which
	 * @param {boolean} which.fold
	 * @param {boolean} which.inverted
	 * @param {number} [which.fn] around this function
	 * @returns {any} a tree
	 */
	tree({ fold, inverted, fn = -1 }) {
		const key = `${fold}.${inverted}.${fn}`;
		let tree = this.trees.get(key);
		if (!tree) {
			const { recording, sums, base } = this.of(fold);
			tree = new (inverted ? CallerTree : CallTree)(recording, sums, fn, base);
			this.trees.set(key, tree);
		}
		return tree;
	}

	/** The change of a frame since what the selection is compared with. */
	changeOf(frame, which, change) {
		const { base } = this.of(which.fold);
		return change.of(frame, { samples: this.sumOf(frame, which, base, 'samples'),
			weight: this.sumOf(frame, which, base, 'weight') },
		(run) => this.sumOf(frame, which, this.runOf(run, which.fold), 'weight'));
	}

	/** A run's sums, by the nodes of folded stacks if FOLD. */
	runOf(run, fold) {
		if (!fold)
			return run;
		let sums = this.foldedRuns.get(run);
		if (!sums)
			sums = this.fold(run);
		this.foldedRuns.set(run, sums);
		return sums;
	}

	/** What SUMS have of a frame; WHAT: 'samples' or 'weight'. */
	sumOf(frame, { inverted, fn = -1 }, sums, what) {
		const own = what === 'weight' ? sums.ownWeight : sums.ownSamples;
		const of = inverted && fn < 0 ? own : sums[what];
		if (frame.fn < 0)
			return sums[what][0];
		return (inverted ? frame.leaves : frame.nodes).reduce((sum, n) => sum + of[n], 0);
	}

	/** By node of the recording: its samples are in FRAME. */
	members(frame, { fold, inverted, fn = -1 }) {
		const { recording } = this.of(fold);
		const { parent } = recording;
		const member = new Uint8Array(parent.length);
		for (const n of inverted ? frame.leaves : frame.nodes)
			member[n] = 1;
		if (!inverted || fn >= 0)
			for (let n = 1; n < parent.length; n++)
				member[n] |= member[parent[n]];
		return fold ? Uint8Array.from(this.folded.nodeOf, (n) => member[n]) : member;
	}

	/** The threads of the selection that are in a frame, by weight. */
	threadsOf(frame, which, selection) {
		const weight = sumThreads(this.recording, selection, this.members(frame, which));
		return Array.from(weight, (w, thread) => ({ thread, weight: w })).filter((row) => row.weight > 0)
			.sort((a, b) => b.weight - a.weight || a.thread - b.thread);
	}
}
