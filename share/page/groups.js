// SPDX-License-Identifier: Apache-2.0
// Rows of other things than functions: objects, threads, processes, CPUs.
import { sumTags, sumThreads } from './aggregate.js';
import { findOutermost } from './decode.js';

/** Of objects: a sample counts once for each on its stack. */
export function objectRows(recording, sums) {
	const { functionOf, objectOf, parent, firstChild, nextSibling, meta } = recording;
	const objectAt = Uint32Array.from(functionOf, (fn) => objectOf[fn]);
	const outermost = findOutermost(objectAt, parent, firstChild, nextSibling, meta.objects.length);
	const rows = meta.objects.map((object) => ({ name: object.path, kind: object.kind, ownSamples: 0, ownWeight: 0,
		samples: 0, weight: 0 }));
	for (let n = 1; n < parent.length; n++) {
		const row = rows[objectAt[n]];
		row.ownSamples += sums.ownSamples[n];
		row.ownWeight += sums.ownWeight[n];
		row.samples += outermost[n] ? sums.samples[n] : 0;
		row.weight += outermost[n] ? sums.weight[n] : 0;
	}
	return rows.filter((row) => row.samples || row.weight);
}

/** Of threads in the selected time. */
export function threadRows(recording, selection) {
	const all = new Uint8Array(recording.parent.length).fill(1);
	const weight = sumThreads(recording, selection, all);
	const samples = sumThreads(recording, selection, all, 'entrySamples');
	return recording.meta.threads.map((thread, t) => ({ name: thread.name, thread: t, tid: thread.tid,
		process: `${thread.process} ${thread.pid}`, ownSamples: samples[t], ownWeight: weight[t] }))
		.filter((row) => row.ownSamples || row.ownWeight);
}

/** Of CPUs, in the whole recording unless it is known of each slot. */
export function cpuRows(recording, selection) {
	const { meta } = recording, { metric } = selection;
	const sums = (selection.span || selection.threads) &&
		sumTags(recording, selection, 'cpus', meta.cpus.reduce((most, { number = 0 }) => Math.max(most, number), 0) + 2);
	return meta.cpus.map(({ number = -1, values }) => ({ name: `CPU ${number}`, cpu: number,
		ownSamples: sums ? sums.samples[number + 1] : values[2 * metric],
		ownWeight: sums ? sums.weight[number + 1] : values[2 * metric + 1] })).filter((row) => row.ownSamples || row.ownWeight);
}

/** Of each experiment, each with its threads, the first of which stands for it. */
export function processesOf({ threads }) {
	const out = new Map();
	threads.forEach(({ experiment, pid, process }, t) => {
		const key = `${experiment}.${pid}`;
		const to = out.get(key) || { first: t, name: process, pid, experiment, threads: [] };
		to.threads.push(t);
		out.set(key, to);
	});
	return [...out.values()];
}

/** The threads' sums by process. */
export function processRows(recording, selection) {
	const rows = new Map(threadRows(recording, selection).map((row) => [row.thread, row]));
	return processesOf(recording.meta).map(({ name, pid, threads }) => {
		const own = threads.filter((t) => rows.has(t));
		const sum = (key) => own.reduce((all, t) => all + rows.get(t)[key], 0);
		return { name, pid, threads: own, ownSamples: sum('ownSamples'), ownWeight: sum('ownWeight') };
	}).filter((row) => row.threads.length);
}
