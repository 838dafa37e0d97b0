// SPDX-License-Identifier: Apache-2.0
// Use over time of each process, the sum of its threads, which open below it.  With one process
// there are threads alone.
import { amountText, countText, element, percentText } from './dom.js';
import { processesOf } from './groups.js';
import { cpusText, scaleFor } from './lanes.js';
import { LanesView } from './timeline.js';

export class ProcessLanesView extends LanesView {
	constructor(recording, store, lanes) {
		super(recording, store, lanes);
		const all = processesOf(recording.meta);
		this.processes = all.length > 1 ? all : [];
		if (this.processes.length)
			this.box.setAttribute('aria-label', this.box.getAttribute('aria-label').replace('Threads', 'Processes and threads'));
	}

	isOpen(process) {
		const { open } = this.store.state;
		return Boolean(open && open.has(process.first));
	}

	/** The busiest process first, and below one that is open its threads. */
	order() {
		const rows = super.order();
		if (!this.processes.length)
			return rows;
		const of = new Map(this.processes.flatMap((process) => process.threads.map((t) => [t, process])));
		const found = new Map();
		for (const row of rows) {
			const to = found.get(of.get(row.t)) || { process: of.get(row.t), weight: 0, rows: [] };
			to.weight += row.weight;
			to.rows.push({ ...row, within: true });
			found.set(to.process, to);
		}
		return [...found.values()].sort((a, b) => b.weight - a.weight || a.process.first - b.process.first)
			.flatMap(({ rows: own, ...row }) => [{ ...row, opens: own.length > 1 },
				...own.length > 1 && this.isOpen(row.process) ? own : []]);
	}

	threadsOf(row) {
		return row.process ? row.process.threads : super.threadsOf(row);
	}

	// ---- labels ----

	label(row) {
		if (row.process)
			return this.processLabel(row);
		const out = super.label(row);
		out.classList.toggle('within', Boolean(row.within));
		return out;
	}

	processLabel({ process, weight, opens }) {
		const { name, pid, threads, first } = process, { state } = this.store;
		const { meta } = this.recording, info = meta.metrics[state.metric];
		const many = meta.experiments.length > 1 ? `, experiment ${process.experiment + 1}` : '';
		const title = `${name}, process ${pid}${many}, ${countText(threads.length)} thread${threads.length === 1 ? '' : 's'}: ${
			amountText(info, weight)}, ${percentText(weight, info.total.weight)} of all`;
		const select = element('button', { type: 'button', title, class: 'label', 'data-key': `p${first}`,
			'aria-pressed': this.pressed(threads),
			click: (event) => this.choose(threads, event.ctrlKey || event.metaKey) }, `${name} ${pid}`);
		return element('div', { class: 'process' }, ...opens ? [this.opener(process)] : [], select);
	}

	/** "true", "false", or of some of them "mixed" */
	pressed(chosen) {
		const { threads } = this.store.state;
		const count = threads ? chosen.filter((t) => threads.has(t)).length : 0;
		return count && count < chosen.length ? 'mixed' : String(count > 0);
	}

	opener(process) {
		const open = this.isOpen(process), title = `Threads of ${process.name} ${process.pid}`;
		return element('button', { type: 'button', class: 'opener', title, 'aria-label': title, 'aria-expanded': String(open),
			'data-key': `o${process.first}`, click: () => this.toggle(process) }, open ? '▾' : '▸');
	}

	toggle(process) {
		const next = new Set(this.store.state.open || []);
		if (!next.delete(process.first))
			next.add(process.first);
		this.store.set({ open: next.size ? next : null });
	}

	// ---- lanes ----

	/** As high as the CPUs that the threads of one process can use, unless none uses a quarter of them. */
	updateScale(width) {
		super.updateScale(width);
		if (!this.processes.length)
			return;
		const { meta } = this.recording, groups = this.processes.map((process) => process.threads);
		const threads = groups.reduce((most, group) => Math.max(most, group.length), 1);
		const cpus = meta.experiments.reduce((most, e) => Math.max(most, e.cpus), 1);
		const isTime = this.lanes.isTime();
		this.processMost = scaleFor(this.lanes.peak('processes', groups, width), isTime ? Math.min(cpus, threads) : 0);
		const scale = !isTime ? 'all of a kind on one scale'
			: this.processMost === this.most ? `each ${cpusText(this.most)} high`
				: `a process ${cpusText(this.processMost)} high, a thread ${cpusText(this.most)}`;
		this.help.textContent = `Each lane is a process, the busiest first; the arrow before a name opens its threads; ${scale}. ` +
			'Click a name to show that process or thread alone, with Ctrl to add or remove it. Hatched: records were lost there.';
	}

	paintLane(context, row, left, y, width) {
		if (!row.process)
			return super.paintLane(context, row, left, y, width);
		const { first, threads } = row.process;
		return this.paintUse(context, this.lanes.values(`p${first}`, threads, width), threads,
			{ left, y, width, most: this.processMost });
	}
}
