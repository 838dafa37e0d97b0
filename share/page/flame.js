// SPDX-License-Identifier: Apache-2.0
// The flame graph: widths are shares of the selection, merged over time.
import { sumMatches } from './aggregate.js';
import { colorsOf, isArtificial, objectName } from './colors.js';
import { amountText, countText, element, percentText, shortName, sizeCanvas, themeColor } from './dom.js';
import { CallTree, CallerTree, frameAt, layOut } from './frames.js';
import { amountInterval } from './interval.js';

const ROW = 20;
const FONT = '12px system-ui, sans-serif';
const REST_MS = 60; // a pointer that rests on a frame for this long selects it

export class FlameView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		this.levels = [];
		this.active = null; // the box that has the pointer or the keyboard
		this.timer = 0;
		this.canvas = element('canvas', {});
		this.space = element('div', { class: 'space' });
		this.box = element('div', { class: 'flame', tabindex: '0', role: 'application',
			'aria-roledescription': 'flame graph', 'aria-describedby': 'flame-help',
			'aria-label': 'Flame graph', scroll: () => this.paint(),
			keydown: (event) => this.onKey(event), click: (event) => this.onClick(event),
			pointermove: (event) => this.onMove(event), pointerleave: () => this.leave(),
			focus: () => this.paint(), blur: () => this.paint() },
		element('div', { class: 'sticky' }, this.canvas), this.space);
		this.details = element('p', { class: 'details', role: 'status' });
		this.tip = element('div', { class: 'tip', hidden: true,
			pointerenter: () => window.clearTimeout(this.timer),
			pointerleave: () => this.leave() });
		this.legend = element('ul', { class: 'legend', 'aria-label': 'Colours' });
		this.root = element('div', { class: 'column' }, this.makeBar(), this.details, this.box,
			element('p', { class: 'axis' }, 'share of the selection, merged over time; the order means nothing'),
			this.legend, this.tip);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	// ---- the bar ----

	makeBar() {
		const set = (change) => () => this.store.set(change());
		this.search = element('input', { type: 'search', placeholder: 'Search: regular expression',
			'aria-label': 'Search functions by a regular expression', class: 'search',
			input: set(() => ({ search: this.search.value })),
			keydown: (event) => event.key === 'Enter' && this.step(event.shiftKey ? -1 : 1) });
		this.found = element('span', { class: 'muted', role: 'status' });
		this.steps = [this.button('‹', 'Previous match', () => this.step(-1)),
			this.button('›', 'Next match', () => this.step(1))];
		this.inverted = this.toggle('Callers', 'Inverted: what ran, and below it its callers',
			() => this.store.set({ inverted: !this.store.state.inverted, zoom: '' }));
		this.flame = this.toggle('Flames', 'Root at the bottom',
			() => this.store.set({ flame: !this.store.state.flame }));
		this.color = this.toggle('By object', 'Colours by object, not by kind',
			() => this.store.set({ color: this.store.state.color === 'object' ? 'kind' : 'object' }));
		this.reset = this.button('Whole', 'Leave the zoom', () => this.zoomTo(this.tree.root));
		return element('div', { class: 'bar' }, this.search, ...this.steps, this.found,
			element('span', { class: 'gap' }), this.reset, this.inverted, this.flame, this.color,
			element('p', { id: 'flame-help', class: 'hidden' },
				'Arrow keys move between frames, Enter zooms in, Escape zooms out.'));
	}

	button(text, title, click) {
		return element('button', { type: 'button', title, 'aria-label': title, click }, text);
	}

	toggle(text, title, click) {
		return element('button', { type: 'button', title, 'aria-pressed': 'false', click }, text);
	}

	// ---- what is shown ----

	/** @param {import('./aggregate.js').Sums} sums of the selection */
	setSums(sums) {
		this.sums = sums;
		this.tree = null;
	}

	draw() {
		const state = this.store.state;
		const width = this.box.clientWidth;
		if (!this.sums || !width)
			return;
		const kind = state.inverted ? CallerTree : CallTree;
		if (!(this.tree instanceof kind))
			this.tree = new kind(this.recording, this.sums);
		this.zoom = frameAt(this.tree, state.zoom);
		this.levels = layOut(this.tree, this.zoom, width);
		this.active = null;
		this.tip.hidden = true;
		this.space.style.height = `${this.levels.length * ROW}px`;
		this.updateBar();
		this.updateMatches();
		this.updateColors();
		if (state.flame)
			this.box.scrollTop = this.box.scrollHeight;
		this.show(null);
		this.paint();
	}

	updateBar() {
		const state = this.store.state;
		this.inverted.setAttribute('aria-pressed', String(state.inverted));
		this.flame.setAttribute('aria-pressed', String(state.flame));
		this.color.setAttribute('aria-pressed', String(state.color === 'object'));
		this.reset.disabled = !this.zoom.parent;
		if (this.search.value !== state.search)
			this.search.value = state.search;
	}

	updateMatches() {
		const { names } = this.recording;
		const text = this.store.state.search;
		let pattern = null;
		this.matches = null;
		try {
			pattern = text ? new RegExp(text, 'i') : null;
			this.found.textContent = '';
		} catch {
			this.found.textContent = 'not a regular expression';
		}
		this.search.setAttribute('aria-invalid', String(Boolean(text) && !pattern));
		if (pattern) {
			this.matches = Uint8Array.from(names, (name) => pattern.test(name) ? 1 : 0);
			const sum = sumMatches(this.recording, this.sums, this.matches);
			const count = this.matches.reduce((a, b) => a + b, 0);
			this.found.textContent = count ? `${percentText(sum.weight, this.sums.weight[0])} of all, in ` +
				`${countText(count)} function${count === 1 ? '' : 's'}` : 'no function matches';
			this.matches = count ? this.matches : null;
		}
		for (const button of this.steps)
			button.disabled = !this.matches;
	}

	updateColors() {
		const weight = new Float64Array(this.recording.names.length);
		for (let n = 1; n < this.recording.parent.length; n++)
			weight[this.recording.functionOf[n]] += this.sums.ownWeight[n];
		this.colors = colorsOf(this.recording, this.store.state.color, weight);
		const items = this.colors.legend.map(({ label, color }) => {
			const swatch = element('span', { class: 'swatch' });
			swatch.style.background = color;
			return element('li', {}, swatch, label);
		});
		this.legend.replaceChildren(...items,
			element('li', {}, element('i', {}, 'italic'), ': inlined'),
			element('li', {}, 'hatched: no code, such as an incomplete stack'));
	}

	// ---- drawing ----

	/** The y of a level on the canvas, of which the top is what is scrolled to. */
	top(level) {
		const index = this.store.state.flame ? this.levels.length - 1 - level : level;
		return index * ROW - this.box.scrollTop;
	}

	paint() {
		if (!this.levels.length)
			return;
		const width = this.box.clientWidth, height = this.box.clientHeight;
		const context = sizeCanvas(this.canvas, width, height);
		this.theme = { text: themeColor('text'), match: themeColor('accent'),
			line: themeColor('background'), focus: themeColor('focus') };
		context.font = FONT;
		context.textBaseline = 'middle';
		for (let level = 0; level < this.levels.length; level++) {
			const y = this.top(level);
			if (y + ROW < 0 || y > height)
				continue;
			for (const box of this.levels[level])
				this.paintBox(context, box, y);
		}
		if (this.active)
			this.paintActive(context);
	}

	paintBox(context, box, y) {
		const { frame } = box;
		const width = Math.max(0.5, box.width - (box.width > 3 ? 1 : 0));
		const matched = frame && frame.fn >= 0 && this.matches && this.matches[frame.fn];
		const above = frame && frame.depth < this.zoom.depth;
		context.globalAlpha = above || (this.matches && !matched) ? 0.45 : 1;
		context.fillStyle = matched ? this.theme.match : this.fillOf(frame);
		context.fillRect(box.x, y, width, ROW - 1);
		context.globalAlpha = 1;
		if (!frame || (frame.fn >= 0 && isArtificial(this.recording, frame.fn)))
			this.hatch(context, box.x, y, width);
		if (width < 24)
			return;
		context.fillStyle = matched ? '#ffffff' : above || (this.matches && !matched) ? this.theme.text : '#1b1b1b';
		context.font = frame && frame.inlined ? `italic ${FONT}` : FONT;
		const text = shortName(this.nameOf(box), Math.floor((width - 6) / 6.4));
		context.fillText(text, box.x + 4, y + ROW / 2, width - 6);
	}

	fillOf(frame) {
		return frame && frame.fn >= 0 ? this.colors.of[frame.fn] : '#d5d5d5';
	}

	/** Slanted lines: a sign besides the colour. */
	hatch(context, x, y, width) {
		context.save();
		context.beginPath();
		context.rect(x, y, width, ROW - 1);
		context.clip();
		context.strokeStyle = 'rgba(0, 0, 0, 0.16)';
		context.beginPath();
		for (let at = x - ROW; at < x + width; at += 7) {
			context.moveTo(at, y + ROW);
			context.lineTo(at + ROW, y);
		}
		context.stroke();
		context.restore();
	}

	paintActive(context) {
		const { box, level } = this.active;
		context.strokeStyle = this.theme.focus;
		context.lineWidth = 2;
		context.strokeRect(box.x + 1, this.top(level) + 1, Math.max(1, box.width - 3), ROW - 3);
	}

	// ---- text ----

	nameOf(box) {
		if (!box.frame)
			return `${countText(box.count)} smaller`;
		return box.frame.fn < 0 ? 'all' : this.recording.names[box.frame.fn];
	}

	/** Share of all and of what is zoomed to, both named. */
	sharesOf(box) {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		if (!metric)
			return '';
		const whole = this.sums.weight[0];
		const [low, high] = amountInterval(metric, box.samples, box.weight);
		const parts = [`${percentText(box.weight, whole)} of all`];
		if (this.zoom.parent && box.weight <= this.zoom.weight)
			parts.push(`${percentText(box.weight, this.zoom.weight)} of ${shortName(this.nameOf({ frame: this.zoom }), 40)}`);
		parts.push(amountText(metric, box.weight));
		if (high > low && whole)
			parts.push(`95 %: ${(100 * low / whole / metric.scale).toFixed(2)} to ${(100 * high / whole / metric.scale).toFixed(2)} %`);
		parts.push(`${countText(box.samples)} samples`);
		return parts.join(' · ');
	}

	placeOf(box) {
		if (!box.frame || box.frame.fn < 0)
			return '';
		const object = this.recording.meta.objects[this.recording.objectOf[box.frame.fn]];
		return `${objectName(object.path)}${box.frame.inlined ? ', inlined' : ''}`;
	}

	show(box) {
		this.details.textContent = box
			? [this.nameOf(box), this.placeOf(box), this.sharesOf(box)].filter(Boolean).join(' — ')
			: 'Point at a frame, or focus the graph and use the arrow keys. A click or Enter zooms in, Escape out.';
	}

	// ---- the pointer ----

	boxAt(event) {
		const area = this.box.getBoundingClientRect();
		const row = Math.floor((event.clientY - area.top + this.box.scrollTop) / ROW);
		const level = this.store.state.flame ? this.levels.length - 1 - row : row;
		const x = event.clientX - area.left;
		const box = (this.levels[level] || []).find((b) => b.x <= x && x < b.x + b.width);
		return box ? { box, level } : null;
	}

	onMove(event) {
		const at = this.boxAt(event);
		const { clientX, clientY } = event;
		window.clearTimeout(this.timer);
		if (at && this.active && at.box === this.active.box && !this.tip.hidden)
			return;
		this.timer = window.setTimeout(() => this.point(at, clientX, clientY), REST_MS);
	}

	point(at, x, y) {
		this.active = at;
		this.show(at && at.box);
		this.paint();
		this.tip.hidden = !at;
		if (!at)
			return;
		this.tip.replaceChildren(element('strong', {}, this.nameOf(at.box)),
			element('div', {}, this.placeOf(at.box)), element('div', {}, this.sharesOf(at.box)));
		const width = this.tip.offsetWidth, height = this.tip.offsetHeight;
		const below = y + 14 + height < window.innerHeight;
		this.tip.style.left = `${Math.max(4, Math.min(x + 8, window.innerWidth - width - 8))}px`;
		this.tip.style.top = `${below ? y + 14 : Math.max(4, y - 14 - height)}px`;
	}

	leave() {
		window.clearTimeout(this.timer);
		this.timer = window.setTimeout(() => { this.tip.hidden = true; }, 4 * REST_MS);
	}

	onClick(event) {
		const at = this.boxAt(event);
		if (at && at.box.frame)
			this.zoomTo(at.box.frame);
	}

	zoomTo(frame) {
		const place = frame.parent ? this.tree.constructor.place(frame) : '';
		this.tip.hidden = true;
		this.store.set({ zoom: place, ...frame.fn >= 0 ? { fn: frame.fn } : {} }, true);
	}

	// ---- the keyboard ----

	onKey(event) {
		const at = this.active || { box: this.levels[this.zoom.depth][0], level: this.zoom.depth };
		const out = this.store.state.flame ? 'ArrowDown' : 'ArrowUp';
		const into = this.store.state.flame ? 'ArrowUp' : 'ArrowDown';
		const level = this.levels[at.level], index = level.indexOf(at.box);
		let next = null;
		if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
			next = { level: at.level, box: level[index + (event.key === 'ArrowLeft' ? -1 : 1)] };
		else if (event.key === out && at.level > 0)
			next = { level: at.level - 1, box: this.parentBox(at) };
		else if (event.key === into && at.box.frame)
			next = { level: at.level + 1, box: this.childBox(at) };
		else if (event.key === 'Enter' && at.box.frame)
			this.zoomTo(at.box.frame);
		else if ((event.key === 'Escape' || event.key === 'Backspace') && this.zoom.parent)
			this.zoomTo(this.zoom.parent);
		else
			return;
		event.preventDefault();
		if (next && next.box)
			this.activate(next);
	}

	parentBox(at) {
		const parent = at.box.frame ? at.box.frame.parent : at.box.parent;
		return this.levels[at.level - 1].find((box) => box.frame === parent);
	}

	childBox(at) {
		return (this.levels[at.level + 1] || []).find((box) =>
			(box.frame ? box.frame.parent : box.parent) === at.box.frame);
	}

	activate(at) {
		this.active = at;
		const y = this.top(at.level);
		if (y < 0 || y + ROW > this.box.clientHeight)
			this.box.scrollTop += y - this.box.clientHeight / 2;
		this.show(at.box);
		this.paint();
	}

	/** To the next or the previous match. */
	step(by) {
		const found = this.levels.flatMap((boxes, level) => boxes
			.filter((box) => box.frame && box.frame.fn >= 0 && this.matches && this.matches[box.frame.fn])
			.map((box) => ({ box, level })));
		if (!found.length)
			return;
		const now = found.findIndex((at) => this.active && at.box === this.active.box);
		const next = now < 0 ? (by > 0 ? 0 : found.length - 1) : (now + by + found.length) % found.length;
		this.activate(found[next]);
	}
}
