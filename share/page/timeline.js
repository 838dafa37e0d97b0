// SPDX-License-Identifier: Apache-2.0
// CPU use over time: of all selected threads in a strip above every view, and of each thread.
// Dragging, or the arrow keys, select a span, and all views then show that span alone.
import { sumTime } from './aggregate.js';
import { amountText, countText, element, percentText, shortName, sizeCanvas, themeColor, timeText, waitsText } from './dom.js';
import { BRUSH_KEYS, cpusText, makeBrush, scaleFor } from './lanes.js';

export const LANE = 26;
const SPARE_LABELS = 6;
const STRIP = 64;
const LABEL = 200; // see page.css

/** The strip above every view. */
export class TimeStrip {
	constructor(recording, store, lanes, notes) {
		this.recording = recording;
		this.store = store;
		this.lanes = lanes;
		this.notes = notes;
		this.canvas = element('canvas', {});
		this.area = element('div', { class: 'strip', tabindex: '0', role: 'group',
			'aria-label': `CPU use over time. Drag to select a span, with Ctrl one more; with the keyboard: ${BRUSH_KEYS}.` },
		this.canvas);
		this.axis = element('div', { class: 'ticks', 'aria-hidden': 'true' });
		this.root = element('div', {}, this.area, this.axis);
		makeBrush(this.area, lanes, store, () => 0);
		new ResizeObserver(() => this.draw()).observe(this.area);
	}

	draw() {
		const width = Math.floor(this.area.clientWidth);
		if (!width)
			return;
		const context = sizeCanvas(this.canvas, width, STRIP);
		const values = this.lanes.all(width);
		const cpus = Math.max(...this.recording.meta.experiments.map((e) => e.cpus), 1);
		const highest = values.reduce((a, b) => Math.max(a, b), 0);
		this.most = scaleFor(highest, this.lanes.isTime() ? cpus : 0);
		this.lanes.paint(context, values, 0, 0, STRIP, this.most);
		this.lanes.paintLosses(context, null, 0, 0, width, STRIP);
		this.lanes.paintSpan(context, 0, width, STRIP);
		this.paintNotes(context, width);
		this.ratioMost = this.lanes.ratio ? this.lanes.paintRatio(context, width, STRIP) : 0;
		this.paintScale(context);
		this.drawAxis(width);
	}

	/** On a ground of its own: what it is written on may be of any height. */
	paintScale(context) {
		const text = this.scaleText();
		context.font = '11px system-ui, sans-serif';
		context.textBaseline = 'top';
		context.fillStyle = themeColor('background');
		context.fillRect(1, 1, context.measureText(text).width + 6, text ? 15 : 0);
		context.fillStyle = themeColor('text');
		context.fillText(text, 4, 3);
	}

	/** A line below each span with a note, and its name. */
	paintNotes(context, width) {
		context.font = '11px system-ui, sans-serif';
		context.textBaseline = 'bottom';
		for (const note of this.notes.list.filter(({ kind }) => kind === 'span')) {
			for (const [first, end] of note.span) {
				const from = Math.max(0, this.lanes.xOf(first, width)), to = Math.min(width, this.lanes.xOf(end, width));
				if (to <= from)
					continue;
				const text = shortName(`✎ ${note.name}`, Math.max(1, Math.floor((to - from) / 6.4)));
				context.fillStyle = themeColor('background');
				if (text)
					context.fillRect(from + 1, STRIP - 18, context.measureText(text).width + 4, 15);
				context.fillStyle = themeColor('text');
				context.fillRect(from, STRIP - 3, Math.max(3, to - from), 3);
				context.fillText(text, from + 3, STRIP - 5);
			}
		}
	}

	scaleText() {
		const { ratio } = this.lanes;
		return [this.heightText(), ratio && `line: ${ratio.label}, up to ${this.lanes.ratioAmount(this.ratioMost)}`]
			.filter(Boolean).join(' · ');
	}

	heightText() {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		if (!metric)
			return '';
		return this.lanes.isTime() ? `height: ${cpusText(this.most)}`
			: `height: ${metric.state ? waitsText(metric, this.most)
				: `${countText(Math.round(this.most))} ${metric.unit}/s`}`;
	}

	drawAxis(width) {
		const [first, end] = this.lanes.window;
		const parts = Math.max(1, Math.min(8, Math.floor(width / 90)));
		const marks = [];
		for (let i = 0; i <= parts; i++)
			marks.push(element('span', {}, timeText(this.recording.meta, first + (end - first) * i / parts)));
		this.axis.replaceChildren(...marks);
	}
}

