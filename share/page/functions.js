// SPDX-License-Identifier: Apache-2.0
// The table of functions, and the callers and callees of the selected one.
import { callersCallees, sumFunctions } from './aggregate.js';
import { objectName } from './colors.js';
import { amountText, countText, element, percentText } from './dom.js';
import { amountInterval } from './interval.js';
import { VirtualTable } from './table.js';

/** Fewer samples than this are no measurement: their interval is as wide as the value. */
export const FEW_SAMPLES = 5;

export class FunctionsView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		this.input = element('input', { type: 'search', 'aria-label': 'Filter functions by name or object',
			placeholder: 'Filter: name or object', input: () => store.set({ filter: this.input.value }) });
		this.count = element('span', { class: 'muted', role: 'status' });
		this.table = new VirtualTable({
			label: 'Functions',
			columns: this.columns(),
			sort: store.state.sort,
			onSort: (sort) => store.set({ sort }),
			onSelect: (row) => store.set({ fn: row.fn }),
			onOpen: (row) => store.set({ fn: row.fn, view: 'flame', search: exactly(row.name) }, true),
		});
		this.calls = element('div', { class: 'calls', 'aria-live': 'polite' });
		this.root = element('div', { class: 'split' },
			element('div', { class: 'grow' },
				element('div', { class: 'bar' }, this.input, this.count), this.table.box),
			this.calls);
	}

	columns() {
		const meta = this.recording.meta;
		const metric = () => meta.metrics[this.store.state.metric];
		const share = (weight) => percentText(weight, this.sums.weight[0]);
		const few = (row) => row.ownSamples < FEW_SAMPLES;
		const fewBelow = (row) => row.samples < FEW_SAMPLES;
		return [
			{ key: 'excl', title: 'Exclusive', number: true, grey: few,
				text: (row) => amountText(metric(), row.ownWeight), value: (row) => row.ownWeight },
			{ key: 'exclp', title: 'Excl. %', number: true, grey: few,
				text: (row) => share(row.ownWeight), value: (row) => row.ownWeight },
			{ key: 'range', title: '95 % interval', number: true, grey: few,
				text: (row) => this.rangeText(row), value: (row) => row.ownWeight },
			{ key: 'samples', title: 'Samples', number: true, grey: few,
				text: (row) => countText(row.ownSamples), value: (row) => row.ownSamples },
			{ key: 'incl', title: 'Inclusive', number: true, grey: fewBelow,
				text: (row) => amountText(metric(), row.weight), value: (row) => row.weight },
			{ key: 'inclp', title: 'Incl. %', number: true, grey: fewBelow,
				text: (row) => share(row.weight), value: (row) => row.weight },
			{ key: 'name', title: 'Function', text: (row) => row.name, value: (row) => row.name },
			{ key: 'object', title: 'Object', text: (row) => objectName(row.object),
				value: (row) => objectName(row.object) },
		];
	}

	/** In percent, as Excl. % is. */
	rangeText(row) {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		const whole = this.sums.weight[0] * metric.scale;
		const [low, high] = amountInterval(metric, row.ownSamples, row.ownWeight);
		return whole > 0 ? `${(100 * low / whole).toFixed(2)}–${(100 * high / whole).toFixed(2)}` : '–';
	}

	/** @param {import('./aggregate.js').Sums} sums of the selection */
	setSums(sums) {
		const { names, objectOf, meta } = this.recording;
		const by = sumFunctions(this.recording, sums);
		this.sums = sums;
		this.rows = [];
		for (let fn = 0; fn < names.length; fn++)
			if (by.inclusiveSamples[fn] || by.inclusiveWeight[fn])
				this.rows.push({ fn, name: names[fn], object: meta.objects[objectOf[fn]].path,
					ownSamples: by.exclusiveSamples[fn], ownWeight: by.exclusiveWeight[fn],
					samples: by.inclusiveSamples[fn], weight: by.inclusiveWeight[fn] });
	}

	draw() {
		const { filter, sort, fn } = this.store.state;
		const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
		const rows = this.rows.filter((row) => {
			const text = `${row.name} ${row.object}`.toLowerCase();
			return words.every((word) => text.includes(word));
		});
		if (this.input.value !== filter)
			this.input.value = filter;
		this.count.textContent = words.length
			? `${countText(rows.length)} of ${countText(this.rows.length)} functions`
			: `${countText(rows.length)} functions`;
		this.table.show(rows, sort, (row) => row.fn === fn);
		this.drawCalls();
	}

	drawCalls() {
		const { fn, metric } = this.store.state;
		if (fn === null || !(fn in this.recording.names)) {
			this.calls.replaceChildren(element('p', { class: 'muted' },
				'Select a function to see its callers and callees; a double click or Enter shows it in the flame graph.'));
			return;
		}
		const name = this.recording.names[fn];
		const row = this.rows.find((r) => r.fn === fn);
		const info = this.recording.meta.metrics[metric];
		const { callers, callees } = callersCallees(this.recording, this.sums, fn);
		this.calls.replaceChildren(
			element('h2', { class: 'wrap' }, name),
			element('p', { class: 'muted wrap' }, this.recording.meta.objects[this.recording.objectOf[fn]].path),
			element('p', {}, row
				? `Inclusive ${amountText(info, row.weight)} (${percentText(row.weight, this.sums.weight[0])} of all), exclusive ${amountText(info, row.ownWeight)}.`
				: 'No samples in this selection.'),
			this.callTable('Callers', callers, row ? row.weight : 0),
			this.callTable('Callees', callees, row ? row.weight : 0));
	}

	/** Percent of the selected function, which the heading says. */
	callTable(title, rows, whole) {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		const lines = rows.map((row) => element('tr', {},
			element('td', { class: 'n' }, amountText(metric, row.weight)),
			element('td', { class: 'n' }, percentText(row.weight, whole)),
			element('td', { class: 'n' }, countText(row.samples)),
			element('td', { class: 'wrap' }, row.fn < 0 ? '<Total>'
				: element('button', { type: 'button', class: 'link',
					click: () => this.store.set({ fn: row.fn }, true) }, this.recording.names[row.fn]))));
		if (!rows.length)
			lines.push(element('tr', {}, element('td', { colspan: '4', class: 'muted' }, 'none')));
		return element('table', { class: 'calls-table' },
			element('caption', {}, `${title}, in % of this function`),
			element('thead', {}, element('tr', {},
				element('th', { scope: 'col', class: 'n' }, 'Amount'),
				element('th', { scope: 'col', class: 'n' }, '%'),
				element('th', { scope: 'col', class: 'n' }, 'Samples'),
				element('th', { scope: 'col' }, 'Function'))),
			element('tbody', {}, ...lines));
	}
}

/** A regular expression for exactly this name. */
function exactly(name) {
	return `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
}
