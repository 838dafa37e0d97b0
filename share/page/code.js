// SPDX-License-Identifier: Apache-2.0
// Source lines and instructions of the hottest functions beside each other: what is selected on one
// side is marked on the other.  Their values are those of the selection; of the whole recording where
// the page has them only for that.
import { objectName } from './colors.js';
import { amountText, button, countText, element, FEW_SAMPLES, percentText } from './dom.js';
import { codeOf, hasCode, jumpsOf, jumpTexts } from './jumps.js';
import { CodeSums } from './places.js';
import { VirtualRows } from './rows.js';

/**
 * @typedef {object} CodeRow a line or an instruction
 * @property {string} place the number of the line, or the address
 * @property {string} text
 * @property {string} jumps
 * @property {string} link "path.line": rows of both sides with the same belong together
 * @property {string} note the source line of an instruction
 * @property {boolean} gap what comes before is not in the page
 * @property {?number[]} value samples and weight, exclusive; the same, inclusive
 */

/** One of the two sides. */
class CodePane {
	/** @param {string} id @param {string} label @param {string[]} heads @param {(row: CodeRow) => void} onSelect */
	constructor(id, label, heads, onSelect) {
		this.id = id;
		this.onSelect = onSelect;
		this.rows = [];
		this.active = -1;
		this.linked = '';
		this.caption = element('h2', { class: 'wrap' }, label);
		this.said = element('p', { class: 'muted wrap' });
		this.table = element('table', { role: 'presentation', class: 'code' }, element('thead', { role: 'presentation' },
			element('tr', { role: 'row' }, ...heads.map((head, i) =>
				element('th', { scope: 'col', role: 'columnheader', class: i < 3 ? 'n' : 'name' }, head)))));
		this.view = new VirtualRows({ table: this.table, makeRow: (i) => this.makeRow(i), box: { tabindex: '0', role: 'grid',
			'aria-label': `${label}: arrow keys move, H goes to the next hot row`, keydown: (event) => this.onKey(event) } });
		this.root = element('section', { class: 'pane' }, this.caption, this.said, this.view.box);
	}

	/**
	 * @param {CodeRow[]} rows
	 * @param {(row: CodeRow, inclusive?: boolean) => string} share
	 * @param {boolean} exact
	 * @param {boolean} same rows as before, with other values
	 */
	show(rows, share, exact, same) {
		this.exact = exact;
		this.rows = rows;
		this.share = share;
		this.most = rows.reduce((most, row) => Math.max(most, row.value ? row.value[1] : 0), 0);
		if (!same) {
			this.active = -1;
			this.linked = '';
		}
		this.view.box.hidden = !rows.length;
		this.view.box.setAttribute('aria-rowcount', String(rows.length + 1));
		this.view.show(rows.length);
	}

	makeRow(i) {
		const row = this.rows[i], value = row.value || [0, 0, 0, 0];
		const linked = Boolean(this.linked) && row.link === this.linked;
		const grey = !this.exact && value[0] < FEW_SAMPLES ? ' grey' : '';
		const heat = element('td', { role: 'gridcell', class: `n heat-cell${grey}` }, value[0] || value[1] ? this.share(row) : '');
		// four steps: a sign for the eye, the number beside it says it
		const step = this.most > 0 && value[1] > 0 ? Math.ceil(4 * value[1] / this.most) : 0;
		heat.classList.toggle(`heat-${step}`, step > 0);
		const text = element('td', { role: 'gridcell', class: 'name code-text', title: row.text }, row.text);
		return element('tr', { role: 'row', id: `${this.id}-row-${i}`, 'aria-rowindex': String(i + 2), 'aria-selected': String(i === this.active),
			class: [linked ? 'linked' : '', row.gap ? 'gap-above' : ''].join(' ').trim(), click: () => this.select(i) },
		heat,
		element('td', { role: 'gridcell', class: 'n' }, row.value && value[2] ? this.share(row, true) : ''),
		element('td', { role: 'gridcell', class: `n${grey}` }, value[0] ? countText(value[0]) : ''),
		element('td', { role: 'gridcell', class: 'name place', title: row.note || null },
			element('span', { class: 'link-sign', 'aria-hidden': 'true' }, linked ? '◆' : ' '),
			row.jumps ? element('span', { class: 'jumps', 'aria-hidden': 'true' }, row.jumps) : '', row.place),
		text);
	}

