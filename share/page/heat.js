// SPDX-License-Identifier: Apache-2.0
// A heat map: a column for each second or minute, in it a row for each part of that time.  What
// comes back every second is a line from left to right, what is rare a single dark cell.
import { forSlots } from './aggregate.js';
import { countText, digitsText, element, sizeCanvas, themeColor, waitsText } from './dom.js';
import { joinSpans } from './state.js';

const COLUMN_SECONDS = [0.1, 1, 10, 60, 600, 3600, 86400];
const ROWS_MOST = 50;
const LEAST_WIDTH_PX = 4;
const LEFT = 56; // for the words beside the rows
const BELOW = 18;
const SHADES = 6;

/** How time is divided: the shortest columns that fit. */
export function heatGrid(window, tickNs, width) {
	const ticks = window[1] - window[0];
	const most = Math.max(1, Math.floor(width / LEAST_WIDTH_PX));
	const seconds = COLUMN_SECONDS.find((s) => s * 1e9 / tickNs >= 1 && ticks * tickNs / 1e9 / s <= most) ||
		COLUMN_SECONDS[COLUMN_SECONDS.length - 1];
	const columnTicks = Math.max(1, Math.round(seconds * 1e9 / tickNs));
	const rowTicks = Math.ceil(columnTicks / ROWS_MOST);
	return { seconds, columnTicks, rowTicks, first: Math.floor(window[0] / columnTicks) * columnTicks,
		columns: Math.ceil(window[1] / columnTicks) - Math.floor(window[0] / columnTicks),
		rows: Math.ceil(columnTicks / rowTicks) };
}

