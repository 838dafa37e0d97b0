// SPDX-License-Identifier: Apache-2.0
// The flame graphs: widths are shares of the selection, merged over time.  From the root, or
// inverted; or one function with its callers above it and its callees below.
import { sumMatches } from './aggregate.js';
import { changeLegend } from './change.js';
import { colorsOf, isArtificial, objectName } from './colors.js';
import { amountText, button, choice, countText, element, percentText, shortName, toggle } from './dom.js';
import { save, svgOf } from './export.js';
import { FlameGraph } from './flamegraph.js';
import { frameAt } from './frames.js';
import { amountInterval } from './interval.js';

const HELP = 'Point at a frame, or focus the graph and use the arrow keys. A click or Enter zooms in, Escape out.';
const SHAPES = [['root', 'From the root', 'Callers above what they call'],
	['callers', 'Callers', 'Inverted: what ran, and below it its callers'],
	['one', 'One function', 'The callers of the selected function above it, its callees below']];

export class FlameView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 * @param {import('./stacks.js').Stacks} stacks
	 */
	constructor(recording, store, stacks) {
		this.recording = recording;
		this.store = store;
		this.stacks = stacks;
		this.graphs = [0, 1].map((i) => new FlameGraph(i ? 'Callers of the function' : 'Flame graph', this.style(i)));
		this.details = element('p', { class: 'details', role: 'status' });
		this.legend = element('ul', { class: 'legend', 'aria-label': 'Colours' });
		this.heading = element('p', { class: 'muted wrap' });
		this.root = element('div', { class: 'column' }, this.makeBar(), this.heading, this.details,
			this.graphs[1].root, this.graphs[0].root,
			element('p', { class: 'axis' }, 'share of the selection, merged over time; the order means nothing'),
			this.legend);
		new ResizeObserver(() => this.draw()).observe(this.root);
	}

	// ---- the bar ----

	makeBar() {
		const { store } = this;
		this.search = element('input', { type: 'search', placeholder: 'Search: regular expression',
			'aria-label': 'Search functions by a regular expression', class: 'search',
			input: () => store.set({ search: this.search.value }),
			keydown: (event) => event.key === 'Enter' && this.step(event.shiftKey ? -1 : 1) });
		this.found = element('span', { class: 'muted', role: 'status' });
		this.steps = [button('‹', 'Previous match', () => this.step(-1)),
			button('›', 'Next match', () => this.step(1))];
		this.shape = choice('What the graph shows', SHAPES, (shape) =>
			store.set({ inverted: shape === 'callers', joined: shape === 'one', zoom: '' }, true));
		this.flame = toggle('Root below', 'Root at the bottom', () => store.set({ flame: !store.state.flame }));
		this.fold = toggle('Fold recursion', 'A function that calls itself, also through others, is shown once',
			() => store.set({ fold: !store.state.fold, zoom: '' }));
		this.color = toggle('By object', 'Colours by object, not by kind',
			() => store.set({ color: store.state.color === 'object' ? 'kind' : 'object' }));
		this.reset = button('Whole', 'Leave the zoom', () => store.set({ zoom: '' }, true));
		return element('div', { class: 'bar' }, this.search, ...this.steps, this.found,
			element('span', { class: 'gap' }), this.reset, this.shape.root, this.flame, this.fold, this.color,
			button('SVG', 'Save the picture as SVG', () => save('flame.svg', svgOf(this.graphs[0]))),
			button('PNG', 'Save what is seen as PNG', () => this.graphs[0].canvas.toBlob((blob) => save('flame.png', blob))),
			element('p', { id: 'flame-help', class: 'hidden' },
				'Arrow keys move between frames, Enter zooms in, Escape zooms out.'));
	}

	// ---- what is shown ----

	setSums(sums, change, selection) {
		this.selection = selection;
		this.sums = sums;
		this.change = change;
	}

	/** The tree of a graph: of one function its callees, and its callers. */
	which(i) {
		const { fold, inverted, joined, fn } = this.store.state;
		return joined ? { fold, inverted: i === 1, fn: fn === null ? -2 : fn } : { fold, inverted };
	}

	draw() {
		const { state } = this.store;
		if (!this.sums || !this.root.clientWidth)
			return;
		this.graphs[1].root.hidden = !state.joined;
		this.updateMatches();
		this.updateColors();
		this.zoom = null;
		this.graphs.forEach((graph, i) => {
			if (i && !state.joined)
				return;
			const tree = this.stacks.tree(this.which(i));
			const zoom = i ? tree.root : frameAt(tree, state.zoom);
			this.zoom ||= zoom;
			graph.show(tree, zoom, this.matches, i === 1 || (state.flame && !state.joined));
		});
		this.updateBar();
		this.point(null);
	}

	updateBar() {
		const { state } = this.store;
		this.shape.set(state.joined ? 'one' : state.inverted ? 'callers' : 'root');
		this.flame.setAttribute('aria-pressed', String(state.flame));
		this.flame.disabled = state.joined;
		this.fold.setAttribute('aria-pressed', String(state.fold));
		this.color.setAttribute('aria-pressed', String(state.color === 'object'));
		this.color.disabled = Boolean(this.change);
		this.reset.disabled = !this.zoom.parent;
		this.heading.hidden = !state.joined;
		this.heading.textContent = state.fn === null ? 'Select a function: in the table, the call tree or the graph.'
			: `${this.recording.names[state.fn]}: callers above, callees below. A click on another frame goes there.`;
		if (this.search.value !== state.search)
			this.search.value = state.search;
	}

	updateMatches() {
		const { names } = this.recording;
		const text = this.store.state.search;
		let pattern = null;
		this.matches = null;
		try {
			pattern = text ? new RegExp(text, 'i') : null;
			this.found.textContent = '';
		} catch {
			this.found.textContent = 'not a regular expression';
		}
		this.search.setAttribute('aria-invalid', String(Boolean(text) && !pattern));
		if (pattern) {
			this.matches = Uint8Array.from(names, (name) => pattern.test(name) ? 1 : 0);
			const sum = sumMatches(this.recording, this.sums, this.matches);
			const count = this.matches.reduce((a, b) => a + b, 0);
			this.found.textContent = count ? `${percentText(sum.weight, this.sums.weight[0])} of all, in ` +
				`${countText(count)} function${count === 1 ? '' : 's'}` : 'no function matches';
			this.matches = count ? this.matches : null;
		}
		for (const step of this.steps)
			step.disabled = !this.matches;
	}

	updateColors() {
		const weight = new Float64Array(this.recording.names.length);
		for (let n = 1; n < this.recording.parent.length; n++)
			weight[this.recording.functionOf[n]] += this.sums.ownWeight[n];
		this.colors = colorsOf(this.recording, this.store.state.color, weight);
		const items = (this.change ? changeLegend() : this.colors.legend).map(({ label, color }) => {
			const swatch = element('span', { class: 'swatch' });
			swatch.style.background = color;
			return element('li', {}, swatch, label);
		});
		this.legend.replaceChildren(...items,
			element('li', {}, element('i', {}, 'italic'), ': inlined'),
			element('li', {}, 'hatched: no code, such as an incomplete stack'));
	}

	// ---- what the graphs ask ----

	style(i) {
		return {
			describe: (box) => this.describe(box, i),
			label: (frame) => this.label(frame, i),
			fill: (frame) => this.fill(frame, i),
			hatched: (frame) => frame.fn >= 0 && isArtificial(this.recording, frame.fn),
			onZoom: (frame) => this.zoomTo(frame, i),
			onPoint: (box) => this.point(box, i),
		};
	}

	fill(frame, i) {
		if (!frame || frame.fn < 0)
			return '#d5d5d5';
		return this.change ? this.change.color(this.changeOf(frame, i)) : this.colors.of[frame.fn];
	}

	changeOf(frame, i) {
		return this.stacks.changeOf(frame, this.which(i), this.change);
	}

	nameOf(frame) {
		return frame.fn < 0 ? 'all' : this.recording.names[frame.fn];
	}

	label(frame, i) {
		const change = this.change && frame.fn >= 0 ? this.changeOf(frame, i) : null;
		return change && !change.noise ? `${change.delta < 0 ? '−' : '+'} ${this.nameOf(frame)}` : this.nameOf(frame);
	}

	describe(box, i) {
		const name = box.frame ? this.nameOf(box.frame) : `${countText(box.count)} smaller`;
		const lines = [this.placeOf(box), this.sharesOf(box), this.change && box.frame ? this.changeLine(box.frame, i) : '',
			this.threadsOf(box, i)];
		return { name, lines: lines.filter(Boolean) };
	}

	changeLine(frame, i) {
		const change = this.changeOf(frame, i);
		return `${this.change.valueText(change.value)}, before ${this.change.valueText(change.before)}: ` +
			(change.noise ? 'no change that could not be chance' : this.change.deltaText(change));
	}

	/** Share of all and of what is zoomed to, both named. */
	sharesOf(box) {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		const whole = this.sums.weight[0];
		if (!metric)
			return '';
		const [low, high] = amountInterval(metric, box.samples, box.weight);
		const parts = [`${percentText(box.weight, whole)} of all`];
		if ((this.zoom.parent || this.zoom.fn >= 0) && box.weight <= this.zoom.weight)
			parts.push(`${percentText(box.weight, this.zoom.weight)} of ${shortName(this.nameOf(this.zoom), 40)}`);
		parts.push(amountText(metric, box.weight));
		if (high > low && whole)
			parts.push(`95 %: ${(100 * low / whole / metric.scale).toFixed(2)} to ${(100 * high / whole / metric.scale).toFixed(2)} %`);
		parts.push(`${countText(box.samples)} samples`);
		return parts.join(' · ');
	}

	/** How it divides over threads: the first few. */
	threadsOf(box, i) {
		const { threads } = this.recording.meta;
		if (!box.frame || threads.length < 2 || !box.weight)
			return '';
		const by = this.stacks.threadsOf(box.frame, this.which(i), this.selection);
		const parts = by.slice(0, 3).map(({ thread, weight }) =>
			`${threads[thread].name} ${threads[thread].tid} ${percentText(weight, box.weight)}`);
		return `${countText(by.length)} thread${by.length === 1 ? '' : 's'}: ${parts.join(', ')}${by.length > 3 ? ', …' : ''}`;
	}

	placeOf(box) {
		if (!box.frame || box.frame.fn < 0)
			return '';
		const object = this.recording.meta.objects[this.recording.objectOf[box.frame.fn]];
		return `${objectName(object.path)}${box.frame.inlined ? ', inlined' : ''}`;
	}

	point(box, i = 0) {
		const said = box && this.describe(box, i);
		this.details.textContent = said ? [said.name, ...said.lines].join(' — ') : HELP;
	}

	zoomTo(frame, i) {
		const { state } = this.store;
		const tree = this.stacks.tree(this.which(i));
		if (state.joined && i === 1)
			this.store.set({ fn: frame.fn, zoom: '' }, true);
		else
			this.store.set({ zoom: frame.parent ? tree.constructor.place(frame) : '',
				...frame.fn >= 0 && !state.joined ? { fn: frame.fn } : {} }, true);
	}

	step(by) {
		this.graphs[0].step(by);
	}
}