	select(i) {
		if (!this.rows.length)
			return;
		this.active = Math.max(0, Math.min(this.rows.length - 1, i));
		this.linked = this.rows[this.active].link;
		this.view.reveal(this.active);
		this.view.box.setAttribute('aria-activedescendant', `${this.id}-row-${this.active}`);
		this.onSelect(this.rows[this.active]);
	}

	/** Marks the rows of LINK, and shows the heaviest of them. */
	mark(link) {
		this.linked = link;
		this.active = -1;
		const i = this.heaviest((row) => link && row.link === link);
		this.view.box.removeAttribute('aria-activedescendant');
		if (i >= 0)
			this.view.reveal(i);
		else
			this.view.show(this.rows.length);
	}

	/** The row with most of those that FIT; -1: none does. */
	heaviest(fit) {
		return this.rows.reduce((best, row, i) => fit(row) &&
			(best < 0 || (row.value ? row.value[1] : 0) > (this.rows[best].value ? this.rows[best].value[1] : 0)) ? i : best, -1);
	}

	/** To the next row that has at least a quarter of the hottest. */
	nextHot() {
		for (let k = 1; k <= this.rows.length; k++) {
			const i = (this.active + k) % this.rows.length;
			if (this.rows[i].value && this.rows[i].value[1] >= this.most / 4 && this.most) {
				this.select(i);
				return;
			}
		}
	}

	onKey(event) {
		const { page } = this.view;
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key in steps)
			this.select(this.active + steps[event.key]);
		else if (event.key === 'h' || event.key === 'H')
			this.nextHot();
		else
			return;
		event.preventDefault();
	}
}

/** Samples and weight of a metric in a row, exclusive and inclusive; null: none. @returns {(row: number) => ?number[]} */
function valuesOf({ values, first }, metric, sums) {
	if (sums)
		return (row) => {
			const value = [sums.ownSamples, sums.ownWeight, sums.samples, sums.weight].map((column) => column[first + row] || 0);
			return value.some(Boolean) ? value : null;
		};
	const known = new Map(values.filter(([, m]) => m === metric).map(([row, , ...value]) => [row, value]));
	return (row) => known.get(row) || null;
}

