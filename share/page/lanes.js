// SPDX-License-Identifier: Apache-2.0
// Use over time, drawn in lanes, and the spans that are selected on them.
import { sumTime } from './aggregate.js';
import { digitsText, FEW_SAMPLES, themeColor } from './dom.js';
import { joinSpans } from './state.js';

const LEAST_DRAG = 3;
const LINE_STEP = 8; // px
const LINE_ROOM = 20; // above the line, for words
const LANES_KEPT = 256; // more than a screen has, in two widths

/** Draws use over time. */
export class Lanes {
	/** @param {import('./decode.js').Recording} recording @param {import('./state.js').Store} store */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		/** @type {[number, number]} */
		this.window = [0, Math.max(1, recording.meta.ticks)];
		this.active = 0; // which of the selected spans the keyboard moves
		this.forget();
	}

	/** @param {[number, number]} window the ticks that are shown */
	show(window) {
		this.window = window;
		this.forget();
	}

	/** What was drawn is of no more use. */
	forget() {
		this.lanes = new Map(); // by name and width, the latest last
		this.peaks = new Map(); // by kind and width
		this.sums = new Map(); // by width
		this.metric = this.store.state.metric;
		this.threads = this.store.state.threads;
	}

	/** Before anything kept is used: is it still of what is selected? */
	check(widths) {
		const { metric, threads } = this.store.state;
		if (metric !== this.metric || widths.size > 8)
			this.forget();
		if (threads !== this.threads)
			this.sums.clear();
		this.threads = threads;
	}

	/** By column: CPUs used, or units a second, in all THREADS of the lane NAME. */
	values(name, threads, width) {
		this.check(this.peaks);
		const key = `${name}.${width}`;
		const values = this.lanes.get(key) || this.sumOf(threads, width);
		this.lanes.delete(key);
		this.lanes.set(key, values);
		if (this.lanes.size > LANES_KEPT)
			this.lanes.delete(this.lanes.keys().next().value);
		return values;
	}

	/** @param {number[]} threads */
	sumOf(threads, width) {
		const series = this.recording.series[this.store.state.metric];
		const metric = this.recording.meta.metrics[this.store.state.metric];
		const columnSeconds = (this.window[1] - this.window[0]) * this.recording.meta.tick_ns / 1e9 / width;
		const factor = metric ? metric.scale * (metric.unit_seconds || 1) / columnSeconds : 0;
		const out = new Float64Array(width);
		for (const thread of series ? threads : [])
			sumTime(series, thread, ...this.window, width, out);
		return out.map((value) => value * factor);
	}

	/** The highest value of any lane; GROUPS: the threads of each lane of this KIND. */
	peak(kind, groups, width) {
		this.check(this.peaks);
		const key = `${kind}.${width}`;
		let peak = this.peaks.get(key);
		if (peak === undefined)
			peak = groups.reduce((most, threads) =>
				this.sumOf(threads, width).reduce((a, b) => Math.max(a, b), most), 0);
		this.peaks.set(key, peak);
		return peak;
	}

	/** The sum over the selected threads. */
	all(width) {
		this.check(this.sums);
		const { threads } = this.store.state;
		const sum = this.sums.get(width) ||
			this.sumOf(this.recording.meta.threads.map((_, t) => t).filter((t) => !threads || threads.has(t)), width);
		this.sums.set(width, sum);
		return sum;
	}

	/** The ratio whose line is drawn, such as instructions per cycle; undefined: none. */
	get ratio() {
		return this.recording.meta.ratios[this.store.state.line];
	}

	/** That ratio in each of COUNT equal parts of the window, in the selected threads; NaN where it has few samples. */
	ratioOver(count) {
		const { meta, series } = this.recording, { ratio } = this, { threads } = this.store.state;
		const sum = (m) => {
			const out = new Float64Array(count);
			meta.threads.forEach((_, t) => (!threads || threads.has(t)) && sumTime(series[m], t, ...this.window, count, out));
			return out.map((weight) => weight * meta.metrics[m].scale);
		};
		const bottom = sum(ratio.bottom), least = FEW_SAMPLES * this.amountOfSample(ratio.bottom);
		return sum(ratio.top).map((top, i) => bottom[i] > 0 && bottom[i] >= least ? ratio.factor * top / bottom[i] : NaN);
	}

	amountOfSample(m) {
		const { total, scale } = this.recording.meta.metrics[m];
		return total.samples ? total.weight * scale / total.samples : 0;
	}

	/** Into how many parts the window is divided: each has twice as many samples as it needs, on average. */
	ratioParts(width) {
		const { bottom } = this.ratio, each = this.amountOfSample(bottom);
		const amount = this.amountIn(bottom, [this.window]);
		return Math.max(1, Math.min(Math.floor(width / LINE_STEP), Math.floor(amount / each / (2 * FEW_SAMPLES)) || 1));
	}

	/** "IPC 1.234" of the selection, "" if there is none. */
	ratioText() {
		const { meta } = this.recording, { span } = this.store.state;
		if (!this.ratio)
			return '';
		const value = this.selectedRatio(span || [[0, Math.max(1, meta.ticks)]]);
		return `${this.ratio.id} ${this.ratioAmount(value)}`;
	}

	selectedRatio(spans) {
		return this.ratio.factor * this.amountIn(this.ratio.top, spans) / this.amountIn(this.ratio.bottom, spans);
	}

	/** Of the selected threads. */
	amountIn(m, spans) {
		const { meta, series } = this.recording, { threads } = this.store.state;
		return spans.reduce((all, span) => meta.threads.reduce((some, _, t) =>
			some + (!threads || threads.has(t) ? sumTime(series[m], t, span[0], span[1], 1)[0] : 0), all), 0) * meta.metrics[m].scale;
	}

	ratioAmount(value) {
		const { digits, unit } = this.ratio;
		return Number.isFinite(value) ? `${value.toFixed(digits)}${unit && ` ${unit}`}` : '–';
	}

	/** A line from the left to the right, as high as the largest value; with gaps.  Returns that. */
	paintRatio(context, width, height) {
		const count = this.ratioParts(width), values = this.ratioOver(count);
		const most = values.reduce((a, b) => b > a ? b : a, 0);
		context.save();
		context.strokeStyle = themeColor('text');
		context.lineWidth = 1.5;
		context.beginPath();
		for (let i = 0; i < count; i++) {
			if (!(values[i] >= 0))
				continue;
			const y = height - 1 - (most ? values[i] / most : 0) * (height - LINE_ROOM);
			context[i && values[i - 1] >= 0 ? 'lineTo' : 'moveTo'](i * width / count, y);
			context.lineTo((i + 1) * width / count, y);
		}
		context.stroke();
		context.restore();
		return most;
	}

	isTime() {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		return Boolean(metric && metric.unit_seconds && !metric.state);
	}

	paint(context, values, x, y, height, most) {
		context.fillStyle = themeColor('lane');
		for (let i = 0; i < values.length; i++) {
			const h = Math.min(1, values[i] / most) * height;
			if (h > 0)
				context.fillRect(x + i, y + height - Math.max(1, h), 1, Math.max(1, h));
		}
	}

	/** Where records of THREADS, null: of any, were lost nothing is known: the lane has a gap, hatched. */
	paintLosses(context, threads, x, y, width, height) {
		const { losses } = this.recording.meta;
		context.save();
		for (const loss of losses) {
			if (threads && loss.thread !== undefined && !threads.includes(loss.thread))
				continue;
			const from = x + this.xOf(loss.tick, width), to = x + this.xOf(loss.tick + 1, width);
			const w = Math.max(3, to - from);
			context.fillStyle = themeColor('background');
			context.fillRect(from, y, w, height);
			context.strokeStyle = themeColor('bad');
			context.beginPath();
			for (let at = y; at < y + height; at += 4) {
				context.moveTo(from, at + 3);
				context.lineTo(from + w, at);
			}
			context.stroke();
		}
		context.restore();
	}

	xOf(tick, width) {
		return (tick - this.window[0]) * width / (this.window[1] - this.window[0]);
	}

	tickAt(x, width) {
		const tick = this.window[0] + x * (this.window[1] - this.window[0]) / width;
		return Math.max(0, Math.min(this.recording.meta.ticks, tick));
	}

	/** Which of SPANS the keyboard moves. */
	activeSpan(spans) {
		return Math.min(this.active, spans.length - 1);
	}

	/** What is not selected is veiled, the ends have lines. */
	paintSpan(context, x, width, height) {
		const { span, base } = this.store.state;
		const within = (at) => Math.max(x, Math.min(x + width, at));
		let veiled = x;
		for (const [i, [first, end]] of (span || []).entries()) {
			const from = within(x + this.xOf(first, width)), to = within(x + this.xOf(end, width));
			context.fillStyle = themeColor('veil');
			context.fillRect(veiled, 0, Math.max(0, from - veiled), height);
			context.fillStyle = themeColor('focus');
			context.fillRect(from - 1, 0, 2, height);
			context.fillRect(to - 1, 0, 2, height);
			if (span.length > 1 && i === this.activeSpan(span)) // a bar above: this one is moved
				context.fillRect(from, 0, Math.max(2, to - from), 4);
			veiled = to;
		}
		context.fillStyle = themeColor('veil');
		if (span)
			context.fillRect(veiled, 0, Math.max(0, x + width - veiled), height);
		for (const [first, end] of base || [])
			this.paintBase(context, within(x + this.xOf(first, width)), within(x + this.xOf(end, width)), height);
	}

	/** What the selection is compared with: a dashed frame, and its name. */
	paintBase(context, from, to, height) {
		context.save();
		context.strokeStyle = context.fillStyle = themeColor('text');
		context.setLineDash([4, 3]);
		context.strokeRect(from + 0.5, 0.5, Math.max(2, to - from) - 1, height - 1);
		context.font = '11px system-ui, sans-serif';
		context.textBaseline = 'bottom';
		if (to - from > 42)
			context.fillText('before', from + 4, height - 3);
		context.restore();
	}
}

