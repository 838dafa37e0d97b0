// SPDX-License-Identifier: Apache-2.0
// Any number of rows in a table that scrolls; only the visible ones are in the document.
import { element } from './dom.js';

export const ROW_HEIGHT = 24; // see page.css
const SPARE_ROWS = 8;
/** Browsers draw no element higher than some ten million pixels. */
const HEIGHT_MOST = 8e6;

export class VirtualRows {
	/**
	 * @param {object} options
	 * @param {any} options.table with a head
	 * @param {Record<string, any>} options.box attributes of the element that scrolls
	 * @param {(i: number) => any} options.makeRow
	 */
	constructor(options) {
		this.options = options;
		this.count = 0;
		this.body = element('tbody', { role: 'presentation' });
		this.drawn = null;
		options.table.append(this.body);
		this.box = element('div', { class: 'rows', ...options.box, scroll: () => this.draw() }, options.table);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	/** Rows a screen has. */
	get page() {
		return Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 2);
	}

	/** @param {number} count */
	show(count) {
		this.count = count;
		this.drawn = null;
		this.draw();
	}

	draw() {
		if (!this.box.clientHeight)
			return;
		const height = Math.min(this.count * ROW_HEIGHT, HEIGHT_MOST);
		const scroll = this.count ? this.box.scrollTop * (this.count * ROW_HEIGHT / height) : 0;
		const first = Math.max(0, Math.floor(scroll / ROW_HEIGHT) - SPARE_ROWS);
		const end = Math.min(this.count, first + this.page + 2 + 2 * SPARE_ROWS);
		const rows = [];
		if (this.drawn === `${first}.${end}`)
			return;
		this.drawn = `${first}.${end}`;
		for (let i = first; i < end; i++)
			rows.push(this.options.makeRow(i));
		const above = Math.min(first * ROW_HEIGHT * (height / (this.count * ROW_HEIGHT || 1)), height);
		const below = Math.max(0, height - above - rows.length * ROW_HEIGHT);
		this.body.replaceChildren(spacer(above), ...rows, spacer(below));
	}

	/** Scrolls so that row I is seen, and draws. */
	reveal(i) {
		const top = i * ROW_HEIGHT, height = this.box.clientHeight - this.options.table.tHead.offsetHeight - ROW_HEIGHT;
		const factor = Math.max(1, this.count * ROW_HEIGHT / HEIGHT_MOST);
		if (top / factor < this.box.scrollTop)
			this.box.scrollTop = top / factor;
		else if (top > this.box.scrollTop * factor + height)
			this.box.scrollTop = (top - height) / factor;
		this.drawn = null;
		this.draw();
	}
}

/** In place of rows that are not drawn. */
function spacer(height) {
	const cell = element('td', {});
	const row = element('tr', { 'aria-hidden': 'true', class: 'spacer' }, cell);
	cell.style.height = `${height}px`;
	row.hidden = !height;
	return row;
}
