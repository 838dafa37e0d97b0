// SPDX-License-Identifier: Apache-2.0
// The tables: functions, with the callers and callees of the selected one; what changed between two
// spans; objects, threads, processes, CPUs.
import { callersCallees, sumFunctions } from './aggregate.js';
import { objectName } from './colors.js';
import { hasCode } from './jumps.js';
import { columnsOf } from './columns.js';
import { amountText, button, choice, countText, element, percentText } from './dom.js';
import { csvOf, save } from './export.js';
import { cpuRows, objectRows, processRows, threadRows } from './groups.js';
import { instancesOf, regionRows } from './regions.js';
import { stateRows } from './states.js';
import { VirtualTable } from './table.js';
import { sumWaits, waitRows, waitsLeftOut } from './waits.js';

const TABLES = [['functions', 'Functions', 'One row a function'], ['objects', 'Objects', 'Programs, libraries, the kernel'],
	['threads', 'Threads', 'Enter or a double click shows a thread alone'],
	['processes', 'Processes', 'Enter or a double click shows a process alone'],
	['cpus', 'CPUs', 'Where it ran'],
	['states', 'States', 'How the lives of threads divide'],
	['regions', 'Regions', 'What the program named: its instances in the whole recording; Enter or a double click selects the time of its instances'],
	['waits', 'Waits', 'What was waited for, by cause and place; of a selection the waits that ended in it']];
/** Tables of which a page may not know what each span has. */
const OF_THE_WHOLE = {
	cpus: (series) => series && !series.cpus ? 'in the whole recording' : '',
	waits: (series, recording) => recording.waits ? '' : 'in the whole recording: this page has not each of so many waits',
	regions: (series) => series && !series.regions ? 'in the whole recording' : 'their instances in the whole recording',
};

/** What was not recorded has none; waits of two groups are not told apart. */
function hasTable(recording, kind) {
	return kind === 'regions' ? recording.regions : kind !== 'states' && kind !== 'waits' || recording.states && (kind === 'states' || recording.meta.waits.rows && !recording.meta.compared);
}