export class HeatView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 * @param {import('./lanes.js').Lanes} lanes
	 */
	constructor(recording, store, lanes) {
		this.recording = recording;
		this.store = store;
		this.lanes = lanes;
		this.active = null; // the cell that has the keyboard, in time order
		this.anchor = null; // where a drag began
		this.canvas = element('canvas', { 'aria-hidden': 'true' });
		this.said = element('p', { class: 'details', role: 'status' });
		this.help = element('p', { class: 'muted' });
		this.legend = element('ul', { class: 'legend', 'aria-label': 'Colours' });
		this.box = element('div', { class: 'heat', tabindex: '0', role: 'application',
			'aria-roledescription': 'heat map', 'aria-label':
				'Heat map of use over time. Arrow keys move between cells, with Shift they extend; Enter selects, with Ctrl one more span; Escape selects all time.',
			keydown: (event) => this.onKey(event), pointerdown: (event) => this.onDown(event),
			pointermove: (event) => this.onMove(event), pointerup: (event) => this.onUp(event),
			pointercancel: () => this.onCancel() }, this.canvas);
		this.root = element('div', { class: 'column' }, this.help, this.box, this.said, this.legend);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	// ---- cells, numbered in the order of time ----

	/** The ticks of a cell. @returns {[number, number]} */
	ticksOf(cell) {
		const { columnTicks, rowTicks, rows, first } = this.grid;
		const column = first + Math.floor(cell / rows) * columnTicks;
		const from = column + (cell % rows) * rowTicks;
		return [from, Math.min(from + rowTicks, column + columnTicks)];
	}

	/** The use in each cell: CPUs, or units a second. */
	sums() {
		const { grid } = this;
		const { state } = this.store;
		const series = this.recording.series[state.metric];
		const metric = this.recording.meta.metrics[state.metric];
		const out = new Float64Array(grid.columns * grid.rows);
		const end = grid.first + grid.columns * grid.columnTicks;
		this.recording.meta.threads.forEach((_, t) => {
			if (!series || state.threads && !state.threads.has(t))
				return;
			forSlots(series, t, [grid.first, end], (tick, weight) => {
				const i = tick - grid.first;
				out[Math.floor(i / grid.columnTicks) * grid.rows +
					Math.floor(i % grid.columnTicks / grid.rowTicks)] += weight;
			});
		});
		const factor = metric ? metric.scale * (metric.unit_seconds || 1) * 1e9 / this.recording.meta.tick_ns : 0;
		for (let cell = 0; cell < out.length; cell++) {
			const [from, to] = this.ticksOf(cell);
			out[cell] *= factor / (to - from);
		}
		return out;
	}

	// ---- drawing ----

	draw() {
		const width = this.box.clientWidth;
		if (!width)
			return;
		const { meta } = this.recording;
		this.grid = heatGrid(this.lanes.window, meta.tick_ns, width - LEFT);
		const key = [this.store.state.metric, [...this.store.state.threads || []], this.lanes.window, width].join();
		if (key !== this.key)
			this.values = this.sums();
		this.key = key;
		this.most = this.highest();
		this.active = this.active === null ? null : Math.min(this.active, this.values.length - 1);
		this.updateText();
		this.paint();
	}

	/**
	 * What the darkest shade stands for.  Threads cannot use more CPUs than there are, nor than one each:
	 * more is CPU time that no sample covers, which lies at its process' end.
	 */
	highest() {
		const { meta } = this.recording, { threads } = this.store.state;
		const highest = this.values.reduce((a, b) => Math.max(a, b), 0);
		const cpus = Math.min(meta.experiments.reduce((sum, experiment) => sum + experiment.cpus, 0), threads ? threads.size : meta.threads.length);
		this.above = this.lanes.isTime() && cpus > 0 && highest > cpus;
		return this.above ? cpus : highest;
	}

	updateText() {
		const { seconds, rowTicks } = this.grid;
		const part = rowTicks * this.recording.meta.tick_ns / 1e6;
		const column = seconds >= 3600 ? `${seconds / 3600} h` : seconds >= 60 ? `${seconds / 60} min`
			: seconds >= 1 ? `${seconds} s` : `${seconds * 1000} ms`;
		this.help.textContent = `A column is ${column}, a row ${part >= 1000 ? `${part / 1000} s` : `${part} ms`} of it; ` +
			'time runs down each column, then to the next. Click or drag to select; with Ctrl one more span.';
		this.legend.replaceChildren(...Array.from({ length: SHADES }, (_, i) => {
			const swatch = element('span', { class: 'swatch' });
			swatch.style.background = this.shade(i);
			return element('li', {}, swatch, i === 0 ? 'idle' : this.shadeText(i));
		}));
	}

	shadeText(step) {
		const amount = (n) => this.amountText(this.most * n / (SHADES - 1));
		return step + 1 === SHADES && this.above ? `above ${amount(step - 1)}` : `to ${amount(step)}`;
	}

	amountText(value) {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		if (metric?.state)
			return waitsText(metric, value);
		return !metric || metric.unit_seconds ? `${digitsText(value, 2)} CPUs`
			: `${countText(Math.round(value))} ${metric.unit}/s`;
	}

	/** A step between the background and the lanes' colour. */
	shade(step) {
		return `color-mix(in oklab, ${themeColor('lane')} ${Math.round(100 * step / (SHADES - 1))}%, ${themeColor('raised')})`;
	}

	get cell() {
		return { width: Math.min(24, (this.box.clientWidth - LEFT) / this.grid.columns),
			height: (this.box.clientHeight - BELOW) / this.grid.rows };
	}

	paint() {
		const { grid } = this, { width, height } = this.cell;
		const context = sizeCanvas(this.canvas, this.box.clientWidth, this.box.clientHeight);
		const shades = Array.from({ length: SHADES }, (_, i) => this.shade(i));
		const gap = width > 4 && height > 4 ? 1 : 0;
		const { span } = this.store.state;
		for (let cell = 0; cell < this.values.length; cell++) {
			const [from, to] = this.ticksOf(cell);
			if (from >= this.recording.meta.ticks)
				continue;
			const step = this.most ? Math.ceil(this.values[cell] / this.most * (SHADES - 1) - 1e-9) : 0;
			context.globalAlpha = !span || span.some(([a, b]) => from < b && to > a) ? 1 : 0.3;
			context.fillStyle = shades[Math.min(SHADES - 1, step)];
			context.fillRect(LEFT + Math.floor(cell / grid.rows) * width, cell % grid.rows * height,
				width - gap, height - gap);
		}
		context.globalAlpha = 1;
		this.paintAxes(context, width, height);
		if (this.active !== null)
			this.paintActive(context, width, height);
	}

	paintAxes(context, width, height) {
		const { grid } = this, { tick_ns } = this.recording.meta;
		const text = (seconds) => seconds >= 1 || !seconds ? `${+seconds.toFixed(1)} s` : `${Math.round(seconds * 1000)} ms`;
		context.fillStyle = themeColor('muted');
		context.font = '11px system-ui, sans-serif';
		context.textBaseline = 'top';
		for (let i = 0; i < 5; i++) {
			const row = Math.floor(grid.rows * i / 5);
			context.fillText(text(row * grid.rowTicks * tick_ns / 1e9), 0, row * height, LEFT - 4);
		}
		const step = Math.max(1, Math.ceil(70 / width));
		for (let column = 0; column < grid.columns; column += step)
			context.fillText(text((grid.first + column * grid.columnTicks) * tick_ns / 1e9),
				LEFT + column * width, grid.rows * height + 4);
	}

	paintActive(context, width, height) {
		const { rows } = this.grid;
		context.strokeStyle = themeColor('focus');
		context.lineWidth = 2;
		context.strokeRect(LEFT + Math.floor(this.active / rows) * width, this.active % rows * height,
			Math.max(3, width), Math.max(3, height));
	}

	point(cell) {
		const { meta } = this.recording;
		const [from, to] = this.ticksOf(cell);
		const digits = meta.tick_ns < 1e8 ? 3 : 1;
		this.active = cell;
		this.said.textContent = `${(from * meta.tick_ns / 1e9).toFixed(digits)} to ${
			(to * meta.tick_ns / 1e9).toFixed(digits)} s: ${this.amountText(this.values[cell])}`;
		this.paint();
	}

	// ---- pointer and keys ----

	cellAt(event) {
		const area = this.box.getBoundingClientRect(), { width, height } = this.cell;
		const column = Math.floor((event.clientX - area.left - LEFT) / width);
		const row = Math.floor((event.clientY - area.top) / height);
		if (column < 0 || column >= this.grid.columns || row < 0 || row >= this.grid.rows)
			return null;
		return column * this.grid.rows + row;
	}

	select(a, b, others) {
		const { ticks } = this.recording.meta;
		const from = this.ticksOf(Math.min(a, b))[0], to = Math.min(ticks, this.ticksOf(Math.max(a, b))[1]);
		if (from < to)
			this.store.set({ span: joinSpans([...others, [from, to]]) });
	}

	onDown(event) {
		const cell = this.cellAt(event);
		const more = event.ctrlKey || event.metaKey;
		if (event.button || cell === null)
			return;
		this.anchor = { cell, before: this.store.state.span, others: more && this.store.state.span || [] };
		this.box.setPointerCapture(event.pointerId);
	}

	onMove(event) {
		const cell = this.cellAt(event);
		if (cell === null || cell === this.active)
			return;
		this.point(cell);
		if (this.anchor)
			this.select(this.anchor.cell, cell, this.anchor.others);
	}

	onUp(event) {
		const cell = this.cellAt(event);
		if (this.anchor && cell !== null)
			this.select(this.anchor.cell, cell, this.anchor.others);
		this.anchor = null;
	}

	/** The browser took the drag, to scroll. */
	onCancel() {
		if (this.anchor)
			this.store.set({ span: this.anchor.before });
		this.anchor = null;
	}

	onKey(event) {
		const steps = { ArrowDown: 1, ArrowUp: -1, ArrowRight: this.grid.rows, ArrowLeft: -this.grid.rows };
		const last = this.values.length - 1;
		if (event.key in steps) {
			const from = this.active === null ? 0 : this.active;
			const cell = this.active === null ? 0 : Math.max(0, Math.min(last, from + steps[event.key]));
			if (!event.shiftKey)
				this.anchor = null;
			else
				this.anchor ||= { cell: from, before: this.store.state.span,
					others: event.ctrlKey || event.metaKey ? this.store.state.span || [] : [] };
			this.point(cell);
			if (event.shiftKey)
				this.select(this.anchor.cell, cell, this.anchor.others);
		} else if (event.key === 'Enter' && this.active !== null) {
			this.select(this.active, this.active, event.ctrlKey || event.metaKey ? this.store.state.span || [] : []);
		} else if (event.key === 'Escape') {
			this.store.set({ span: null });
		} else {
			return;
		}
		event.preventDefault();
	}
}
