// SPDX-License-Identifier: Apache-2.0
// A flame chart: the stacks of one thread in the order of time.
import { slotsOf } from './aggregate.js';
import { isArtificial, colorsOf } from './colors.js';
import { element, shortName, sizeCanvas, themeColor } from './dom.js';
import { ROW } from './flamegraph.js';
import { makeBrush } from './lanes.js';

const PIECES_MOST = 20000;
const FRAMES_MOST = 2000000; // of all pieces' stacks

/**
 * @typedef {object} Piece a stack that was seen, and from when to when, in ticks
 * @property {number} from
 * @property {number} to
 * @property {number} node
 */

/**
 * The stacks of a thread.  A sample of a clock stands for the time before it; of another
 * metric, for the tick it is in.  Within one tick the order is not known: what was there
 * before comes first.
 * @param {import('./decode.js').Series} series
 * @param {number} thread
 * @param {[number, number]} window
 * @param {number} ticksEach of a unit of weight, 0: no time
 * @returns {?Piece[]} null: too many
 */
export function piecesOf(series, thread, window, ticksEach) {
	const [first, end] = slotsOf(series, thread, window);
	const out = [];
	let last = { from: 0, to: 0, node: -1 };
	if (series.slotEntry[end] - series.slotEntry[first] > PIECES_MOST)
		return null;
	for (let s = first; s < end; s++) {
		const entries = [];
		let weight = 0;
		for (let e = series.slotEntry[s]; e < series.slotEntry[s + 1]; e++) {
			entries.push({ node: series.entryNode[e], weight: series.entryUnits[e] * series.unit });
			weight += series.entryUnits[e] * series.unit;
		}
		entries.sort((a, b) => Number(b.node === last.node) - Number(a.node === last.node));
		const to = series.slotTick[s] + 1;
		let from = Math.max(last.to, to - Math.max(1, weight * ticksEach));
		if (from - last.to < 1 && last.node >= 0)
			from = last.to; // a gap shorter than time is known
		const each = weight > 0 ? (to - from) / weight : 0;
		for (const { node, weight: w } of entries) {
			last = { from, to: from + w * each, node };
			out.push(last);
			from = last.to;
		}
	}
	return out;
}

