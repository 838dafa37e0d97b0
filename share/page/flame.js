// SPDX-License-Identifier: Apache-2.0
// The flame graphs: widths are shares of the selection, merged over time.  From the root, or
// inverted; or one function with its callers above it and its callees below.
import { sumMatches } from './aggregate.js';
import { changeLegend } from './change.js';
import { colorsOf, isArtificial, objectName } from './colors.js';
import { amountText, button, choice, countText, element, percentText, shortName, toggle } from './dom.js';
import { endsText } from './ends.js';
import { pngOf, save, svgOf } from './export.js';
import { FlameGraph } from './flamegraph.js';
import { frameAt } from './frames.js';
import { amountInterval } from './interval.js';

const HELP = 'Point at a frame, or focus the graph and use the arrow keys. A click or Enter zooms in, Escape out.';
const SHAPES = [['root', 'From the root', 'Callers above what they call'],
	['callers', 'Callers', 'Inverted: what ran, and below it its callers'],
	['one', 'One function', 'The callers of the selected function above it, its callees below']];

/** No zoom. */
const WHOLE = { zoom: '', zoomUp: '' };

export class FlameView {
	/**
	 * @param {import('./decode.js').Recording} recording
	 * @param {import('./state.js').Store} store
	 * @param {import('./stacks.js').Stacks} stacks
	 * @param {import('./notes.js').Notes} notes
	 */
	constructor(recording, store, stacks, notes) {
		this.recording = recording;
		this.store = store;
		this.stacks = stacks;
		this.notes = notes;
		this.graphs = [0, 1].map((i) => new FlameGraph(i ? 'Callers of the function' : 'Flame graph', this.style(i)));
		this.details = element('p', { class: 'details', role: 'status' });
		this.legend = element('ul', { class: 'legend', 'aria-label': 'Colours' });
		this.heading = element('p', { class: 'muted wrap' });
		this.ends = element('p', { class: 'note ends' });
		this.root = element('div', { class: 'column' }, this.makeBar(), this.heading, this.ends, this.details,
			this.graphs[1].root, this.graphs[0].root,
			element('p', { class: 'axis' }, 'share of the selection, merged over time; the order means nothing'),
			this.legend);
		new ResizeObserver(() => this.draw()).observe(this.root);
	}

	// ---- the bar ----

	makeBar() {
		const { store } = this;
		this.search = element('input', { type: 'search', placeholder: 'Search: pattern or =name',
			'aria-label': 'Search functions by a regular expression, or after = by the whole name', class: 'search',
			input: () => store.set({ search: this.search.value }),
			keydown: (event) => event.key === 'Enter' && this.step(event.shiftKey ? -1 : 1) });
		this.found = element('span', { class: 'muted', role: 'status' });
		this.steps = [button('‹', 'Previous match', () => this.step(-1)),
			button('›', 'Next match', () => this.step(1))];
		this.shape = choice('What the graph shows', SHAPES, (shape) =>
			store.set({ inverted: shape === 'callers', joined: shape === 'one', ...WHOLE }, true));
		this.flame = toggle('Root below', 'Root at the bottom', () => store.set({ flame: !store.state.flame }));
		this.fold = toggle('Fold recursion', 'A function that calls itself, also through others, is shown once',
			() => store.set({ fold: !store.state.fold, ...WHOLE }));
		this.color = toggle('By object', 'Colours by object, not by kind',
			() => store.set({ color: store.state.color === 'object' ? 'kind' : 'object' }));
		this.reset = button('Whole', 'Leave the zoom', () => store.set(WHOLE, true));
		this.centre = button('Go there', 'Callers and callees of the function that is zoomed to', () => this.goThere());
		return element('div', { class: 'bar' }, this.search, ...this.steps, this.found,
			element('span', { class: 'gap' }), this.reset, this.centre, this.shape.root, this.flame, this.fold, this.color,
			button('SVG', 'Save the picture as SVG', () => save('flame.svg', svgOf(this.shown))),
			button('PNG', 'Save what is seen as PNG', () => pngOf(this.shown, (blob) => save('flame.png', blob))),
			element('p', { id: 'flame-help', class: 'hidden' },
				'Arrow keys move between frames, Enter zooms in, Escape zooms out.'));
	}

	// ---- what is shown ----

	setSums(sums, before, change, selection) {
		this.selection = selection;
		this.sums = sums;
		this.before = before;
		this.change = change;
	}

	/** What is missing from the graph stands beside it. */
	updateEnds() {
		if (this.endsOf === this.sums)
			return;
		this.endsOf = this.sums;
		this.ends.textContent = endsText(this.recording, this.sums, this.before);
		this.ends.hidden = !this.ends.textContent;
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
		this.updateEnds();
		this.zooms = [];
		this.graphs.forEach((graph, i) => {
			if (i && !state.joined)
				return;
			const tree = this.stacks.tree(this.which(i));
			this.zooms[i] = frameAt(tree, i ? state.zoomUp : state.zoom);
			graph.show(tree, this.zooms[i], this.matches, i === 1 || (state.flame && !state.joined));
		});
		this.updateBar();
		this.point(null);
	}

	/** From top to bottom. */
	get shown() {
		return this.store.state.joined ? [this.graphs[1], this.graphs[0]] : [this.graphs[0]];
	}

