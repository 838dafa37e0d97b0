// SPDX-License-Identifier: Apache-2.0
// One flame graph on a canvas as large as what is visible, with pointer and keyboard.  What its
// frames are called and how they are coloured is the caller's.
import { countText, element, shortName, sizeCanvas, themeColor } from './dom.js';
import { layOut } from './frames.js';

export const ROW = 20;
const FONT = '12px system-ui, sans-serif';
const REST_MS = 60; // a pointer that rests on a frame for this long selects it

/**
 * @typedef {import('./frames.js').Box} Box
 *
 * @typedef {object} Style what a view knows of frames
 * @property {(box: Box) => {name: string, lines: string[]}} describe
 * @property {(frame: import('./frames.js').Frame) => string} label short, on the frame
 * @property {(frame: ?import('./frames.js').Frame) => string} fill
 * @property {(frame: import('./frames.js').Frame) => boolean} hatched
 * @property {(frame: import('./frames.js').Frame) => void} onZoom
 * @property {(box: ?Box) => void} onPoint
 */

export class FlameGraph {
	/** @param {string} label @param {Style} style */
	constructor(label, style) {
		this.style = style;
		this.levels = [];
		this.active = null; // the box that has the pointer or the keyboard
		this.timer = 0;
		this.canvas = element('canvas', {});
		this.space = element('div', { class: 'space' });
		this.box = element('div', { class: 'flame', tabindex: '0', role: 'application',
			'aria-roledescription': 'flame graph', 'aria-describedby': 'flame-help',
			'aria-label': label, scroll: () => this.paint(),
			keydown: (event) => this.onKey(event), click: (event) => this.onClick(event),
			pointermove: (event) => this.onMove(event), pointerleave: () => this.leave(),
			focus: () => this.paint(), blur: () => this.paint() },
		element('div', { class: 'sticky' }, this.canvas), this.space);
		this.tip = element('div', { class: 'tip', hidden: true,
			pointerenter: () => window.clearTimeout(this.timer),
			pointerleave: () => this.leave() });
		this.root = element('div', { class: 'flame-area' }, this.box, this.tip);
	}

	/**
	 * @param {import('./frames.js').CallTree|import('./frames.js').CallerTree} tree
	 * @param {import('./frames.js').Frame} zoom
	 * @param {?Uint8Array} matches by function
	 * @param {boolean} upward the root at the bottom
	 */
	show(tree, zoom, matches, upward) {
		const turned = upward !== this.upward;
		this.tree = tree;
		this.zoom = zoom;
		this.matches = matches;
		this.upward = upward;
		this.levels = layOut(tree, zoom, this.box.clientWidth);
		this.active = null;
		this.tip.hidden = true;
		this.space.style.height = `${this.levels.length * ROW}px`;
		if (upward)
			this.box.scrollTop = this.box.scrollHeight;
		else if (turned)
			this.box.scrollTop = 0;
		this.paint();
	}

	// ---- drawing ----

	/** The y of a level on the canvas, whose top is what is scrolled to. */
	top(level) {
		const index = this.upward ? this.levels.length - 1 - level : level;
		// upwards from the bottom of the box
		const free = this.upward ? Math.max(0, this.box.clientHeight - this.levels.length * ROW) : 0;
		return free + index * ROW - this.box.scrollTop;
	}

	paint() {
		if (!this.levels.length)
			return;
		const height = this.box.clientHeight;
		const context = sizeCanvas(this.canvas, this.box.clientWidth, height);
		this.theme = { text: themeColor('text'), match: themeColor('accent'),
			focus: themeColor('focus') };
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
		const matched = this.isMatch(box);
		const dim = frame && frame.depth < this.zoom.depth || (this.matches && !matched);
		context.globalAlpha = dim ? 0.45 : 1;
		context.fillStyle = matched ? this.theme.match : this.style.fill(frame);
		context.fillRect(box.x, y, width, ROW - 1);
		context.globalAlpha = 1;
		if (!frame || this.style.hatched(frame))
			hatch(context, box.x, y, width);
		if (width < 24)
			return;
		context.fillStyle = matched ? '#ffffff' : dim ? this.theme.text : '#1b1b1b';
		context.font = frame && frame.inlined ? `italic ${FONT}` : FONT;
		const label = frame ? this.style.label(frame) : `${countText(box.count)} smaller`;
		context.fillText(shortName(label, Math.floor((width - 6) / 6.4)), box.x + 4, y + ROW / 2, width - 6);
	}

	isMatch(box) {
		return Boolean(this.matches && box.frame && box.frame.fn >= 0 && this.matches[box.frame.fn]);
	}

	paintActive(context) {
		const { box, level } = this.active;
		context.strokeStyle = this.theme.focus;
		context.lineWidth = 2;
		context.strokeRect(box.x + 1, this.top(level) + 1, Math.max(1, box.width - 3), ROW - 3);
	}

	// ---- the pointer ----

	boxAt(event) {
		const area = this.box.getBoundingClientRect();
		const y = event.clientY - area.top - this.box.clientTop;
		const row = Math.floor((y - this.top(this.upward ? this.levels.length - 1 : 0)) / ROW);
		const level = this.upward ? this.levels.length - 1 - row : row;
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
		this.style.onPoint(at && at.box);
		this.paint();
		this.tip.hidden = !at;
		if (!at)
			return;
		const { name, lines } = this.style.describe(at.box);
		this.tip.replaceChildren(element('strong', {}, name), ...lines.map((line) => element('div', {}, line)));
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
		this.tip.hidden = true;
		if (at && at.box.frame)
			this.style.onZoom(at.box.frame);
	}

	// ---- the keyboard ----

	onKey(event) {
		const at = this.active || { box: this.levels[this.zoom.depth][0], level: this.zoom.depth };
		const [out, into] = this.upward ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown'];
		const level = this.levels[at.level], index = level.indexOf(at.box);
		let next = null;
		if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
			next = { level: at.level, box: level[index + (event.key === 'ArrowLeft' ? -1 : 1)] };
		else if (event.key === 'Home')
			next = { level: 0, box: this.levels[0][0] };
		else if (event.key === out && at.level > 0)
			next = { level: at.level - 1, box: this.parentBox(at) };
		else if (event.key === into && at.box.frame)
			next = { level: at.level + 1, box: this.childBox(at) };
		else if (event.key === 'Enter' && at.box.frame)
			this.style.onZoom(at.box.frame);
		else if ((event.key === 'Escape' || event.key === 'Backspace') && this.zoom.parent)
			this.style.onZoom(this.zoom.parent);
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
		this.style.onPoint(at.box);
		this.paint();
	}

	/** To the next or the previous match. */
	step(by) {
		const found = this.levels.flatMap((boxes, level) =>
			boxes.filter((box) => this.isMatch(box)).map((box) => ({ box, level })));
		if (!found.length)
			return;
		const now = found.findIndex((at) => this.active && at.box === this.active.box);
		const next = now < 0 ? (by > 0 ? 0 : found.length - 1) : (now + by + found.length) % found.length;
		this.activate(found[next]);
	}
}

/** Slanted lines: a sign besides the colour. */
function hatch(context, x, y, width) {
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
