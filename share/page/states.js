// SPDX-License-Identifier: Apache-2.0
// What threads did: how their lives divide into CPU time and waits, exactly, over any span.

/**
 * @typedef {object} Kind
 * @property {string} id 'life', or a state
 * @property {string} label
 * @property {string} letter
 *
 * @typedef {object} States
 * @property {Kind[]} kinds the first is life
 * @property {Uint32Array} first by thread × kind and one more: its first run
 * @property {Uint32Array} from by run: its first tick
 * @property {Uint32Array} end the tick behind its last
 * @property {Float64Array} ns all of it, evenly spread
 */

/** Colours as different as can be for any colour vision; idle waits are pale. Letters tell them, too. */
const STATE_COLORS = { wait: '#f0b429', lock: '#d9603f', datafault: '#cc79a7', textfault: '#e3b0cf', stopped: '#9a9a9a',
	pagefault: '#d894bb', disk: '#2fae88', network: '#9adbc5', pipe: '#b89be0', poll: '#f1eda8', child: '#c9a27c', timer: '#dcc9e8',
	otherwait: '#a8b3c2', unknown: '#f4f4f4' };

/** What is on a lane, from its bottom: CPU time is what no wait fills. */
const CPU = { id: 'cpu', label: 'CPU', letter: '' };

/** The colour of a part, and of its letter. @param {Kind} kind @param {(name: string) => string} theme */
export function stateColor(kind, theme) {
	if (kind.id === 'cpu')
		return { fill: theme('lane'), text: theme('background') };
	return kind.id in STATE_COLORS ? { fill: STATE_COLORS[kind.id], text: '#1b1b1b' }
		: { fill: theme('rule'), text: theme('text') };
}

/** CPU time and each wait. @param {States} states @returns {Kind[]} */
export function partsOf(states) {
	return [CPU, ...states.kinds.slice(1)];
}

/** Whether anything is known of a thread. @param {States} states */
export function hasLife(states, thread) {
	const at = thread * states.kinds.length;
	return states.first[at] < states.first[at + 1];
}

/** Calls FN with each run of a kind of a thread that is in part at least in [first, end). */
function forRuns(states, thread, kind, [first, end], fn) {
	const at = thread * states.kinds.length + kind;
	let low = states.first[at], high = states.first[at + 1];
	const last = high;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (states.end[mid] <= first)
			low = mid + 1;
		else
			high = mid;
	}
	for (let r = low; r < last && states.from[r] < end; r++)
		fn(states.from[r], states.end[r], states.ns[r]);
}

/** CPU time from the life and the waits, in the place of the life. @param {Float64Array} ns by kind */
function findCpu(ns) {
	const waited = ns.reduce((sum, value, kind) => kind ? sum + value : sum, 0);
	return Math.max(0, ns[0] - waited);
}

/**
 * Nanoseconds of a thread by part, see partsOf, and its life.
 * @param {States} states
 * @param {number} thread
 * @param {[number, number][]} spans ticks
 */
export function sumStates(states, thread, spans) {
	const ns = new Float64Array(states.kinds.length);
	for (const span of spans)
		for (let kind = 0; kind < ns.length; kind++)
			forRuns(states, thread, kind, span, (from, end, all) => {
				const inside = Math.min(end, span[1]) - Math.max(from, span[0]);
				ns[kind] += inside === end - from ? all : all * inside / (end - from);
			});
	const life = ns[0];
	ns[0] = findCpu(ns);
	return { life, parts: ns };
}

/**
 * The share of each of COUNT equal parts of the time that a thread has in each part, see partsOf.
 * @param {States} states
 * @param {number} thread
 * @param {[number, number]} window ticks
 * @param {number} count
 * @param {number} tickNs
 * @returns {Float64Array[]} by part
 */
export function statesOverTime(states, thread, [first, end], count, tickNs) {
	const each = (end - first) / count; // ticks of a column
	const out = states.kinds.map((_, kind) => {
		const shares = new Float64Array(count);
		forRuns(states, thread, kind, [first, end], (from, to, ns) => {
			const perTick = ns / (to - from) / (each * tickNs);
			const low = Math.max(0, (from - first) / each), high = Math.min(count, (to - first) / each);
			for (let i = Math.floor(low); i < high; i++)
				shares[i] += perTick * each * (Math.min(high, i + 1) - Math.max(low, i));
		});
		return shares;
	});
	for (let i = 0; i < count; i++)
		out[0][i] = findCpu(Float64Array.from(out, (shares) => shares[i]));
	return out;
}

/** "User Lock 83.0 %, CPU 17.0 %": the most first. @param {States} states */
export function statesText(states, { life, parts }) {
	const kinds = partsOf(states);
	if (!life)
		return 'not alive';
	return kinds.map((kind, i) => ({ label: kind.label, share: 100 * parts[i] / life })).filter(({ share }) => share >= 0.05)
		.sort((a, b) => b.share - a.share).map(({ label, share }) => `${label} ${share.toFixed(1)} %`).join(', ');
}

/** A row for each thread that lived in the selection, for a table. */
export function stateRows(recording, selection) {
	const { states, meta } = recording;
	const spans = selection.span || [[0, meta.ticks]];
	return meta.threads.map((thread, t) => ({ name: thread.name, thread: t, tid: thread.tid, process: `${thread.process} ${thread.pid}`,
		...!selection.threads || selection.threads.has(t) ? sumStates(states, t, spans) : { life: 0, parts: [] } }))
		.filter((row) => row.life > 0);
}