	/** Of the graphs of one function: that which is zoomed to, and not the function itself. */
	get zoomedFn() {
		const zoomed = this.zooms.find((zoom) => zoom.parent && zoom.fn >= 0);
		return this.store.state.joined && zoomed ? zoomed.fn : null;
	}

	updateBar() {
		const { state } = this.store;
		this.shape.set(state.joined ? 'one' : state.inverted ? 'callers' : 'root');
		this.flame.setAttribute('aria-pressed', String(state.flame));
		this.flame.disabled = state.joined;
		this.fold.setAttribute('aria-pressed', String(state.fold));
		this.color.setAttribute('aria-pressed', String(state.color === 'object'));
		this.color.disabled = Boolean(this.change);
		this.reset.disabled = !this.zooms.some((zoom) => zoom.parent);
		this.centre.hidden = !state.joined;
		this.centre.disabled = this.zoomedFn === null;
		this.heading.hidden = !state.joined;
		this.heading.textContent = state.fn === null ? 'Select a function: in the table, the call tree or the graph.'
			: `${this.recording.names[state.fn]}: callers above, callees below. A click zooms; “Go there” shows the callers and callees of that frame.`;
		if (this.search.value !== state.search)
			this.search.value = state.search;
	}

	updateMatches() {
		const { names } = this.recording;
		const text = this.store.state.search;
		let pattern = null;
		if (this.matched === text && this.matchedSums === this.sums)
			return;
		this.matched = text;
		this.matchedSums = this.sums;
		this.matches = null;
		try {
			pattern = matcherOf(text);
			this.found.textContent = '';
		} catch {
			this.found.textContent = 'not a regular expression';
		}
		this.search.setAttribute('aria-invalid', String(Boolean(text) && !pattern));
		if (pattern) {
			this.matches = Uint8Array.from(names, (name) => pattern(name) ? 1 : 0);
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
		const by = this.store.state.color;
		if (this.colored === by && this.coloredSums === this.sums)
			return;
		this.colored = by;
		this.coloredSums = this.sums;
		this.colors = colorsOf(this.recording, by, this.sums.ownWeight);
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
		return this.change ? this.change.color(this.changeOf(frame, i)) : this.colors.of[this.recording.objectOf[frame.fn]];
	}

	changeOf(frame, i) {
		return this.stacks.changeOf(frame, this.which(i), this.change);
	}

	notesOf(frame) {
		return frame && frame.fn >= 0 ? this.notes.ofFunction(frame.fn) : [];
	}

	nameOf(frame) {
		return frame.fn < 0 ? 'all' : this.recording.names[frame.fn];
	}

	label(frame, i) {
		const change = this.change && frame.fn >= 0 ? this.changeOf(frame, i) : null;
		const sign = change && !change.noise ? `${change.delta < 0 ? '−' : '+'} ` : '';
		return `${this.notesOf(frame).length ? '✎ ' : ''}${sign}${this.nameOf(frame)}`;
	}

	describe(box, i) {
		const name = box.frame ? this.nameOf(box.frame) : `${countText(box.count)} smaller`;
		const lines = [this.placeOf(box), this.sharesOf(box, this.zooms[i]), this.change && box.frame ? this.changeLine(box.frame, i) : '',
			this.threadsOf(box, i), ...this.notesOf(box.frame).map((note) => `Note: ${note.name}${note.name && note.text ? ': ' : ''}${note.text}`)];
		return { name, lines: lines.filter(Boolean) };
	}

	changeLine(frame, i) {
		const change = this.changeOf(frame, i);
		return `${this.change.valueText(change.value)}, before ${this.change.valueText(change.before)}: ` +
			(!change.tested ? 'not known whether by chance' : change.noise ? 'no change that could not be chance' : this.change.deltaText(change));
	}

	/** Share of all and of what is zoomed to, both named. */
	sharesOf(box, zoom) {
		const metric = this.recording.meta.metrics[this.store.state.metric];
		const whole = this.sums.weight[0];
		if (!metric)
			return '';
		const [low, high] = amountInterval(metric, box.samples, box.weight);
		const parts = [`${percentText(box.weight, whole)} of all`];
		if ((zoom.parent || zoom.fn >= 0) && box.weight <= zoom.weight)
			parts.push(`${percentText(box.weight, zoom.weight)} of ${shortName(this.nameOf(zoom), 40)}`);
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
		const place = frame.parent ? tree.constructor.place(frame) : '';
		this.store.set({ [i ? 'zoomUp' : 'zoom']: place,
			...frame.fn >= 0 && !state.joined ? { fn: frame.fn } : {} }, true);
	}

	goThere() {
		if (this.zoomedFn !== null)
			this.store.set({ fn: this.zoomedFn, ...WHOLE }, true);
	}

	step(by) {
		this.graphs[0].step(by);
	}
}

/** Whether a name is searched for: by a regular expression in any case, or after = exactly. */
function matcherOf(text) {
	const pattern = text && !text.startsWith('=') ? new RegExp(text, 'i') : null;
	return pattern ? (name) => pattern.test(name) : text.length > 1 ? (name) => name === text.slice(1) : null;
}
