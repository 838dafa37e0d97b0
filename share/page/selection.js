// SPDX-License-Identifier: Apache-2.0
// The bar above every view: metric, span, threads, and what the span is compared with.
import { amountText, button, countText, element, percentText, timeText, toggle } from './dom.js';
import { joinSpans } from './state.js';

/** How many ticks spans have. */
export function ticksOf(spans, all) {
	return spans ? spans.reduce((sum, [from, to]) => sum + to - from, 0) : all;
}

export class SelectionBar {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 * @param {import('./lanes.js').Lanes} lanes
	 * @param {() => void} onWindow other times are shown
	 */
	constructor(recording, store, lanes, onWindow) {
		const { metrics } = recording.meta;
		this.recording = recording;
		this.store = store;
		this.lanes = lanes;
		this.onWindow = onWindow;
		this.metric = element('select', { 'aria-label': 'Metric',
			change: () => store.set({ metric: this.metric.selectedIndex }) },
		...metrics.map((metric) => element('option', {}, metric.label)));
		this.line = element('select', { 'aria-label': 'Line over time', title: 'The line over time',
			change: () => store.set({ line: this.line.selectedIndex - 1 }) },
		element('option', {}, 'no line'), ...recording.meta.ratios.map((ratio) => element('option', {}, ratio.id)));
		this.from = this.secondsInput('From, in seconds');
		this.to = this.secondsInput('To, in seconds');
		this.clear = button('All', 'Select all time and all threads', () => store.set({ span: null, threads: null }));
		this.zoom = button('Zoom to span', 'Show only this time above', () => this.toggleZoom());
		this.compare = button('Compare…', 'Compare the next span that you select with this one', () => this.toggleCompare());
		this.rate = toggle('Per second', 'Compare amounts a second, not shares', () => store.set({ rate: !store.state.rate }));
		this.swap = button('Swap', 'Exchange before and after', () =>
			store.set({ span: store.state.base, base: store.state.span || [[0, recording.meta.ticks]] }, true));
		this.said = element('span', { class: 'said', role: 'status' });
		this.root = element('div', { class: 'bar selection' }, this.metric, this.line,
			element('span', { class: 'pair' }, this.from, ' – ', this.to, ' s'), this.clear, this.zoom,
			this.compare, this.rate, this.swap, this.said);
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
		this.store.set({ span: from < to && (from > 0 || to < ticks) ? [[from, to]] : null });
	}

	/** The first and the last tick of spans. @returns {[number, number]} */
	extent(spans) {
		return spans ? [spans[0][0], spans[spans.length - 1][1]] : [0, Math.max(1, this.recording.meta.ticks)];
	}

	get zoomed() {
		return this.lanes.window[0] > 0 || this.lanes.window[1] < this.recording.meta.ticks;
	}

	toggleZoom() {
		this.lanes.show(this.zoomed ? this.extent(null) : this.extent(this.store.state.span));
		this.onWindow();
	}

	toggleCompare() {
		const { base, span } = this.store.state;
		this.store.set(base ? { base: null } : { base: span && joinSpans(span) }, true);
	}

	/** @param {import('./aggregate.js').Sums} sums of the selection @param {?import('./change.js').Change} change */
	draw(sums, change, shown) {
		const { state } = this.store;
		const { meta } = this.recording;
		const [from, to] = this.extent(state.span);
		this.metric.selectedIndex = state.metric;
		this.line.selectedIndex = state.line + 1;
		this.line.hidden = !meta.ratios.length;
		this.metric.hidden = meta.metrics.length < 2;
		this.from.value = (from * meta.tick_ns / 1e9).toFixed(3);
		this.to.value = (to * meta.tick_ns / 1e9).toFixed(3);
		this.clear.disabled = !state.span && !state.threads;
		this.zoom.disabled = !state.span && !this.zoomed;
		this.zoom.textContent = this.zoomed ? 'All time' : 'Zoom to span';
		this.compare.hidden = meta.compared;
		this.compare.disabled = !state.span && !state.base;
		this.compare.textContent = state.base ? 'End comparison' : 'Compare…';
		this.rate.hidden = !change;
		this.swap.hidden = !state.base || meta.compared;
		this.rate.textContent = meta.compared ? 'Per run' : 'Per second';
		this.rate.title = `Compare amounts a ${meta.compared ? 'run' : 'second'}, not shares`;
		this.rate.setAttribute('aria-pressed', String(state.rate));
		this.said.textContent = this.text(meta.metrics[state.metric], sums, change, shown);
	}

	/** SHOWN: the selection, and the threads and the weight of all that it is a part of. */
	text(metric, sums, change, shown) {
		const { state } = this.store;
		const { meta } = this.recording;
		if (!metric)
			return 'The recording has no metric.';
		return [
			...meta.metrics.length < 2 ? [metric.label] : [],
			...meta.compared ? [this.groupText(1)] : [],
			this.spanText(state.span),
			state.threads ? `${countText(shown.selection.threads.size)} of ${countText(shown.threads)} threads`
				: `${countText(shown.threads)} thread${shown.threads === 1 ? '' : 's, merged'}`,
			`${amountText(metric, sums.weight[0])} (${percentText(sums.weight[0], shown.weight)})`,
			`${countText(sums.samples[0])} samples`,
			...this.lanes.ratio ? [this.lanes.ratioText()] : [],
			...change ? [`compared with ${meta.compared ? this.groupText(0) : this.spanText(state.base)}, by ${
				!state.rate ? 'share' : meta.compared ? 'amount a run' : 'amount a second'}`]
				: state.base ? ['now select the span to compare with it'] : [],
		].join(' · ');
	}

	/** "a.er, b.er", or how many. */
	groupText(group) {
		const paths = this.recording.meta.experiments.filter((e) => Math.min(1, e.group) === group).map((e) => e.path);
		return paths.length > 3 ? `${countText(paths.length)} runs` : paths.join(', ');
	}

	spanText(spans) {
		const { meta } = this.recording;
		const [from] = this.extent(spans);
		if (!spans)
			return 'all time';
		return spans.length > 1 ? `${spans.length} spans, ${timeText(meta, ticksOf(spans, 0))} in all`
			: `${timeText(meta, ticksOf(spans, 0))} from ${timeText(meta, from)}`;
	}
}