export class FunctionsView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		this.input = element('input', { type: 'search', 'aria-label': 'Filter rows by words',
			placeholder: 'Filter: name or object', input: () => store.set({ filter: this.input.value }) });
		this.count = element('span', { class: 'muted', role: 'status' });
		const tables = TABLES.filter(([kind]) => hasTable(recording, kind));
		this.choice = choice('Rows', tables, (rows) => store.set({ rows, filter: '' }, true));
		const context = { metric: () => recording.meta.metrics[store.state.metric], whole: () => this.ofWhole === 'in the whole recording' ? recording.meta.metrics[store.state.metric].total.weight : this.sums.weight[0],
			change: () => this.change };
		this.tables = new Map([...tables, ['changes', 'What changed']].map(([kind, title]) =>
			[kind, this.makeTable(kind, title, columnsOf(kind, context, recording))]));
		this.calls = element('div', { class: 'calls', 'aria-live': 'polite' });
		this.root = element('div', { class: 'split' },
			element('div', { class: 'grow' },
				element('div', { class: 'bar' }, this.choice.root, this.input, this.count, element('span', { class: 'gap' }),
					button('CSV', 'Save this table', () => this.saveTable())),
				...[...this.tables.values()].map((table) => table.box)),
			this.calls);
	}

	makeTable(kind, label, columns) {
		const { store } = this;
		return new VirtualTable({ label, columns, sort: store.state.sort,
			onSort: (sort) => store.set({ sort }),
			onSelect: (row) => row.fn !== undefined && store.set({ fn: row.fn }),
			onOpen: (row) => this.open(row) });
	}

	open(row) {
		if (row.fn !== undefined)
			this.store.set({ fn: row.fn, view: 'flame', search: `=${row.name}` }, true);
		else if (row.threads || row.thread !== undefined)
			this.store.set({ threads: new Set(row.threads || [row.thread]) }, true);
		else if (row.region !== undefined)
			this.openRegion(row);
		else if (row.wait)
			this.openWait(row);
		else if (row.cpu === undefined)
			this.store.set({ rows: 'functions', filter: objectName(row.name) }, true);
	}

	/** What ran in its instances, in whole ticks. */
	openRegion({ region }) {
		const { threads, span } = instancesOf(this.recording.regions, region);
		if (span.length)
			this.store.set({ view: 'flame', threads, span }, true);
	}

	/** The stacks of these waits. */
	openWait({ wait, name, object }) {
		const { metrics } = this.recording.meta;
		const metric = metrics.findIndex((info) => info.id === wait);
		this.store.set({ view: 'flame', search: object && `=${name}`, ...metric < 0 ? {} : { metric } }, true);
	}

	/** The table that is shown: of two spans that are compared, their changes. */
	get kind() {
		const { rows } = this.store.state;
		const kind = this.tables.has(rows) && rows !== 'changes' ? rows : 'functions';
		return kind === 'functions' && this.change ? 'changes' : kind;
	}

	/** What of the table is not of the selection, in words. */
	get ofWhole() {
		const say = OF_THE_WHOLE[this.kind];
		return say ? say(this.recording.series[this.selection.metric], this.recording) : '';
	}

	saveTable() {
		const table = this.tables.get(this.kind);
		save(`${this.kind}.csv`, csvOf(table.options.columns, table.rows));
	}

	// ---- rows ----

	/**
	 * @param {import('./aggregate.js').Sums} sums of the selection
	 * @param {?import('./aggregate.js').Sums} base what it is compared with
	 * @param {?import('./change.js').Change} change
	 * @param {import('./aggregate.js').Selection} selection what the sums are of
	 */
	setSums(sums, base, change, selection) {
		this.sums = sums;
		this.base = base;
		this.selection = selection;
		this.change = change;
		this.made = this.waited = null;
	}

	/** Made when they are first looked at: a selection is drawn with the mouse, and most views are hidden. */
	get rows() {
		return this.made ||= this.makeRows();
	}

	/** The same. */
	get waits() {
		return this.waited ||= sumWaits(this.recording, this.selection);
	}

	makeRows() {
		const { names, objectOf, meta } = this.recording;
		const { sums, base, change } = this;
		const by = sumFunctions(this.recording, sums), before = base && sumFunctions(this.recording, base);
		const runs = new Map(change && change.spread ? [...change.now.runs, ...change.base.runs]
			.map((run) => [run, sumFunctions(this.recording, run).exclusiveWeight]) : []);
		const rows = [];
		for (let fn = 0; fn < names.length; fn++) {
			const row = { fn, name: names[fn], object: meta.objects[objectOf[fn]].path,
				ownSamples: by.exclusiveSamples[fn], ownWeight: by.exclusiveWeight[fn],
				samples: by.inclusiveSamples[fn], weight: by.inclusiveWeight[fn] };
			if (before) {
				const own = { samples: before.exclusiveSamples[fn], weight: before.exclusiveWeight[fn] };
				row.was = own;
				row.change = change.of({ samples: row.ownSamples, weight: row.ownWeight }, own, (run) => runs.get(run)[fn]);
			}
			if (row.samples || row.weight || before && (row.was.samples || row.was.weight))
				rows.push(row);
		}
		return rows;
	}

	rowsOf(kind) {
		const makers = { objects: () => objectRows(this.recording, this.sums),
			threads: () => threadRows(this.recording, this.selection),
			processes: () => processRows(this.recording, this.selection),
			cpus: () => cpuRows(this.recording, this.selection),
			states: () => stateRows(this.recording, this.selection),
			regions: () => regionRows(this.recording, this.selection), waits: () => waitRows(this.recording, this.waits) };
		if (kind === 'changes')
			return this.rows.filter((row) => row.ownSamples || row.was.samples || row.ownWeight || row.was.weight);
		return kind in makers ? makers[kind]() : this.rows;
	}

	draw() {
		const { filter, sort, fn } = this.store.state;
		const { kind } = this;
		const all = this.rowsOf(kind);
		const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
		const rows = all.filter((row) => {
			const text = `${row.name} ${row.object || row.process || ''}`.toLowerCase();
			return words.every((word) => text.includes(word));
		});
		const what = kind === 'changes' ? 'functions' : kind;
		if (this.input.value !== filter)
			this.input.value = filter;
		this.choice.set(what);
		const noun = what === 'states' ? 'threads' : what === 'waits' ? 'places' : what;
		this.count.textContent = words.length ? `${countText(rows.length)} of ${countText(all.length)} ${noun}`
			: `${countText(rows.length)} ${rows.length === 1 ? noun.replace(/(ss)es$|s$/, '$1') : noun}${this.ofWhole ? `, ${this.ofWhole}` : ''}${kind === 'waits' ? waitsLeftOut(this.recording, this.waits) : ''}`;
		for (const [key, table] of this.tables)
			table.box.hidden = key !== kind;
		this.calls.hidden = what !== 'functions';
		this.tables.get(kind).show(rows, sort, (row) => row.fn !== undefined && row.fn === fn);
		if (what === 'functions')
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
		const row = this.rows.find((r) => r.fn === fn && (r.samples || r.weight));
		const info = this.recording.meta.metrics[metric];
		const { callers, callees } = callersCallees(this.recording, this.sums, fn);
		this.calls.replaceChildren(
			element('h2', { class: 'wrap' }, name),
			element('p', { class: 'muted wrap' }, this.recording.meta.objects[this.recording.objectOf[fn]].path),
			...hasCode(this.recording, fn) ? [element('p', {}, element('button', { type: 'button', class: 'link',
				click: () => this.store.set({ fn, view: 'code' }, true) }, 'Source and instructions'))] : [],
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
