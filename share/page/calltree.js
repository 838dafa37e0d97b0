// SPDX-License-Identifier: Apache-2.0
// The call tree, top-down or from what ran up to its callers: rows that are made when they are
// opened, so depth and size do not matter.
import { objectName } from './colors.js';
import { amountText, button, choice, countText, element, FEW_SAMPLES, percentText, toggle } from './dom.js';
import { VirtualRows } from './rows.js';

const INDENT = 14; // pixels a level
const INDENTED = 40; // levels; a deeper one has its depth in brackets
const OPEN_SHARE = 0.5; // opened at first: what has this much of its caller's
const OPENED_MOST = 40;
const TYPING_MS = 1000;

const DIRECTIONS = [['down', 'Top-down', 'From the root to what it calls'],
	['up', 'Bottom-up', 'From what ran to its callers']];

/** The columns but the last, which has the names; `own`: only top-down. */
const COLUMNS = [
	{ key: 'inclp', title: 'Incl. %', of: 'weight' },
	{ key: 'incl', title: 'Inclusive', of: 'weight', amount: true },
	{ key: 'exclp', title: 'Excl. %', of: 'ownWeight', own: true },
	{ key: 'samples', title: 'Samples', of: 'samples' },
];

export class CallTreeView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 * @param {import('./stacks.js').Stacks} stacks
	 */
	constructor(recording, store, stacks) {
		this.recording = recording;
		this.store = store;
		this.stacks = stacks;
		this.rows = [];
		this.active = 0;
		this.typed = '';
		this.typedAt = 0;
		this.opened = new Map(); // by direction: functions that are open, nested
		this.head = element('tr', { role: 'row' });
		this.table = element('table', { role: 'presentation' },
			element('thead', { role: 'presentation' }, this.head));
		this.view = new VirtualRows({ table: this.table, makeRow: (i) => this.makeRow(i),
			box: { tabindex: '0', role: 'treegrid', 'aria-label': 'Call tree',
				'aria-describedby': 'tree-help', keydown: (event) => this.onKey(event) } });
		this.root = element('div', { class: 'column' }, this.makeBar(), this.view.box);
	}

	makeBar() {
		const { store } = this;
		this.direction = choice('Direction', DIRECTIONS, (key) => store.set({ up: key === 'up' }, true));
		this.fold = toggle('Fold recursion', 'A function that calls itself, also through others, is shown once',
			() => store.set({ fold: !store.state.fold, zoom: '', zoomUp: '' }));
		return element('div', { class: 'bar' }, this.direction.root, this.fold,
			button('Open the hottest path', 'Opens the heaviest callee of the selected row, and so on (*)',
				() => this.openHottest(this.active)),
			button('Close all', 'Closes all rows', () => this.closeAll()),
			element('p', { id: 'tree-help', class: 'muted tree-help' },
				'Arrow keys open, close and move; * opens the hottest path; letters find a name; Enter shows it in the flame graph.'));
	}

	// ---- rows ----

	setSums(sums) {
		this.sums = sums;
		this.tree = null;
	}

	draw() {
		const { up, fold, metric } = this.store.state;
		const tree = this.stacks.tree({ fold, inverted: up });
		this.direction.set(up ? 'up' : 'down');
		this.fold.setAttribute('aria-pressed', String(fold));
		this.metric = this.recording.meta.metrics[metric];
		this.columns = COLUMNS.filter((column) => !(column.own && up));
		this.head.replaceChildren(...this.columns.map((column) =>
			element('th', { scope: 'col', role: 'columnheader', class: `n col-${column.key}` }, column.title)),
		element('th', { scope: 'col', role: 'columnheader' }, 'Function'));
		if (tree !== this.tree)
			this.rebuild(tree, `${up}.${fold}`);
		this.showRows();
	}

	/** The rows that were open stay open, as far as the functions are still there. */
	rebuild(tree, direction) {
		const known = this.opened.get(direction);
		this.tree = tree;
		this.open = known || { children: new Map() };
		this.opened.set(direction, this.open);
		this.rows = this.childrenOf(tree.root).map((frame) => ({ frame, open: null }));
		this.active = 0;
		for (let i = 0; i < this.rows.length; i++) {
			const open = this.openedBelow(this.rows[i]);
			if (open)
				this.expand(i);
		}
		if (!known && this.rows.length)
			this.openHottest(0, OPEN_SHARE);
	}

	/** What is noted of a row that was open, null if it was not. */
	openedBelow(row) {
		const above = row.frame.depth > 1 ? row.up.open : this.open;
		return above && above.children.get(row.frame.fn) || null;
	}

	/** Those with samples: of a comparison the tree also has what only the other side ran. */
	childrenOf(frame) {
		return this.tree.children(frame).filter((child) => child.weight || child.samples);
	}

	/** Puts the children of row I below it. */
	expand(i) {
		const row = this.rows[i];
		const children = this.childrenOf(row.frame);
		if (row.open || !children.length)
			return;
		const above = row.frame.depth > 1 ? row.up.open : this.open;
		row.open = above.children.get(row.frame.fn) || { children: new Map() };
		above.children.set(row.frame.fn, row.open);
		const rows = children.map((frame) => ({ frame, open: null, up: row }));
		this.rows = this.rows.slice(0, i + 1).concat(rows, this.rows.slice(i + 1));
	}

	collapse(i) {
		const row = this.rows[i];
		const above = row.frame.depth > 1 ? row.up.open : this.open;
		let end = i + 1;
		while (end < this.rows.length && this.rows[end].frame.depth > row.frame.depth)
			end++;
		this.rows.splice(i + 1, end - i - 1);
		row.open = null;
		above.children.delete(row.frame.fn);
	}

	closeAll() {
		this.open.children.clear();
		this.rows = this.rows.filter((row) => row.frame.depth === 1);
		this.rows.forEach((row) => { row.open = null; });
		this.active = 0;
		this.showRows();
	}

	/** The heaviest child and so on, while it has SHARE of its caller. */
	openHottest(i, share = 0) {
		for (let opened = 0; i < this.rows.length && opened < (share ? OPENED_MOST : Infinity); opened++) {
			const { frame } = this.rows[i];
			const first = this.tree.children(frame)[0];
			if (!first || first.weight < share * frame.weight || !first.weight)
				break;
			this.expand(i);
			i++;
		}
		if (!share)
			this.active = Math.min(i, this.rows.length - 1);
		this.showRows();
		if (!share)
			this.move(this.active);
	}

	showRows() {
		this.view.box.setAttribute('aria-rowcount', String(this.rows.length + 1));
		this.view.show(this.rows.length);
		this.noteActive();
	}

	noteActive() {
		if (this.rows.length)
			this.view.box.setAttribute('aria-activedescendant', `tree-row-${this.active}`);
		else
			this.view.box.removeAttribute('aria-activedescendant');
	}

	// ---- a row ----

	isOpen(row) {
		return this.childrenOf(row.frame).length ? Boolean(row.open) : null;
	}

	makeRow(i) {
		const row = this.rows[i], { frame } = row;
		const name = this.recording.names[frame.fn];
		const open = this.isOpen(row), depth = frame.depth - 1;
		const object = this.recording.meta.objects[this.recording.objectOf[frame.fn]];
		const cells = this.columns.map((column) => element('td', { role: 'gridcell',
			class: `n col-${column.key}${frame.samples < FEW_SAMPLES ? ' grey' : ''}` }, this.cellText(frame, column)));
		const twist = element('span', { class: 'twist', 'aria-hidden': 'true' },
			open === null ? '·' : open ? '▾' : '▸');
		const cell = element('td', { role: 'gridcell', class: 'name', title: `${name}\n${object.path}` }, twist,
			depth > INDENTED ? element('span', { class: 'muted' }, `[${countText(depth)}] `) : '',
			frame.inlined ? element('i', { title: 'inlined' }, name) : name,
			element('span', { class: 'muted object' }, objectName(object.path)));
		cell.style.paddingLeft = `${7 + Math.min(depth, INDENTED) * (this.view.box.clientWidth < 600 ? INDENT / 2 : INDENT)}px`;
		return element('tr', { role: 'row', id: `tree-row-${i}`, 'aria-level': String(frame.depth),
			'aria-rowindex': String(i + 2), 'aria-expanded': open === null ? null : String(open),
			'aria-selected': String(i === this.active),
			click: (event) => this.onClick(event, i), dblclick: () => this.showInFlame(i) }, ...cells, cell);
	}

	cellText(frame, column) {
		if (column.amount)
			return amountText(this.metric, frame[column.of]);
		return column.of === 'samples' ? countText(frame.samples)
			: percentText(frame[column.of], this.sums.weight[0]);
	}

	// ---- pointer and keys ----

	onClick(event, i) {
		if (event.target.closest('.twist'))
			this.flip(i);
		this.move(i);
	}

	flip(i) {
		if (this.rows[i].open)
			this.collapse(i);
		else
			this.expand(i);
		this.showRows();
	}

	move(i) {
		if (!this.rows.length)
			return;
		this.active = Math.max(0, Math.min(this.rows.length - 1, i));
		this.view.reveal(this.active);
		this.noteActive();
		this.store.set({ fn: this.rows[this.active].frame.fn });
	}

	showInFlame(i) {
		const { up } = this.store.state;
		const { frame } = this.rows[i];
		this.store.set({ view: 'flame', inverted: up, joined: false, fn: frame.fn,
			zoom: this.tree.constructor.place(frame) }, true);
	}

	onKey(event) {
		const row = this.rows[this.active];
		if (!row || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.view.page, PageUp: -this.view.page,
			Home: -this.rows.length, End: this.rows.length };
		const keys = { ArrowRight: () => this.goIn(row), ArrowLeft: () => this.goOut(row),
			Enter: () => this.showInFlame(this.active), '*': () => this.openHottest(this.active) };
		if (event.key in steps)
			this.move(this.active + steps[event.key]);
		else if (event.key in keys)
			keys[event.key]();
		else if (event.key.length === 1)
			this.type(event.key);
		else
			return;
		event.preventDefault();
	}

	goIn(row) {
		if (row.open)
			this.move(this.active + 1);
		else if (this.isOpen(row) === false)
			this.flip(this.active);
	}

	goOut(row) {
		if (row.open)
			this.flip(this.active);
		else if (row.up)
			this.move(this.rows.indexOf(row.up));
	}

	/** To the next row whose name begins with what is typed. */
	type(letter) {
		const now = Date.now();
		const again = now - this.typedAt > TYPING_MS;
		this.typed = (again ? '' : this.typed) + letter.toLowerCase();
		this.typedAt = now;
		const start = this.active + (this.typed.length === 1 ? 1 : 0);
		for (let k = 0; k < this.rows.length; k++) {
			const i = (start + k) % this.rows.length;
			if (this.recording.names[this.rows[i].frame.fn].toLowerCase().startsWith(this.typed)) {
				this.move(i);
				return;
			}
		}
	}
}
