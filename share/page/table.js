// SPDX-License-Identifier: Apache-2.0
// A table of any number of rows; only the visible ones are in the document.
import { element } from './dom.js';

const ROW_HEIGHT = 24;
const SPARE_ROWS = 8;

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {boolean} [number] aligned right, sorted from high to low first
 * @property {(row: any) => string} text
 * @property {(row: any) => number|string} value for sorting
 * @property {(row: any) => boolean} [grey] not significant
 */

export class VirtualTable {
	/**
	 * @param {object} options
	 * @param {string} options.label
	 * @param {Column[]} options.columns
	 * @param {string} options.sort as in State
	 * @param {(sort: string) => void} options.onSort
	 * @param {(row: any) => void} options.onSelect
	 * @param {(row: any) => void} [options.onOpen] a double click, or Enter
	 */
	constructor(options) {
		this.options = options;
		this.rows = [];
		this.selected = -1;
		this.body = element('tbody');
		this.heads = options.columns.map((column) => this.makeHead(column));
		this.table = element('table', { role: 'grid', 'aria-label': options.label },
			element('thead', {}, element('tr', {}, ...this.heads)), this.body);
		this.box = element('div', { class: 'rows', tabindex: '0',
			'aria-label': `${options.label}: arrow keys select`,
			role: 'group',
			scroll: () => this.draw(), keydown: (event) => this.onKey(event) }, this.table);
		new ResizeObserver(() => this.draw()).observe(this.box);
	}

	makeHead(column) {
		return element('th', { scope: 'col', class: `${column.number ? 'n ' : ''}col-${column.key}` },
			element('button', { type: 'button', click: () => this.sortBy(column) },
				column.title));
	}

	sortBy(column) {
		const down = this.options.sort === column.key;
		this.options.onSort(down ? `-${column.key}` : column.key);
	}

	/** @param {any[]} rows @param {string} sort @param {(row: any) => boolean} isSelected */
	show(rows, sort, isSelected) {
		this.options.sort = sort;
		const key = sort.replace(/^-/, '');
		const column = this.options.columns.find((c) => c.key === key) || this.options.columns[0];
		const up = sort.startsWith('-') === Boolean(column.number);
		this.rows = rows.map((row) => ({ row, value: column.value(row) }));
		this.rows.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (up ? 1 : -1));
		this.rows = this.rows.map((r) => r.row);
		this.selected = this.rows.findIndex(isSelected);
		this.heads.forEach((head, i) => {
			const on = this.options.columns[i] === column;
			head.setAttribute('aria-sort', on ? (up ? 'ascending' : 'descending') : 'none');
		});
		this.table.setAttribute('aria-rowcount', String(rows.length + 1));
		this.draw();
	}

	draw() {
		const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
		const shown = Math.ceil((this.box.clientHeight || 400) / ROW_HEIGHT) + 2 * SPARE_ROWS;
		const end = Math.min(this.rows.length, first + shown);
		const rows = [];
		for (let i = first; i < end; i++)
			rows.push(this.makeRow(i));
		this.body.replaceChildren(spacer(first), ...rows, spacer(this.rows.length - end));
	}

	makeRow(i) {
		const row = this.rows[i];
		const cells = this.options.columns.map((column) => {
			const text = column.text(row);
			const classes = [column.number ? 'n' : 'name', `col-${column.key}`,
				column.grey && column.grey(row) ? 'grey' : ''].join(' ').trim();
			return element('td', { class: classes, title: column.number ? null : text }, text);
		});
		return element('tr', { 'aria-rowindex': String(i + 2),
			'aria-selected': String(i === this.selected),
			click: () => this.select(i),
			dblclick: () => this.options.onOpen && this.options.onOpen(row) }, ...cells);
	}

	select(i) {
		this.selected = Math.max(0, Math.min(this.rows.length - 1, i));
		if (!this.rows.length)
			return;
		const top = this.selected * ROW_HEIGHT, height = this.box.clientHeight - 2 * ROW_HEIGHT;
		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top > this.box.scrollTop + height)
			this.box.scrollTop = top - height;
		this.draw();
		this.options.onSelect(this.rows[this.selected]);
	}

	onKey(event) {
		const page = Math.floor(this.box.clientHeight / ROW_HEIGHT) - 2;
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
			Home: -this.rows.length, End: this.rows.length };
		if (event.target !== this.box)
			return;
		if (event.key in steps)
			this.select(this.selected + steps[event.key]);
		else if (event.key === 'Enter' && this.selected >= 0 && this.options.onOpen)
			this.options.onOpen(this.rows[this.selected]);
		else
			return;
		event.preventDefault();
	}
}

/** In place of COUNT rows. */
function spacer(count) {
	const cell = element('td', {});
	const row = element('tr', { 'aria-hidden': 'true', class: 'spacer' }, cell);
	cell.style.height = `${count * ROW_HEIGHT}px`;
	row.hidden = !count;
	return row;
}
