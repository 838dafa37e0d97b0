// SPDX-License-Identifier: Apache-2.0
// A lane for each thread with the regions that it was in, those within one below it.
import { OBJECT_COLORS, OTHER_COLOR } from './colors.js';
import { element, shortName, themeColor } from './dom.js';
import { branchOf, ticksOfInstance } from './regions.js';
import { LanesView } from './timeline.js';

const LEVEL = 18;
const SPACE = 4;
const DEPTH_MOST = 8;
const TEXT_ROOM = 24;

export class RegionLanesView extends LanesView {
	constructor(recording, store, lanes) {
		super(recording, store, lanes);
		this.regions = recording.regions;
		this.levels = Math.min(DEPTH_MOST, this.regions.depth);
		this.lane = this.levels * LEVEL + SPACE;
		this.said = element('p', { class: 'details', role: 'status' });
		this.legend = element('ul', { class: 'legend above', 'aria-label': 'Regions' });
		this.root.append(this.legend, this.said);
		this.box.addEventListener('pointermove', (event) => this.tell(this.instanceAt(event)));
		this.box.addEventListener('dblclick', (event) => this.open(this.instanceAt(event)));
		this.help.textContent = 'Each lane is a thread with the regions that the program named, one within another. A double click ' +
			'selects the time of an instance; in the table of regions Enter selects that of all of them.';
		this.chooseColors();
	}

	/** Those that lasted longest have colours of their own. */
	chooseColors() {
		const { meta } = this.recording;
		const rows = meta.regions.map((_, row) => row).filter((row) => row && !meta.regions[row].apart)
			.sort((a, b) => meta.regions[b].sum_ns - meta.regions[a].sum_ns || a - b);
		this.colors = new Map(rows.slice(0, OBJECT_COLORS.length).map((row, i) => [row, OBJECT_COLORS[i]]));
		const items = [...this.colors].map(([row, color]) => this.legendItem(color, branchOf(meta, row)));
		if (rows.length > items.length)
			items.push(this.legendItem(OTHER_COLOR, `${rows.length - items.length} others`));
		this.legend.replaceChildren(...items);
	}

	legendItem(color, text) {
		const swatch = element('span', { class: 'swatch' });
		swatch.style.background = color;
		return element('li', {}, swatch, text);
	}

	/** All threads with regions, the busiest first. */
	order() {
		const { first } = this.regions;
		const weights = new Map(super.order().map(({ t, weight }) => [t, weight]));
		return this.recording.meta.threads.map((_, t) => t).filter((t) => first[t] < first[t + 1])
			.map((t) => ({ t, weight: weights.get(t) || 0 })).sort((a, b) => b.weight - a.weight || a.t - b.t);
	}

	updateScale() {}

	levelOf(i) {
		return this.recording.meta.regions[this.regions.row[i]].depth - 1;
	}

	paintLane(context, { t }, left, y, width) {
		const { first } = this.regions;
		const painted = new Float64Array(this.levels).fill(-1); // up to where, by level
		context.textBaseline = 'middle';
		context.font = '12px system-ui, sans-serif';
		for (let i = first[t]; i < first[t + 1]; i++)
			if (this.levelOf(i) < this.levels)
				this.paintInstance(context, i, { left, y, width }, painted);
		this.lanes.paintLosses(context, [t], left, y, width, this.lane - SPACE);
		context.fillStyle = themeColor('rule');
		context.fillRect(0, y + this.lane - 1, left + width, 1);
	}

	paintInstance(context, i, { left, y, width }, painted) {
		const level = this.levelOf(i), top = y + 2 + level * LEVEL;
		const from = Math.max(0, this.lanes.xOf(this.regions.begin[i], width));
		const to = Math.min(width, Math.max(this.lanes.xOf(this.regions.end[i], width), from + 1));
		if (to <= from || to - painted[level] < 0.5)
			return; // out of sight, or where one already is
		painted[level] = to;
		const row = this.regions.row[i];
		context.fillStyle = this.colors.get(row) || OTHER_COLOR;
		context.fillRect(left + from, top, Math.max(1, to - from - (to - from > 3 ? 1 : 0)), LEVEL - 1);
		if (to - from < TEXT_ROOM)
			return;
		context.fillStyle = '#1b1b1b';
		context.fillText(shortName(this.recording.meta.regions[row].name, Math.floor((to - from - 6) / 6.4)),
			left + from + 3, top + LEVEL / 2, to - from - 6);
	}

	// ---- the pointer ----

	/** The thread and the instance below the pointer, or null. */
	instanceAt(event) {
		const area = this.box.getBoundingClientRect(), left = this.labelWidth(), width = Math.floor(this.box.clientWidth - left);
		const x = event.clientX - area.left - left, y = event.clientY - area.top + this.box.scrollTop;
		const lane = this.rows && this.rows[Math.floor(y / this.lane)];
		if (!lane || x < 0)
			return null;
		const { t } = lane;
		const level = Math.floor((y % this.lane - 2) / LEVEL), tick = this.lanes.tickAt(x, width), px = this.lanes.tickAt(x + 1, width);
		const { first, begin, end } = this.regions;
		for (let i = first[t]; i < first[t + 1]; i++)
			if (this.levelOf(i) === level && begin[i] < px && end[i] >= tick)
				return { t, i };
		return null;
	}

	tell(found) {
		const { meta } = this.recording, { begin, end, row } = this.regions;
		const seconds = (ticks) => `${(ticks * meta.tick_ns / 1e9).toFixed(6)} s`;
		this.said.textContent = found ? `${branchOf(meta, row[found.i])} — ${this.nameOf(found.t)}, from ${seconds(begin[found.i])}, for ${
			seconds(end[found.i] - begin[found.i])}` : '';
	}

	open(found) {
		if (found)
			this.store.set({ span: [ticksOfInstance(this.regions, found.i)], threads: new Set([found.t]) }, true);
	}
}
