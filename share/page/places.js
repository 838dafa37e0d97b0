// SPDX-License-Identifier: Apache-2.0
// What lines and instructions have in a selection: stacks are told apart by where they are in these.
import { sumBy } from './aggregate.js';
import { findOutermost, linkChildren } from './decode.js';

/**
 * @typedef {object} Values by number of a line or an instruction
 * @property {Float64Array} ownSamples
 * @property {Float64Array} ownWeight
 * @property {Float64Array} samples of stacks that pass there, each counted once
 * @property {Float64Array} weight
 *
 * @typedef {{lines: Values, instructions: Values}} Sums
 */

/** @returns {Values} */
function noValues(count) {
	return { ownSamples: new Float64Array(count), ownWeight: new Float64Array(count),
		samples: new Float64Array(count), weight: new Float64Array(count) };
}

/** One kind of rows: lines or instructions. */
class RowTree {
	/**
	 * @param {import('./decode.js').Places} places
	 * @param {(place: number) => ArrayLike<number>} rowsOf numbers of a place, the outermost first; 0: not in the page
	 */
	constructor(places, rowsOf) {
		const { parent, placeOf } = places;
		const above = [0], from = [0], row = [0];
		const end = new Uint32Array(parent.length); // by node: the last row up to there
		this.own = new Uint32Array(parent.length); // by node: the row in which its own samples are
		for (let n = 1; n < parent.length; n++) {
			const rows = placeOf[n] ? rowsOf(placeOf[n]) : [];
			end[n] = end[parent[n]];
			for (let i = 0; i < rows.length; i++) {
				this.own[n] = rows[i];
				if (!rows[i])
					continue;
				above.push(end[n]);
				from.push(n);
				end[n] = row.push(rows[i]) - 1;
			}
		}
		this.from = Uint32Array.from(from);
		this.row = Uint32Array.from(row);
		this.count = this.row.reduce((most, number) => Math.max(most, number), 0) + 1;
		const tree = linkChildren(Uint32Array.from(above));
		this.outermost = findOutermost(this.row, Uint32Array.from(above), tree.firstChild, tree.nextSibling, this.count);
	}

	/** @param {import('./aggregate.js').Sums} sums by node @returns {Values} */
	sum(sums) {
		const out = noValues(this.count);
		this.own.forEach((row, n) => {
			out.ownSamples[row] += sums.ownSamples[n];
			out.ownWeight[row] += sums.ownWeight[n];
		});
		for (let i = 1; i < this.row.length; i++)
			if (this.outermost[i]) {
				out.samples[this.row[i]] += sums.samples[this.from[i]];
				out.weight[this.row[i]] += sums.weight[this.from[i]];
			}
		return out;
	}
}

export class CodeSums {
	/** @param {import('./decode.js').Recording} recording with places */
	constructor(recording) {
		const { places } = recording;
		this.recording = recording;
		this.lines = new RowTree(places, (place) => places.lines.subarray(places.linesEnd[place - 1], places.linesEnd[place]));
		this.instructions = new RowTree(places, (place) => [places.instruction[place - 1]]);
	}

	/** @param {import('./aggregate.js').Selection} selection @returns {Sums} */
	of(selection) {
		const sums = sumBy(this.recording, selection, this.recording.places.parent, (series) => series.placed);
		return { lines: this.lines.sum(sums), instructions: this.instructions.sum(sums) };
	}
}
