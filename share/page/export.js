// SPDX-License-Identifier: Apache-2.0
// What the user takes along: a table as CSV, a flame graph as SVG or PNG.
import { shortName } from './dom.js';
import { ROW } from './flamegraph.js';

/** @param {string} name @param {Blob} blob */
export function save(name, blob) {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** RFC 4180.  A name that a spreadsheet would take for a formula has a ' before it, as in er_print's CSV. */
function field(text, isName) {
	const safe = isName && /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/**
 * @param {import('./table.js').Column[]} columns
 * @param {any[]} rows
 */
export function csvOf(columns, rows) {
	const lines = [columns.map((column) => field(column.title, true)).join(',')];
	for (const row of rows)
		lines.push(columns.map((column) => field(column.text(row), !column.number)).join(','));
	return new Blob([lines.join('\r\n'), '\r\n'], { type: 'text/csv' });
}

function escape(text) {
	// no control characters: XML has none, not even escaped
	return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd').replace(/[&<>"]/g,
		(c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}

/** All of flame graphs below each other, also what is scrolled away. @param {import('./flamegraph.js').FlameGraph[]} graphs */
export function svgOf(graphs) {
	const width = Math.max(...graphs.map((graph) => graph.box.clientWidth));
	const parts = [];
	let top = 0;
	for (const graph of graphs) {
		graph.levels.forEach((level, i) => {
			const y = top + (graph.upward ? graph.levels.length - 1 - i : i) * ROW;
			for (const box of level)
				parts.push(svgBox(graph, box, y));
		});
		top += graph.levels.length * ROW;
	}
	return new Blob([`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" ` +
		'font-family="system-ui, sans-serif" font-size="12"><title>Flame graph</title>\n', ...parts, '</svg>\n'],
	{ type: 'image/svg+xml' });
}

/** What is seen of flame graphs. @param {(blob: Blob) => void} done */
export function pngOf(graphs, done) {
	const canvas = document.createElement('canvas');
	const parts = graphs.map((graph) => graph.canvas);
	canvas.width = Math.max(...parts.map((part) => part.width));
	canvas.height = parts.reduce((sum, part) => sum + part.height, 0);
	const context = canvas.getContext('2d');
	let y = 0;
	for (const part of parts) {
		context.drawImage(part, 0, y);
		y += part.height;
	}
	canvas.toBlob(done);
}

function svgBox(graph, box, y) {
	const { name, lines } = graph.style.describe(box);
	const w = Math.max(0.5, box.width - 1);
	const label = box.width < 24 ? '' : shortName(box.frame ? graph.style.label(box.frame) : name,
		Math.floor((box.width - 6) / 6.4));
	return `<g><title>${escape([name, ...lines].join('\n'))}</title>` +
		`<rect x="${box.x.toFixed(2)}" y="${y}" width="${w.toFixed(2)}" height="${ROW - 1}" fill="${graph.style.fill(box.frame)}"/>` +
		(label ? `<text x="${(box.x + 4).toFixed(2)}" y="${y + 14}"${box.frame && box.frame.inlined ? ' font-style="italic"' : ''}>${
			escape(label)}</text>` : '') + '</g>\n';
}
