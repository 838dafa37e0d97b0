// SPDX-License-Identifier: Apache-2.0
// Stacks that do not reach their root: how many, why, and what to do about it.
import { percentText } from './dom.js';

/** By the reason that er_print gives, see collect(1). */
const REMEDIES = {
	'stack copy too short': 'the stack is larger than what was copied of it, and what lies beyond could not be read: '
		+ 'leave --stack-size out, or give 65528',
	'no unwind information': 'build that code with -fasynchronous-unwind-tables, or with -fno-omit-frame-pointer',
	'unreadable frame': 'their memory could not be read',
	'too deep': 'they have more frames than collect keeps',
	'frame pointers end': 'record with collect --stack cfi',
	'no user stack': 'nothing was recorded of the program’s part',
	'interrupted on another stack': 'a larger copy of the stack does not help: callers are on another one',
	'register not saved': 'of a thread that sleeps only some registers are known',
};
const CUT = /^<Truncated>(?: \((.*)\))?$/;

/**
 * Those of a selection: their share, and that of each reason; nothing: all reach their root.
 * @param {import('./decode.js').Recording} recording
 * @param {import('./aggregate.js').Sums} sums
 */
function endsOf({ names, parent, functionOf, outermost }, sums) {
	const weight = new Map();
	for (let n = 1; n < parent.length; n++)
		if (!parent[n] && outermost[n] && sums.weight[n] && CUT.test(names[functionOf[n]]))
			weight.set(functionOf[n], (weight.get(functionOf[n]) || 0) + sums.weight[n]);
	const all = [...weight.values()].reduce((sum, w) => sum + w, 0);
	const parts = [...weight].sort((a, b) => b[1] - a[1]).map(([fn, w]) => {
		const why = CUT.exec(names[fn])[1] || 'reason not known';
		return `${percentText(w, sums.weight[0])} ${why}${REMEDIES[why] ? ` (${REMEDIES[why]})` : ''}`;
	});
	return all ? { share: percentText(all, sums.weight[0]), why: parts.join('; ') } : null;
}

/**
 * Of the selection, and of what it is compared with, BEFORE.
 * @param {import('./decode.js').Recording} recording
 * @param {import('./aggregate.js').Sums} sums
 * @param {?import('./aggregate.js').Sums} before
 */
export function endsText(recording, sums, before) {
	const now = endsOf(recording, sums), was = before && endsOf(recording, before);
	if (!before)
		return now ? `${now.share} of these stacks do not reach their root, so their callers are missing: ${now.why}.` : '';
	const side = (ends) => ends ? `${ends.share}: ${ends.why}` : 'none';
	return now || was ? `Stacks that do not reach their root, so that their callers are missing: now ${side(now)}. Before ${side(was)}.` : '';
}
