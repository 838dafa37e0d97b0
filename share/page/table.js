// SPDX-License-Identifier: Apache-2.0
// A table that sorts, with one selected row.
import { element } from './dom.js';
import { VirtualRows } from './rows.js';

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {boolean} [number] aligned right, sorted from high to low first
 * @property {(row: any) => string} text
 * @property {(row: any) => number|string} value for sorting
 * @property {(row: any) => boolean} [grey] not significant
 * @property {string} [hint] what it is, and why it is not known
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
		this.heads = options.columns.map((column) => this.makeHead(column));
		this.table = element('table', { role: 'grid', 'aria-label': options.label },
			element('thead', { role: 'presentation' }, element('tr', { role: 'row' }, ...this.heads)));
		this.rowsView = new VirtualRows({ table: this.table, makeRow: (i) => this.makeRow(i),
			box: { tabindex: '0', role: 'group', 'aria-label': `${options.label}: arrow keys select`,
				keydown: (event) => this.onKey(event) } });
		this.box = this.rowsView.box;
	}

	makeHead(column) {
		return element('th', { role: 'columnheader', scope: 'col', class: `${column.number ? 'n ' : ''}col-${column.key}` },
			element('button', { type: 'button', title: column.hint, click: () => this.sortBy(column) },
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
		this.rowsView.show(this.rows.length);
	}

	makeRow(i) {
		const row = this.rows[i];
		const cells = this.options.columns.map((column) => {
			const text = column.text(row);
			const classes = [column.number ? 'n' : 'name', `col-${column.key}`,
				column.grey && column.grey(row) ? 'grey' : ''].join(' ').trim();
			return element('td', { role: 'gridcell', class: classes, title: column.number ? null : text }, text);
		});
		return element('tr', { role: 'row', 'aria-rowindex': String(i + 2),
			'aria-selected': String(i === this.selected),
			click: () => this.select(i),
			dblclick: () => this.options.onOpen && this.options.onOpen(row) }, ...cells);
	}

	select(i) {
		this.selected = Math.max(0, Math.min(this.rows.length - 1, i));
		if (!this.rows.length)
			return;
		this.rowsView.reveal(this.selected);
		this.options.onSelect(this.rows[this.selected]);
	}

	onKey(event) {
		const { page } = this.rowsView;
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