/** The keys of a brush, for labels. */
export const BRUSH_KEYS = 'arrow keys move it, Shift and arrow keys change its end, Insert adds one, N goes to the next, ' +
	'Delete removes it, Escape selects all time';

/** Lets the pointer and the keyboard select a span on AREA. */
export function makeBrush(area, lanes, store, leftOf) {
	let start = null;
	const widthOf = () => area.clientWidth - leftOf();
	const tickOf = (event) => lanes.tickAt(
		event.clientX - area.getBoundingClientRect().left - leftOf(), widthOf());
	area.addEventListener('pointerdown', (event) => {
		if (event.button || event.target.closest('button'))
			return;
		const more = event.ctrlKey || event.metaKey;
		start = { x: event.clientX, tick: tickOf(event), before: store.state.span,
			others: more && store.state.span || [] };
		area.setPointerCapture(event.pointerId);
	});
	area.addEventListener('pointermove', (event) => {
		if (!start || Math.abs(event.clientX - start.x) < LEAST_DRAG)
			return;
		const drawn = wholeTicks(start.tick, tickOf(event)), spans = joinSpans([...start.others, drawn]);
		lanes.active = spans.findIndex(([, end]) => end >= drawn[1]);
		store.set({ span: spans });
	});
	area.addEventListener('pointerup', (event) => {
		if (start && Math.abs(event.clientX - start.x) < LEAST_DRAG && !start.others.length)
			store.set({ span: null });
		start = null;
	});
	// the browser took the drag, to scroll
	area.addEventListener('pointercancel', () => {
		if (start)
			store.set({ span: start.before });
		start = null;
	});
	area.addEventListener('keydown', (event) => {
		const span = keyedSpan(event, store.state.span, lanes);
		if (span === undefined || event.defaultPrevented || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		store.set({ span });
		store.redraw(); // another span may be the active one
	});
}

/** At least one. */
export function wholeTicks(a, b) {
	const from = Math.floor(Math.min(a, b)), to = Math.ceil(Math.max(a, b));
	return [from, Math.max(from + 1, to)];
}

/** The spans after a key, undefined for keys that mean something else. */
function keyedSpan(event, spans, lanes) {
	const [first, end] = lanes.window;
	if (event.key === 'Escape')
		return null;
	if (!['ArrowLeft', 'ArrowRight', 'Insert', 'Delete', 'n', 'N', '+'].includes(event.key))
		return undefined;
	if (!spans)
		return [wholeTicks(first, first + (end - first) / 10)];
	const at = lanes.activeSpan(spans);
	if (event.key === 'Insert' || event.key === '+')
		return addSpan(spans, lanes);
	if (event.key === 'n' || event.key === 'N') {
		lanes.active = (at + 1) % spans.length;
		return [...spans];
	}
	lanes.active = Math.max(0, event.key === 'Delete' ? at - 1 : at);
	const moved = event.key === 'Delete' ? [] : [movedSpan(event, spans, at, lanes.window)];
	const out = [...spans.slice(0, at), ...moved, ...spans.slice(at + 1)];
	return out.length ? out : null;
}

/** Moved, or with Shift its end, up to the spans beside it. @returns {[number, number]} */
function movedSpan(event, spans, at, [first, end]) {
	const by = Math.max(1, Math.round((end - first) / 50)) * (event.key === 'ArrowLeft' ? -1 : 1);
	const [from, to] = spans[at];
	const low = Math.min(from, at ? spans[at - 1][1] + 1 : first);
	const high = Math.max(to, at + 1 < spans.length ? spans[at + 1][0] - 1 : end);
	if (event.shiftKey)
		return [from, Math.max(from + 1, Math.min(high, to + by))];
	const step = Math.max(low - from, Math.min(high - to, by));
	return [from + step, to + step];
}

/** One more, in the middle of the longest time that is not selected. */
function addSpan(spans, lanes) {
	const [first, end] = lanes.window;
	const ends = [first, ...spans.map((span) => span[1])], starts = [...spans.map((span) => span[0]), end];
	const gaps = ends.map((from, i) => [from, starts[i]]);
	const at = gaps.reduce((best, gap, i) => gap[1] - gap[0] > gaps[best][1] - gaps[best][0] ? i : best, 0);
	const third = (gaps[at][1] - gaps[at][0]) / 3;
	if (third < 1)
		return [...spans];
	lanes.active = at;
	return [...spans.slice(0, at), wholeTicks(gaps[at][0] + third, gaps[at][1] - third), ...spans.slice(at)];
}

/**
 * What the full height stands for: USUAL (of a rate 0), unless so little of it is used that
 * nothing could be seen; then a round part of it.
 */
export function scaleFor(highest, usual) {
	if (!usual || !highest)
		return highest || usual || 1;
	let scale = usual;
	while (highest < scale / 4)
		scale /= 2;
	return scale;
}

/** "2 CPUs", "a quarter of a CPU" as a percentage */
export function cpusText(cpus) {
	return cpus < 1 ? `${digitsText(100 * cpus, 3)} % of a CPU` : `${cpus} CPU${cpus === 1 ? '' : 's'}`;
}