export class ChartView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 * @param {import('./lanes.js').Lanes} lanes
	 */
	constructor(recording, store, lanes) {
		this.recording = recording;
		this.store = store;
		this.lanes = lanes;
		this.pieces = [];
		this.thread = null;
		this.paths = new Map(); // of the pieces' nodes
		this.active = null; // the frame that has the keyboard: its depth, and a tick
		this.canvas = element('canvas', { 'aria-hidden': 'true' });
		this.space = element('div', { class: 'space' });
		this.choose = element('select', { 'aria-label': 'Thread', change: () => {
			this.thread = Number(this.choose.value);
			this.draw();
		} });
		this.help = element('p', { class: 'muted' });
		this.said = element('p', { class: 'details', role: 'status' });
		this.box = element('div', { class: 'flame chart', tabindex: '0', role: 'application', 'aria-roledescription': 'flame chart',
			'aria-label': 'Stacks of a thread in the order of time. Drag to select a span. Arrow keys move between frames; ' +
				'Enter selects the time of a frame, Escape all time.',
			keydown: (event) => this.onKey(event), scroll: () => this.paint(), pointermove: (event) => this.onMove(event),
			dblclick: (event) => this.onOpen(event) },
		element('div', { class: 'sticky' }, this.canvas), this.space);
		this.root = element('div', { class: 'column' },
			element('div', { class: 'bar' }, this.choose, this.help), this.said, this.box);
		makeBrush(this.box, lanes, store, () => 0);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	/** Threads by what they have in the window; of those that are selected. */
	threads() {
		const { state } = this.store;
		const series = this.recording.series[state.metric];
		const of = (t) => {
			const [first, end] = slotsOf(series, t, this.lanes.window);
			return series.slotEntry[end] - series.slotEntry[first];
		};
		return this.recording.meta.threads.map((_, t) => ({ t, count: series ? of(t) : 0 }))
			.filter(({ t, count }) => count && (!state.threads || state.threads.has(t)))
			.sort((a, b) => b.count - a.count || a.t - b.t).map(({ t }) => t);
	}

	draw() {
		const { meta } = this.recording;
		if (!this.box.clientWidth)
			return;
		const threads = this.threads();
		const metric = meta.metrics[this.store.state.metric];
		const thread = threads.includes(this.thread) ? this.thread : threads[0];
		this.choose.replaceChildren(...threads.slice(0, 500).map((t) => element('option',
			{ value: String(t), selected: t === thread }, `${meta.threads[t].name} ${meta.threads[t].tid}`)));
		const ticksEach = metric ? metric.scale * metric.unit_seconds * 1e9 / meta.tick_ns : 0;
		const pieces = thread === undefined ? []
			: piecesOf(this.recording.series[this.store.state.metric], thread, this.lanes.window, ticksEach);
		this.paths.clear();
		this.pieces = pieces && this.fits(pieces) ? pieces : [];
		this.help.textContent = !pieces || pieces.length > this.pieces.length ? 'Too long for stacks in order: select a shorter span, and press “Zoom to span”.'
			: !pieces.length ? 'No samples in this time.'
				: 'From left to right: time. Drag to select a span; a double click or Enter selects that of a frame.';
		const depth = this.pieces.reduce((most, piece) => Math.max(most, this.path(piece.node).length), 0);
		this.space.style.height = `${depth * ROW}px`;
		this.colors = colorsOf(this.recording, this.store.state.color,
			metric ? this.recording.series[this.store.state.metric].ownWeight : new Float64Array(0));
		this.paint();
	}

	/** Deep stacks, each of another function, would take too much memory. */
	fits(pieces) {
		let frames = 0;
		return pieces.every((piece) => (frames += this.paths.has(piece.node) ? 0 : this.path(piece.node).length) <= FRAMES_MOST);
	}

	/** The nodes from the root to NODE. */
	path(node) {
		let path = this.paths.get(node);
		if (!path) {
			path = [];
			for (let n = node; n; n = this.recording.parent[n])
				path.push(n);
			path.reverse();
			this.paths.set(node, path);
		}
		return path;
	}

	/** The frames of one level: pieces that follow one another in the same call. */
	level(depth) {
		const boxes = [];
		let last = null;
		for (const piece of this.pieces) {
			const node = this.path(piece.node)[depth];
			if (last && last.node === node && piece.from === last.to) {
				last.to = piece.to;
				continue;
			}
			last = node === undefined ? null : { node, from: piece.from, to: piece.to };
			if (last)
				boxes.push(last);
		}
		return boxes;
	}

	paint() {
		const width = this.box.clientWidth, height = this.box.clientHeight;
		if (!width)
			return;
		const context = sizeCanvas(this.canvas, width, height);
		context.textBaseline = 'middle';
		const first = Math.floor(this.box.scrollTop / ROW);
		this.shown = [];
		for (let depth = first; (depth - first - 1) * ROW < height; depth++) {
			const boxes = this.level(depth);
			if (!boxes.length)
				break;
			this.shown[depth] = boxes;
			for (const box of boxes)
				this.paintBox(context, box, depth * ROW - this.box.scrollTop, width);
		}
		this.lanes.paintSpan(context, 0, width, height);
		this.paintActive(context, width);
	}

	paintActive(context, width) {
		const box = this.activeBox();
		if (!box || this.box !== document.activeElement)
			return;
		const x = Math.max(0, this.lanes.xOf(box.from, width)), to = Math.min(width, this.lanes.xOf(box.to, width));
		context.strokeStyle = themeColor('focus');
		context.lineWidth = 2;
		context.strokeRect(x + 1, this.active.depth * ROW - this.box.scrollTop + 1, Math.max(1, to - x - 3), ROW - 3);
	}

	paintBox(context, box, y, width) {
		const fn = this.recording.functionOf[box.node];
		const x = Math.max(0, this.lanes.xOf(box.from, width)), to = Math.min(width, this.lanes.xOf(box.to, width));
		const w = to - x - (to - x > 3 ? 1 : 0);
		if (to <= x)
			return;
		context.fillStyle = this.colors.of[this.recording.objectOf[fn]];
		context.globalAlpha = isArtificial(this.recording, fn) ? 0.5 : 1;
		context.fillRect(x, y, Math.max(0.5, w), ROW - 1);
		context.globalAlpha = 1;
		if (w < 24)
			return;
		context.fillStyle = '#1b1b1b';
		context.font = `${this.recording.inlined[box.node] ? 'italic ' : ''}12px system-ui, sans-serif`;
		context.fillText(shortName(this.recording.names[fn], Math.floor((w - 6) / 6.4)), x + 4, y + ROW / 2, w - 6);
	}

	boxAt(event) {
		const area = this.box.getBoundingClientRect();
		const depth = Math.floor((event.clientY - area.top + this.box.scrollTop) / ROW);
		const tick = this.lanes.tickAt(event.clientX - area.left, this.box.clientWidth);
		return (this.shown && this.shown[depth] || []).find((box) => box.from <= tick && tick < box.to);
	}

	// ---- the keyboard ----

	activeBox() {
		return this.active && this.level(this.active.depth).find((box) => box.from <= this.active.tick && this.active.tick < box.to);
	}

	onKey(event) {
		const steps = { ArrowRight: () => this.beside(1), ArrowLeft: () => this.beside(-1),
			ArrowDown: () => this.below(1), ArrowUp: () => this.below(-1), Home: () => this.first(), Enter: () => this.open(this.activeBox()) };
		if (event.key === 'Escape')
			this.store.set({ span: null });
		else if (!Object.hasOwn(steps, event.key))
			return;
		else if (!this.activeBox())
			this.first();
		else
			steps[event.key]();
		event.preventDefault();
		this.tell(this.activeBox());
		this.paint();
	}

	first() {
		const [box] = this.level(0);
		this.active = box ? { depth: 0, tick: box.from } : null;
		this.box.scrollTop = 0;
	}

	beside(by) {
		const boxes = this.level(this.active.depth);
		const next = boxes[boxes.findIndex((box) => box.from <= this.active.tick && this.active.tick < box.to) + by];
		if (next)
			this.active.tick = next.from;
	}

	below(by) {
		const now = this.activeBox(), depth = this.active.depth + by;
		const next = depth >= 0 && this.level(depth).find((box) => box.from < now.to && box.to > now.from);
		if (!next)
			return;
		this.active = { depth, tick: Math.max(next.from, now.from) };
		if (depth * ROW < this.box.scrollTop || (depth + 1) * ROW > this.box.scrollTop + this.box.clientHeight)
			this.box.scrollTop = depth * ROW - this.box.clientHeight / 2;
	}

	// ---- the pointer ----

	onMove(event) {
		this.tell(this.boxAt(event));
	}

	tell(box) {
		const { meta, names, functionOf } = this.recording;
		const text = (ticks) => `${(ticks * meta.tick_ns / 1e9).toFixed(4)} s`;
		this.said.textContent = box ? `${names[functionOf[box.node]]} — from ${text(box.from)}, for about ${text(box.to - box.from)}` : '';
	}

	onOpen(event) {
		this.open(this.boxAt(event));
	}

	open(box) {
		if (box)
			this.store.set({ fn: this.recording.functionOf[box.node],
				span: [[Math.floor(box.from), Math.ceil(box.to)]] });
	}
}
