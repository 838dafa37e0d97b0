// SPDX-License-Identifier: Apache-2.0
// What the page has of a function's source and instructions, and the jumps between these.

/** What the page has of FN's code. @param {import('./decode.js').Recording} recording @param {number} fn */
export function codeOf(recording, fn) {
	return recording.code.functions.find((code) => code.function === fn);
}

/** @param {import('./decode.js').Recording} recording @param {number} fn */
export function hasCode(recording, fn) {
	const code = codeOf(recording, fn);
	return Boolean(code && (code.file || code.address || code.within !== undefined));
}

const LANES_MOST = 6; // jumps beside each other; more are not drawn

/**
 * The jumps within a list of instructions, the shortest nearest to the text.
 * @param {number[]} addresses
 * @param {number[]} targets 0: none
 * @returns {{from: number, to: number, lane: number}[]} rows
 */
export function jumpsOf(addresses, targets) {
	const row = new Map(addresses.map((address, i) => [address, i]));
	const jumps = targets.map((target, from) => ({ from, to: target ? row.get(target) : undefined, lane: 0 }))
		.filter((jump) => jump.to !== undefined && jump.to !== jump.from);
	const taken = []; // by lane: the rows from and to of each jump there
	jumps.sort((a, b) => Math.abs(a.to - a.from) - Math.abs(b.to - b.from) || a.from - b.from);
	for (const jump of jumps) {
		const low = Math.min(jump.from, jump.to), high = Math.max(jump.from, jump.to);
		while ((taken[jump.lane] ||= []).some(([from, to]) => from <= high && to >= low))
			jump.lane++;
		taken[jump.lane].push([low, high]);
	}
	return jumps.filter((jump) => jump.lane < LANES_MOST);
}

/**
 * The jumps as characters beside each row: "╭─", "│ ", "╰─▸".
 * @param {number} rows
 * @param {{from: number, to: number, lane: number}[]} jumps
 * @returns {string[]}
 */
export function jumpTexts(rows, jumps) {
	const width = jumps.reduce((most, jump) => Math.max(most, jump.lane + 1), 0) + 1;
	const grid = Array.from({ length: rows }, () => new Array(width).fill(' '));
	const line = (row, lane, corner, tip) => {
		// the lanes are numbered from the right
		const at = width - 2 - lane;
		grid[row][at] = corner;
		for (let x = at + 1; x < width - 1; x++)
			grid[row][x] = grid[row][x] === ' ' ? '─' : grid[row][x] === '│' ? '┼' : grid[row][x];
		grid[row][width - 1] = grid[row][width - 1] === '▸' ? '▸' : tip;
	};
	for (const { from, to, lane } of jumps)
		for (let row = Math.min(from, to) + 1; row < Math.max(from, to); row++)
			grid[row][width - 2 - lane] = '│';
	for (const { from, to, lane } of jumps) {
		line(from, lane, from < to ? '╭' : '╰', '─');
		line(to, lane, from < to ? '╰' : '╭', '▸');
	}
	return grid.map((row) => jumps.length ? row.join('') : '');
}
