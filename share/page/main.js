// SPDX-License-Identifier: Apache-2.0
// The page: decodes the data, and shows the views of the selection.
import { sumNodes } from './aggregate.js';
import { CallTreeView } from './calltree.js';
import { Change } from './change.js';
import { CodeView } from './code.js';
import { bytesOfBase85, decode, expand } from './decode.js';
import { element } from './dom.js';
import { FlameView } from './flame.js';
import { FunctionsView } from './functions.js';
import { Lanes } from './lanes.js';
import { Notes, NotesView } from './notes.js';
import { SelectionBar, ticksOf } from './selection.js';
import { Stacks } from './stacks.js';
import { same, Store } from './state.js';
import { TimeView } from './time.js';
import { TimeStrip } from './timeline.js';

const VIEWS = [['summary', 'Summary'], ['flame', 'Flame graph'], ['tree', 'Call tree'],
	['functions', 'Functions'], ['code', 'Source'], ['timeline', 'Timeline'], ['notes', 'Notes']];

/** The tabs and what is below them. */
class Page {
	/** @param {import('./decode.js').Recording} recording */
	constructor(recording) {
		this.recording = recording;
		this.store = new Store({ view: 'summary', metric: recording.meta.metric, span: null, base: null,
			rate: Boolean(recording.meta.compared), threads: null, open: null, fn: null, search: '', filter: '', sort: 'excl', zoom: '', zoomUp: '',
			inverted: false, joined: false, fold: false, up: false, flame: false, color: 'kind',
			line: recording.meta.ratios.length ? 0 : -1, rows: 'functions', time: recording.states ? 'states' : 'lanes' });
		this.checkState();
		this.lanes = new Lanes(recording, this.store);
		this.notes = new Notes(recording, this.store);
		this.stacks = new Stacks(recording);
		this.strip = new TimeStrip(recording, this.store, this.lanes, this.notes);
		this.selection = new SelectionBar(recording, this.store, this.lanes, () => this.later('views'));
		this.views = {
			flame: new FlameView(recording, this.store, this.stacks, this.notes),
			tree: new CallTreeView(recording, this.store, this.stacks),
			functions: new FunctionsView(recording, this.store),
			code: new CodeView(recording, this.store),
			timeline: new TimeView(recording, this.store, this.lanes),
			notes: new NotesView(this.notes, this.store),
		};
		this.frame = 0;
		this.stale = new Set(['sums', 'views']);
		this.build();
		this.store.listen((_, changed) => this.change(changed));
		window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.later('views'));
		this.draw();
	}

	/** A link may be older than the page, or made up. */
	checkState() {
		const { meta, names } = this.recording;
		const state = this.store.state;
		const fits = (spans) => spans && spans.every(([, to]) => to <= meta.ticks);
		if (!VIEWS.some(([view]) => view === state.view))
			state.view = 'summary';
		if (!(state.metric in meta.metrics))
			state.metric = meta.metric;
		if (!(state.line in meta.ratios))
			state.line = -1;
		if (!fits(state.span))
			state.span = null;
		if (!fits(state.base))
			state.base = null;
		for (const key of ['threads', 'open'])
			if (state[key] && ![...state[key]].every((t) => t in meta.threads))
				state[key] = null;
		if (state.fn !== null && !(state.fn in names))
			state.fn = null;
	}

	// ---- the frame around the views ----

	build() {
		const app = document.getElementById('app');
		const summary = document.getElementById('summary');
		this.tabs = VIEWS.map(([view, title]) => element('button', { type: 'button', role: 'tab',
			id: `tab-${view}`, 'aria-controls': `panel-${view}`,
			click: () => this.store.set({ view }, true) }, title));
		const list = element('div', { role: 'tablist', 'aria-label': 'Views', class: 'tabs',
			keydown: (event) => this.onTabKey(event) }, ...this.tabs);
		this.panels = VIEWS.map(([view]) => element('div', { role: 'tabpanel', id: `panel-${view}`,
			'aria-labelledby': `tab-${view}`, class: 'panel', tabindex: view === 'summary' ? '0' : null },
		view === 'summary' ? summary : this.views[view].root));
		app.replaceChildren(this.selection.root, this.strip.root, list, ...this.panels);
		document.body.classList.add('scripted');
	}

	onTabKey(event) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!by)
			return;
		const now = VIEWS.findIndex(([view]) => view === this.store.state.view);
		const next = (now + by + VIEWS.length) % VIEWS.length;
		this.store.set({ view: VIEWS[next][0] }, true);
		this.tabs[next].focus();
		event.preventDefault();
	}

	// ---- changes ----

	change(changed) {
		this.checkState();
		if (['metric', 'span', 'threads', 'base', 'rate'].some((key) => changed.has(key)))
			this.later('sums');
		this.later('views');
	}

	/** At most once for each frame of the screen. */
	later(part) {
		this.stale.add(part);
		this.frame ||= window.requestAnimationFrame(() => this.draw());
	}

	/** The selection, and what it is compared with: another span, or the first experiments. */
	sides() {
		const { state } = this.store;
		const { meta } = this.recording;
		const seconds = (spans) => ticksOf(spans, meta.ticks) * meta.tick_ns / 1e9;
		if (meta.compared)
			return [1, 0].map((side) => {
				const runs = meta.experiments.map((_, e) => e).filter((e) => Math.min(1, meta.experiments[e].group) === side);
				return { selection: this.ofExperiments(runs), all: this.ofExperiments(runs, true), parts: runs.length,
					runs: runs.length > 1 ? runs.map((run) => this.ofExperiments([run])) : [] };
			});
		const compared = state.base && !same(state.base, state.span);
		return [{ selection: state, parts: seconds(state.span) },
			...compared ? [{ selection: { ...state, span: state.base }, parts: seconds(state.base) }] : []];
	}

	/** The part of the selection that is in some experiments, or ALL of these. */
	ofExperiments(experiments, all = false) {
		const { state } = this.store;
		const threads = this.recording.meta.threads.map((_, t) => t).filter((t) =>
			experiments.includes(this.recording.meta.threads[t].experiment) && (all || !state.threads || state.threads.has(t)));
		return { ...state, ...all ? { span: null } : {}, threads: new Set(threads) };
	}

	sumUp() {
		const { state } = this.store;
		const { meta } = this.recording;
		const sides = this.sides().map((side) => ({ ...side, sums: sumNodes(this.recording, side.selection),
			runs: (side.runs || []).map((run) => sumNodes(this.recording, run)) }));
		const [now, base] = sides.map(({ sums, parts, runs }) => ({ samples: sums.samples[0], weight: sums.weight[0],
			parts, runs }));
		const { selection, all } = sides[0];
		this.sums = sides[0].sums;
		/** what the numbers are of: of two groups, the second */
		this.shown = { selection, threads: all ? all.threads.size : meta.threads.length,
			weight: all ? sumNodes(this.recording, all).weight[0] : meta.metrics[state.metric]?.total.weight };
		this.comparison = base && meta.metrics[state.metric] ? new Change(now, base, state.rate,
			meta.metrics[state.metric], meta.compared) : null;
		const before = this.comparison && sides[1].sums;
		this.stacks.setSums(this.sums, before);
		this.views.flame.setSums(this.sums, before, this.comparison, selection);
		this.views.tree.setSums(this.sums);
		this.views.functions.setSums(this.sums, before, this.comparison, selection);
		this.views.code.setSums(this.sums, selection);
	}

	draw() {
		const { state } = this.store;
		this.frame = 0;
		if (this.stale.has('sums'))
			this.sumUp();
		this.stale.clear();
		VIEWS.forEach(([view], i) => {
			const on = view === state.view;
			this.tabs[i].setAttribute('aria-selected', String(on));
			this.tabs[i].tabIndex = on ? 0 : -1;
			this.panels[i].hidden = !on;
			if (view === 'notes')
				this.tabs[i].textContent = this.notes.list.length ? `Notes (${this.notes.list.length})` : 'Notes';
		});
		this.selection.draw(this.sums, this.comparison, this.shown);
		this.strip.draw();
		if (Object.hasOwn(this.views, state.view))
			this.views[state.view].draw();
	}
}

async function start() {
	const data = document.getElementById('data');
	try {
		const recording = decode(await expand(bytesOfBase85(data.textContent)));
		new Page(recording);
		document.body.dataset.ready = 'yes';
	} catch (error) {
		const message = element('p', { class: 'verdict bad', role: 'alert' },
			`Only the summary can be shown: ${error instanceof Error ? error.message : error}`);
		document.getElementById('app').prepend(message);
		throw error;
	}
}

start();
