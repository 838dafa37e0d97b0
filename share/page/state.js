// SPDX-License-Identifier: Apache-2.0
// The user's choices, kept in the URL's hash: a link shows the sender's view.

const HASH_INTERVAL_MS = 400; // browsers refuse more than a hundred in half a minute

/**
 * @typedef {object} State
 * @property {string} view
 * @property {number} metric
 * @property {?[number, number][]} span ticks, in order and apart from each other
 * @property {?[number, number][]} base the span that the selection is compared with
 * @property {boolean} rate compared by amounts a second, not by shares
 * @property {?Set<number>} threads
 * @property {?Set<number>} open processes whose threads have lanes, each by its first thread
 * @property {?number} fn the selected function
 * @property {string} search a regular expression
 * @property {string} filter of the table
 * @property {string} sort a column, '-' before it: from low to high
 * @property {string} zoom in the flame graph, see FlameView
 * @property {string} zoomUp in the callers of one function
 * @property {boolean} inverted
 * @property {boolean} joined one function's callers and callees
 * @property {boolean} fold recursion
 * @property {boolean} up the call tree from what ran
 * @property {string} rows of the table: as in functions.js
 * @property {string} time 'states', 'regions', 'lanes', 'heat' or 'chart'
 * @property {number} line the ratio that is drawn over time; none: -1
 * @property {boolean} flame root at the bottom
 * @property {string} color 'kind' or 'object'
 */

/** How each property is written; what is missing in the hash has its default. */
const CODECS = {
	view: textCodec(),
	metric: numberCodec(),
	span: spansCodec(),
	base: spansCodec(),
	rate: { write: (flag) => flag ? '1' : '0', read: (text) => text === '1' },
	threads: setCodec(),
	open: setCodec(),
	fn: numberCodec(),
	search: textCodec(),
	filter: textCodec(),
	sort: textCodec(),
	zoom: textCodec(),
	zoomUp: textCodec(),
	inverted: flagCodec(),
	joined: flagCodec(),
	fold: flagCodec(),
	up: flagCodec(),
	rows: textCodec(),
	time: textCodec(),
	line: numberCodec(),
	flame: flagCodec(),
	color: textCodec(),
};

/** "10-20.30-40" */
function spansCodec() {
	return {
		write: (spans) => spans && spans.map((span) => span.join('-')).join('.'),
		read: (text) => {
			const spans = text.split('.').map((part) => part.split('-').map(Number));
			return spans.every((span) => span.length === 2 && span[0] >= 0 && span[0] < span[1])
				? joinSpans(spans) : null;
		},
	};
}

/** In order, those that touch or overlap as one. @returns {[number, number][]} */
export function joinSpans(spans) {
	/** @type {[number, number][]} */
	const out = [];
	for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
		const last = out[out.length - 1];
		if (last && from <= last[1])
			last[1] = Math.max(last[1], to);
		else
			out.push([from, to]);
	}
	return out;
}

/** "1,5" */
function setCodec() {
	return {
		write: (set) => set && [...set].join(','),
		read: (text) => {
			const numbers = text.split(',').filter(Boolean).map(Number);
			return numbers.length ? new Set(numbers) : null;
		},
	};
}

function textCodec() {
	return { write: (text) => text, read: (text) => text };
}

function numberCodec() {
	return { write: (number) => number === null ? null : String(number),
		read: (text) => Number.isInteger(Number(text)) ? Number(text) : null };
}

function flagCodec() {
	return { write: (flag) => flag ? '1' : null, read: (text) => text === '1' };
}

/** Keeps the state, notifies listeners, writes the hash. */
export class Store {
	/** @param {State} defaults */
	constructor(defaults) {
		this.defaults = defaults;
		/** @type {State} */
		this.state = { ...defaults, ...this.fromHash() };
		this.listeners = [];
		this.timer = 0;
		this.entry = false;
		window.addEventListener('popstate', () => this.follow());
	}

	/** @param {(state: State, changed: Set<string>) => void} listener */
	listen(listener) {
		this.listeners.push(listener);
	}

	/**
	 * @param {Partial<State>} change
	 * @param {boolean} [entry] the back button returns to the state before
	 */
	set(change, entry = false) {
		const changed = new Set(Object.keys(change).filter(
			(key) => !same(change[key], this.state[key])));
		if (!changed.size)
			return;
		this.state = { ...this.state, ...change };
		this.entry ||= entry;
		this.timer ||= window.setTimeout(() => this.write(), HASH_INTERVAL_MS);
		for (const listener of this.listeners)
			listener(this.state, changed);
	}

	/** Something else than the state changed. */
	redraw() {
		for (const listener of this.listeners)
			listener(this.state, new Set());
	}

	toHash() {
		const parts = new URLSearchParams();
		for (const [key, codec] of Object.entries(CODECS)) {
			const text = codec.write(this.state[key]);
			if (text && !same(this.state[key], this.defaults[key]))
				parts.set(key, text);
		}
		return `#${parts}`;
	}

	/** What a hash says, as the back button can undo. */
	show(hash) {
		this.set({ ...this.defaults, ...this.fromHash(hash) }, true);
	}

	fromHash(hash = location.hash) {
		const out = {};
		for (const [key, text] of new URLSearchParams(hash.slice(1)))
			if (Object.hasOwn(CODECS, key))
				out[key] = CODECS[key].read(text);
		return out;
	}

	write() {
		this.timer = 0;
		try {
			history[this.entry ? 'pushState' : 'replaceState'](null, '', this.toHash());
		} catch {
			// a document without an address of its own, as in a viewer's frame, has no hash
		}
		this.entry = false;
	}

	/** The user went back or forward, or edited the hash. */
	follow() {
		this.set({ ...this.defaults, ...this.fromHash() });
		window.clearTimeout(this.timer);
		this.timer = 0;
	}
}

export function same(a, b) {
	if (a instanceof Set && b instanceof Set)
		return a.size === b.size && [...a].every((x) => b.has(x));
	if (Array.isArray(a) && Array.isArray(b))
		return a.length === b.length && a.every((x, i) => same(x, b[i]));
	return a === b;
}