export class CodeView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		this.shown = '';
		this.follows = Boolean(recording.places);
		this.codeSums = null; // once they were asked for
		const all = recording.code.functions.filter((code) => hasCode(recording, code.function));
		this.choose = element('select', { 'aria-label': 'Function', change: () =>
			store.set({ fn: Number(this.choose.value) }, true) },
		element('option', { value: '-1', disabled: true }, 'The hottest functions'),
		...all.map((code) => element('option', { value: String(code.function) }, recording.names[code.function])));
		this.source = new CodePane('source', 'Source', ['Excl. %', 'Incl. %', 'Samples', 'Line', 'Text'], (row) => this.instructions.mark(row.link));
		this.instructions = new CodePane('instructions', 'Instructions', ['Excl. %', 'Incl. %', 'Samples', 'Address', 'Instruction'],
			(row) => this.source.mark(row.link));
		this.said = element('p', { class: 'muted wrap' });
		this.root = element('div', { class: 'column' },
			element('div', { class: 'bar' }, this.choose,
				button('Next hot line', 'The next line with much of it (H)', () => this.source.nextHot()),
				button('Next hot instruction', 'The next instruction with much of it (H)', () => this.instructions.nextHot())),
			this.said, element('div', { class: 'panes' }, this.source.root, this.instructions.root));
	}

	/** @param {import('./aggregate.js').Sums} sums @param {import('./aggregate.js').Selection} selection what they are of */
	setSums(sums, selection) {
		this.whole = this.follows ? sums.weight[0] : this.recording.meta.metrics[selection.metric]?.total.weight;
		this.selection = selection;
		this.stale = true;
	}

	/** Made when first looked at: a selection is drawn with the mouse. */
	sumUp() {
		this.codeSums ||= this.follows && new CodeSums(this.recording);
		this.sums = this.codeSums ? this.codeSums.of(this.selection) : null;
		this.stale = false;
	}

	draw() {
		const { metric } = this.store.state;
		const fn = this.store.state.fn === null && this.recording.code.functions.length
			? this.recording.code.functions[0].function : this.store.state.fn;
		const code = codeOf(this.recording, fn), key = `${fn}.${metric}`;
		this.updateText(fn, code);
		const same = key === this.shown;
		if (same && !this.stale)
			return;
		if (this.stale)
			this.sumUp();
		this.shown = key;
		this.info = this.recording.meta.metrics[metric];
		this.showSource(code, metric, same);
		this.showInstructions(code && code.within !== undefined ? codeOf(this.recording, code.within) : code, metric, same);
		if (same)
			return;
		const own = code && code.within === undefined && this.instructions.rows.length;
		(own ? this.instructions : this.source).nextHot();
	}

	updateText(fn, code) {
		const { meta, names } = this.recording;
		const { span, threads } = this.store.state;
		this.choose.value = code && hasCode(this.recording, fn) ? String(fn) : '-1';
		this.said.textContent = meta.compared ? 'A page of a comparison has no source: make one of each group.'
			: !this.recording.code.functions.length ? 'The page has no source and no instructions.'
				: code && hasCode(this.recording, fn) ? `${names[fn]}. ${!span && !threads
					? 'Values are those of the whole recording; % are of all.'
					: this.follows ? 'Values are those of the selection; % are of all of it.'
						: 'Source and instructions have the values of the whole recording, not of the selection.'}`
					: `The page has source and instructions of the hottest functions only${fn === null ? '' : `, not of ${names[fn]}`}.`;
	}

	/** @returns {(row: CodeRow, inclusive?: boolean) => string} */
	get share() {
		return (row, inclusive = false) => percentText(row.value[inclusive ? 3 : 1], this.whole || 0);
	}

	showSource(code, metric, same) {
		const file = code && code.file ? this.recording.code.files[code.file - 1] : null;
		const values = file && valuesOf(file, metric, this.sums?.lines);
		const rows = file ? file.lines.map((line, i) => ({ place: String(line), text: file.text[i], jumps: '', note: '',
			link: `${code.file}.${line}`, gap: i > 0 && line !== file.lines[i - 1] + 1, value: values(i) })) : [];
		this.source.caption.textContent = file ? `Source: ${objectName(file.path)}` : 'Source';
		this.source.said.textContent = file ? `${file.path}${file.newer
			? '. The file was changed after the recording began: values may be on wrong lines.' : ''}`
			: code ? 'There is no source: no debug information, or the file is not here or may not be shown.' : '';
		this.source.show(rows, this.share, Boolean(this.info && this.info.exact), same);
	}

	showInstructions(code, metric, same) {
		const there = code && code.address;
		const values = there && valuesOf(code, metric, this.sums?.instructions);
		const jumps = there ? jumpTexts(code.address.length, jumpsOf(code.address, code.target)) : [];
		const rows = there ? code.address.map((address, i) => ({ place: address.toString(16), text: code.text[i], jumps: jumps[i],
			note: code.line[i] ? `${this.recording.code.paths[code.path[i] - 1]}:${code.line[i]}` : '',
			link: code.line[i] ? `${code.path[i]}.${code.line[i]}` : '', gap: false, value: values(i) })) : [];
		const exclusive = rows.reduce((sum, row) => sum + (row.value ? row.value[1] : 0), 0);
		this.instructions.caption.textContent = there ? `Instructions of ${this.recording.names[code.function]}` : 'Instructions';
		this.instructions.said.textContent = there ? `${amountText(this.info, exclusive)} in ${countText(code.count)} instructions${
			rows.length < code.count ? `; the page has ${countText(rows.length)} near samples` : ''}${
			code.unknown ? `; the disassembler does not know ${countText(code.unknown)} (.byte)` : ''}.`
			: code ? `There are no instructions: ${code.why}. The code of an inlined function is in those that call it.` : '';
		this.instructions.show(rows, this.share, Boolean(this.info && this.info.exact), same);
	}
}
