// SPDX-License-Identifier: Apache-2.0
// What happened when: threads in lanes, a heat map, or stacks in their order.
import { ChartView } from './chart.js';
import { choice, element } from './dom.js';
import { HeatView } from './heat.js';
import { ProcessLanesView } from './processlanes.js';
import { RegionLanesView } from './regionlanes.js';
import { StateLanesView } from './statelanes.js';

const KINDS_OF_TIME = [['states', 'States', 'What each thread did: it ran, or waited for what'],
	['regions', 'Regions', 'The parts of its work that the program named'],
	['lanes', 'Threads', 'Use of each process and thread over time'],
	['heat', 'Heat map', 'What comes back, and what is rare'],
	['chart', 'Stacks in order', 'The stacks of one thread in the order of time']];

export class TimeView {
	constructor(recording, store, lanes) {
		this.store = store;
		this.kinds = KINDS_OF_TIME.filter(([time]) => time !== 'states' && time !== 'regions' || recording[time]);
		this.views = { ...recording.states ? { states: new StateLanesView(recording, store, lanes) } : {},
			...recording.regions ? { regions: new RegionLanesView(recording, store, lanes) } : {},
			lanes: new ProcessLanesView(recording, store, lanes), heat: new HeatView(recording, store, lanes),
			chart: new ChartView(recording, store, lanes) };
		this.choice = choice('Show', this.kinds, (time) => store.set({ time }, true));
		this.root = element('div', { class: 'column' }, element('div', { class: 'bar' }, this.choice.root),
			...Object.values(this.views).map((view) => view.root));
	}

	draw() {
		const now = Object.hasOwn(this.views, this.store.state.time) ? this.store.state.time : 'lanes';
		this.choice.set(now);
		for (const [time, view] of Object.entries(this.views))
			view.root.hidden = time !== now;
		this.views[now].draw();
	}
}
