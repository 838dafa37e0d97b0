// SPDX-License-Identifier: Apache-2.0
// The page: decodes the data, and shows the views of the selection.
import { sumNodes } from './aggregate.js';
import { bytesOfBase64, decode, expand } from './decode.js';
import { amountText, countText, element, percentText, timeText } from './dom.js';
import { FlameView } from './flame.js';
import { FunctionsView } from './functions.js';
import { Store } from './state.js';
import { Lanes, TimeStrip, TimelineView } from './timeline.js';

const VIEWS = [['summary', 'Summary'], ['flame', 'Flame graph'], ['functions', 'Functions'],
	['timeline', 'Timeline']];

/** The tabs and what is below them. */
class Page {
	/** @param {import('./decode.js').Recording} recording */
	constructor(recording) {
		this.recording = recording;
		this.store = new Store({ view: 'summary', metric: recording.meta.metric, span: null,
			threads: null, fn: null, search: '', filter: '', sort: 'excl', zoom: '',
			inverted: false, flame: false, color: 'kind' });
		this.checkState();
		this.lanes = new Lanes(recording, this.store);
		this.strip = new TimeStrip(recording, this.store, this.lanes);
		this.views = {
			flame: new FlameView(recording, this.store),
			functions: new FunctionsView(recording, this.store),
			timeline: new TimelineView(recording, this.store, this.lanes),
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
		if (!VIEWS.some(([view]) => view === state.view))
			state.view = 'summary';
		if (!(state.metric in meta.metrics))
			state.metric = meta.metric;
		if (state.span && !(state.span[0] >= 0 && state.span[1] <= meta.ticks))
			state.span = null;
		if (state.threads && ![...state.threads].every((t) => t in meta.threads))
			state.threads = null;
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
			'aria-labelledby': `tab-${view}`, class: 'panel' },
		view === 'summary' ? summary : this.views[view].root));
		app.replaceChildren(this.makeSelection(), this.strip.root, list, ...this.panels);
		document.body.classList.add('scripted');
	}

	makeSelection() {
		const { metrics } = this.recording.meta;
		this.metric = element('select', { 'aria-label': 'Metric',
			change: () => this.store.set({ metric: this.metric.selectedIndex }) },
		...metrics.map((metric) => element('option', {}, metric.label)));
		this.from = this.secondsInput('From, in seconds');
		this.to = this.secondsInput('To, in seconds');
		this.clear = element('button', { type: 'button',
			click: () => this.store.set({ span: null, threads: null }) }, 'All');
		this.zoomTime = element('button', { type: 'button', click: () => this.toggleZoom() }, 'Zoom to span');
		this.said = element('span', { class: 'said', role: 'status' });
		return element('div', { class: 'bar selection' }, this.metric,
			element('span', { class: 'pair' }, this.from, ' – ', this.to, ' s'), this.clear, this.zoomTime, this.said);
	}

	secondsInput(label) {
		const { tick_ns, ticks } = this.recording.meta;
		return element('input', { type: 'number', 'aria-label': label, min: '0', step: String(tick_ns / 1e9),
			max: String(ticks * tick_ns / 1e9), change: () => this.onSeconds() });
	}

	onSeconds() {
		const { tick_ns, ticks } = this.recording.meta;
		const tick = (input) => Math.max(0, Math.min(ticks, Math.round(Number(input.value) * 1e9 / tick_ns)));
		const from = tick(this.from), to = tick(this.to);
		this.store.set({ span: from < to && (from > 0 || to < ticks) ? [from, to] : null });
	}

	toggleZoom() {
		const whole = [0, Math.max(1, this.recording.meta.ticks)];
		const zoomed = this.lanes.window[0] > 0 || this.lanes.window[1] < whole[1];
		this.lanes.show(zoomed ? whole : this.store.state.span || whole);
		this.later('views');
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
		if (changed.has('metric') || changed.has('span') || changed.has('threads'))
			this.later('sums');
		this.later('views');
	}

	/** At most once for each frame of the screen. */
	later(part) {
		this.stale.add(part);
		this.frame ||= window.requestAnimationFrame(() => this.draw());
	}

	draw() {
		const { state } = this.store;
		this.frame = 0;
		if (this.stale.has('sums')) {
			this.sums = sumNodes(this.recording, state);
			this.views.flame.setSums(this.sums);
			this.views.functions.setSums(this.sums);
		}
		this.stale.clear();
		VIEWS.forEach(([view], i) => {
			const on = view === state.view;
			this.tabs[i].setAttribute('aria-selected', String(on));
			this.tabs[i].tabIndex = on ? 0 : -1;
			this.panels[i].hidden = !on;
		});
		this.drawSelection();
		this.strip.draw();
		if (state.view in this.views)
			this.views[state.view].draw();
	}

	drawSelection() {
		const { state } = this.store;
		const { meta } = this.recording;
		const metric = meta.metrics[state.metric];
		const [from, to] = state.span || [0, meta.ticks];
		const zoomed = this.lanes.window[0] > 0 || this.lanes.window[1] < meta.ticks;
		this.metric.selectedIndex = state.metric;
		this.metric.hidden = meta.metrics.length < 2;
		this.from.value = (from * meta.tick_ns / 1e9).toFixed(3);
		this.to.value = (to * meta.tick_ns / 1e9).toFixed(3);
		this.clear.disabled = !state.span && !state.threads;
		this.zoomTime.disabled = !state.span && !zoomed;
		this.zoomTime.textContent = zoomed ? 'All time' : 'Zoom to span';
		this.said.textContent = metric ? [
			...meta.metrics.length < 2 ? [metric.label] : [],
			state.span ? `${timeText(meta, to - from)} from ${timeText(meta, from)}` : 'all time',
			state.threads ? `${countText(state.threads.size)} of ${countText(meta.threads.length)} threads`
				: `${countText(meta.threads.length)} thread${meta.threads.length === 1 ? '' : 's, merged'}`,
			`${amountText(metric, this.sums.weight[0])} (${percentText(this.sums.weight[0], metric.total.weight)})`,
			`${countText(this.sums.samples[0])} samples`,
		].join(' · ') : 'The recording has no metric.';
	}
}

async function start() {
	const data = document.getElementById('data');
	try {
		const recording = decode(await expand(bytesOfBase64(data.textContent)));
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
