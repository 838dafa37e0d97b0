// SPDX-License-Identifier: Apache-2.0
// Use over time, drawn in lanes, and the spans that are selected on them.
import { sumTime } from './aggregate.js';
import { themeColor } from './dom.js';
import { joinSpans } from './state.js';

const LEAST_DRAG = 3;

/** Draws use over time. */
export class Lanes {
	/** @param {import('./decode.js').Recording} recording @param {import('./state.js').Store} store */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		this.cache = new Map();
		this.window = [0, Math.max(1, recording.meta.ticks)];
	}

	/** @param {[number, number]} window the ticks that are shown */
	show(window) {
		this.window = window;
		this.cache.clear();
	}

	/** By column: CPUs used, or of a metric that is no time, its part of the highest. */
	values(thread, width) {
		const key = `${this.store.state.metric}.${thread}.${width}`;
		let values = this.cache.get(key);
		if (!values) {
			const series = this.recording.series[this.store.state.metric];
			const metric = this.recording.meta.metrics[this.store.state.metric];
			const columnSeconds = (this.window[1] - this.window[0]) * this.recording.meta.tick_ns / 1e9 / width;
			values = series ? sumTime(series, thread, ...this.window, width) : new Float64Array(width);
			const factor = metric ? metric.scale * (metric.unit_seconds || 1) / columnSeconds : 0;
			values.forEach((value, i) => { values[i] = value * factor; });
			this.cache.set(key, values);
		}
		return values;
	}

	/** The sum over the selected threads. */
	all(width) {
		const { threads } = this.store.state;
		const out = new Float64Array(width);
		this.recording.meta.threads.forEach((_, t) => {
			if (!threads || threads.has(t))
				this.values(t, width).forEach((value, i) => { out[i] += value; });
		});
		return out;
	}

	isTime() {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		return Boolean(metric && metric.unit_seconds);
	}

	paint(context, values, x, y, height, most) {
		context.fillStyle = themeColor('lane');
		for (let i = 0; i < values.length; i++) {
			const h = Math.min(1, values[i] / most) * height;
			if (h > 0)
				context.fillRect(x + i, y + height - Math.max(1, h), 1, Math.max(1, h));
		}
	}

	/** Where records were lost nothing is known: the lane has a gap, hatched. */
	paintLosses(context, thread, x, y, width, height) {
		const { losses } = this.recording.meta;
		context.save();
		for (const loss of losses) {
			if (thread >= 0 && loss.thread !== undefined && loss.thread !== thread)
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

	/** What is not selected is veiled, the ends have lines. */
	paintSpan(context, x, width, height) {
		const { span, base } = this.store.state;
		const within = (at) => Math.max(x, Math.min(x + width, at));
		let veiled = x;
		for (const [first, end] of span || []) {
			const from = within(x + this.xOf(first, width)), to = within(x + this.xOf(end, width));
			context.fillStyle = themeColor('veil');
			context.fillRect(veiled, 0, Math.max(0, from - veiled), height);
			context.fillStyle = themeColor('focus');
			context.fillRect(from - 1, 0, 2, height);
			context.fillRect(to - 1, 0, 2, height);
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
		start = { x: event.clientX, tick: tickOf(event), others: more && store.state.span || [] };
		area.setPointerCapture(event.pointerId);
	});
	area.addEventListener('pointermove', (event) => {
		if (start && Math.abs(event.clientX - start.x) >= LEAST_DRAG)
			store.set({ span: joinSpans([...start.others, wholeTicks(start.tick, tickOf(event))]) });
	});
	area.addEventListener('pointerup', (event) => {
		if (start && Math.abs(event.clientX - start.x) < LEAST_DRAG && !start.others.length)
			store.set({ span: null });
		start = null;
	});
	area.addEventListener('keydown', (event) => {
		const span = keyedSpan(event, store.state.span, lanes);
		if (span === undefined)
			return;
		event.preventDefault();
		store.set({ span });
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
	const by = Math.max(1, Math.round((end - first) / 50)) * (event.key === 'ArrowLeft' ? -1 : 1);
	if (event.key === 'Escape')
		return null;
	if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')
		return undefined;
	if (!spans)
		return [wholeTicks(first, first + (end - first) / 10)];
	const others = spans.slice(0, -1), span = spans[spans.length - 1];
	if (event.shiftKey)
		return joinSpans([...others, [span[0], Math.max(span[0] + 1, Math.min(end, span[1] + by))]]);
	const step = Math.max(first - span[0], Math.min(end - span[1], by));
	return joinSpans([...others, [span[0] + step, span[1] + step]]);
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
	return cpus < 1 ? `${(100 * cpus).toPrecision(3)} % of a CPU` : `${cpus} CPU${cpus === 1 ? '' : 's'}`;
}