/** The view with a lane for each thread. */
export class LanesView {
	constructor(recording, store, lanes) {
		this.recording = recording;
		this.store = store;
		this.lanes = lanes;
		this.lane = LANE; // how high one is
		this.canvas = element('canvas', { 'aria-hidden': 'true' });
		this.labels = element('div', { class: 'labels' });
		this.shown = new Map(); // labels, by row
		this.box = element('div', { class: 'lanes', tabindex: '0', role: 'group',
			'aria-label': `Threads over time. Drag to select a span; ${BRUSH_KEYS}.`,
			scroll: () => this.drawVisible() },
		element('div', { class: 'sticky' }, this.canvas), this.labels);
		this.help = element('p', { class: 'muted' });
		this.root = element('div', { class: 'column' }, this.help, this.box);
		makeBrush(this.box, lanes, store, () => this.labelWidth());
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	labelWidth() {
		return Math.min(LABEL, Math.floor(this.box.clientWidth * 0.4));
	}

	/** The busiest first, each with what it has of the whole recording. */
	order() {
		const series = this.recording.series[this.store.state.metric];
		const weight = this.recording.meta.threads.map((_, t) =>
			series ? sumTime(series, t, 0, this.recording.meta.ticks, 1)[0] : 0);
		return weight.map((w, t) => ({ t, weight: w })).filter((row) => row.weight > 0)
			.sort((a, b) => b.weight - a.weight || a.t - b.t);
	}

	draw() {
		if (!this.box.clientWidth)
			return;
		const before = /** @type {HTMLElement} */ (document.activeElement);
		const focused = this.labels.contains(before) ? before.dataset.key : '';
		this.rows = this.order();
		this.shown.clear();
		this.drawVisible();
		this.labels.style.width = `${this.labelWidth()}px`;
		this.labels.style.height = `${this.rows.length * this.lane}px`;
		this.focusAgain(focused);
	}

	/** On the new button of the same KEY. */
	focusAgain(key) {
		const button = key && [...this.labels.querySelectorAll('button')].find(({ dataset }) => dataset.key === key);
		if (button)
			button.focus({ preventScroll: true });
	}

	drawVisible() {
		this.drawLabels();
		this.paint();
	}

	/** Those of the lanes in sight.  One that has the focus keeps it: what is there stays. */
	drawLabels() {
		if (!this.rows)
			return;
		const first = Math.max(0, Math.floor(this.box.scrollTop / this.lane) - SPARE_LABELS);
		const end = Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / this.lane) + 2 * SPARE_LABELS);
		const next = new Map();
		const focused = [...this.shown].find(([, label]) => label.contains(document.activeElement));
		for (let i = first; i < end; i++)
			next.set(i, this.shown.get(i) || this.placedLabel(i));
		if (focused && !next.has(focused[0]))
			next.set(...focused);
		for (const label of [...this.labels.children])
			if (![...next.values()].includes(label))
				label.remove();
		this.shown = new Map([...next].sort(([a], [b]) => a - b));
		let before = null;
		for (const label of this.shown.values()) {
			const there = before ? before.nextSibling : this.labels.firstChild;
			if (there !== label)
				this.labels.insertBefore(label, there);
			before = label;
		}
	}

	placedLabel(i) {
		const label = this.label(this.rows[i]);
		label.style.top = `${i * this.lane}px`;
		return label;
	}

	nameOf(t) {
		const thread = this.recording.meta.threads[t];
		return `${thread.name} ${thread.tid}`;
	}

	/** Of a row of order(). */
	threadsOf({ t }) {
		return [t];
	}

	label({ t, weight }) {
		const thread = this.recording.meta.threads[t];
		const { threads, metric } = this.store.state;
		const info = this.recording.meta.metrics[metric];
		const many = this.recording.meta.experiments.length > 1 ? `, experiment ${thread.experiment + 1}` : '';
		const title = `${thread.name}, thread ${thread.tid} of process ${thread.pid} ${thread.process}${many}: ${amountText(info, weight)}, ${percentText(weight, info.total.weight)} of all`;
		return element('button', { type: 'button', title, class: 'label', 'data-key': `t${t}`,
			'aria-pressed': String(Boolean(threads && threads.has(t))),
			click: (event) => this.choose([t], event.ctrlKey || event.metaKey) },
		this.nameOf(t));
	}

	/** These alone, or if they are, all; ADD: besides the others. */
	choose(chosen, add) {
		const { threads } = this.store.state;
		const next = new Set(add && threads ? threads : []);
		const all = (set) => chosen.every((t) => set.has(t));
		const off = threads && all(threads) && (add || threads.size === chosen.length);
		for (const t of chosen)
			next[off ? 'delete' : 'add'](t);
		this.store.set({ threads: next.size ? next : null });
	}

	/** As high as one CPU, unless no thread uses a quarter of one; of a rate, its highest. */
	updateScale(width) {
		const each = this.recording.meta.threads.map((_, t) => [t]);
		this.most = scaleFor(this.lanes.peak('threads', each, width), this.lanes.isTime() ? 1 : 0);
		this.help.textContent = `Each lane is a thread, the busiest first, ${
			this.lanes.isTime() ? `${cpusText(this.most)} high` : 'all on one scale'
		}. Click a name to show that thread alone, with Ctrl to add or remove it. Hatched: records were lost there.`;
	}

	paint() {
		const width = this.box.clientWidth, height = this.box.clientHeight;
		const left = this.labelWidth(), lane = Math.floor(width - left);
		if (lane <= 0 || !this.rows)
			return;
		const context = sizeCanvas(this.canvas, width, height);
		const { threads } = this.store.state;
		this.updateScale(lane);
		const first = Math.floor(this.box.scrollTop / this.lane);
		for (let i = first; i < this.rows.length && i * this.lane - this.box.scrollTop < height; i++) {
			const row = this.rows[i], y = i * this.lane - this.box.scrollTop;
			context.globalAlpha = !threads || this.threadsOf(row).some((t) => threads.has(t)) ? 1 : 0.35;
			this.paintLane(context, row, left, y, lane);
			context.globalAlpha = 1;
		}
		this.lanes.paintSpan(context, left, lane, Math.min(height, this.rows.length * this.lane - this.box.scrollTop));
	}

	paintLane(context, { t }, left, y, width) {
		this.paintUse(context, this.lanes.values(t, [t], width), [t], { left, y, width, most: this.most });
	}

	paintUse(context, values, threads, { left, y, width, most }) {
		this.lanes.paint(context, values, left, y + 2, this.lane - 4, most);
		this.lanes.paintLosses(context, threads, left, y + 2, width, this.lane - 4);
		context.fillStyle = themeColor('rule');
		context.fillRect(0, y + this.lane - 1, left + width, 1);
	}
}

