// SPDX-License-Identifier: Apache-2.0
// A lane for each thread with what it did: ran, or waited for what.  Each part has a colour, a letter
// where there is room, and is named by the pointer; the shares of the selection are in the legend.
import { element, percentText, themeColor, timeText } from './dom.js';
import { hasLife, partsOf, stateColor, statesOverTime, statesText, sumStates } from './states.js';
import { LANE, LanesView } from './timeline.js';

const LETTER_ROOM = 12;
const PICTURES_KEPT = 128;
const INSIDE = LANE - 4;

export class StateLanesView extends LanesView {
	constructor(recording, store, lanes) {
		super(recording, store, lanes);
		this.parts = recording.states ? partsOf(recording.states) : [];
		this.pictures = new Map(); // by thread
		this.said = element('p', { class: 'details', role: 'status' });
		this.legend = element('ul', { class: 'legend above' });
		this.root.append(this.legend, this.said);
		this.box.addEventListener('pointermove', (event) => this.onPoint(event));
		this.help.textContent = 'Each lane is a thread, from the busiest to the one that waited most; its height divides as that ' +
			'time did. A colour and a letter stand for what it waited for. Drag to select a span, click a name for that thread alone.';
	}

	/** Those with the most CPU time first. */
	order() {
		const { states, meta } = this.recording;
		return meta.threads.map((_, t) => t).filter((t) => hasLife(states, t))
			.map((t) => ({ t, weight: sumStates(states, t, [[0, meta.ticks]]).parts[0] }))
			.sort((a, b) => b.weight - a.weight || a.t - b.t);
	}

	get spans() {
		return this.store.state.span || [[0, this.recording.meta.ticks]];
	}

	label(row) {
		const out = super.label(row), { t } = row;
		const tell = () => this.tell(t, this.spans);
		out.title = `${this.nameOf(t)}: ${statesText(this.recording.states, sumStates(this.recording.states, t, this.spans))}`;
		out.addEventListener('focus', tell);
		return out;
	}

	draw() {
		super.draw();
		this.drawLegend();
	}

	/** With what all selected threads have of it in the selected time. */
	drawLegend() {
		const { threads } = this.store.state;
		const sums = new Float64Array(this.parts.length);
		let whole = 0;
		for (const { t } of this.rows || []) {
			if (threads && !threads.has(t))
				continue;
			const { life, parts } = sumStates(this.recording.states, t, this.spans);
			whole += life;
			parts.forEach((ns, i) => { sums[i] += ns; });
		}
		this.legend.replaceChildren(...this.parts.map((kind, i) => {
			const { fill, text } = stateColor(kind, themeColor);
			const swatch = element('span', { class: 'swatch letter', 'aria-hidden': 'true' }, kind.letter);
			swatch.style.background = fill;
			swatch.style.color = text;
			return element('li', {}, swatch, `${kind.label} ${percentText(sums[i], whole)}`);
		}));
	}

	updateScale() {}

	// ---- drawing ----

	paintLane(context, { t }, left, y, width) {
		const picture = this.picture(t, width);
		context.drawImage(picture, left, y + 2, width, INSIDE);
		this.lanes.paintLosses(context, [t], left, y + 2, width, INSIDE);
		context.fillStyle = themeColor('rule');
		context.fillRect(0, y + LANE - 1, left + width, 1);
	}

	/** A lane is drawn once for each window, width and theme. */
	picture(t, width) {
		const key = [...this.lanes.window, width, window.devicePixelRatio, themeColor('background')].join();
		if (key !== this.pictured || this.pictures.size > PICTURES_KEPT)
			this.pictures.clear();
		this.pictured = key;
		if (!this.pictures.has(t))
			this.pictures.set(t, this.makePicture(t, width));
		return this.pictures.get(t);
	}

	makePicture(t, width) {
		const ratio = window.devicePixelRatio || 1;
		const canvas = element('canvas', { width: Math.ceil(width * ratio), height: Math.ceil(INSIDE * ratio) });
		const context = canvas.getContext('2d');
		const shares = statesOverTime(this.recording.states, t, this.lanes.window, width, this.recording.meta.tick_ns);
		const colors = this.parts.map((kind) => stateColor(kind, themeColor));
		const below = new Float64Array(width);
		context.scale(canvas.width / width, canvas.height / INSIDE);
		shares.forEach((part, i) => this.paintPart(context, part, below, colors[i].fill));
		this.paintLetters(context, shares, colors);
		return canvas;
	}

	/** On what is BELOW; columns of one height are one rectangle. */
	paintPart(context, part, below, fill) {
		context.fillStyle = fill;
		for (let i = 0, end; i < part.length; i = end) {
			end = i + 1;
			while (end < part.length && part[end] === part[i] && below[end] === below[i])
				end++;
			const height = part[i] * INSIDE;
			if (height > 0)
				context.fillRect(i, INSIDE - below[i] - height, end - i, height);
			below.fill(below[i] + height, i, end);
		}
	}

	/** Where one part has most of a stretch, in its middle. */
	paintLetters(context, shares, colors) {
		const width = shares[0].length;
		const main = (column) => shares.reduce((best, part, i) => part[column] > (best < 0 ? 0 : shares[best][column]) ? i : best, -1);
		context.font = '12px system-ui, sans-serif';
		context.textAlign = 'center';
		context.textBaseline = 'middle';
		for (let i = 0, end; i < width; i = end) {
			const part = main(i);
			end = i + 1;
			while (end < width && main(end) === part)
				end++;
			if (part < 0 || end - i < LETTER_ROOM || !this.parts[part].letter)
				continue;
			context.fillStyle = colors[part].text;
			context.fillText(this.parts[part].letter, (i + end) / 2, INSIDE / 2 + 1);
		}
	}

	// ---- the pointer ----

	onPoint(event) {
		const area = this.box.getBoundingClientRect(), left = this.labelWidth(), width = Math.floor(this.box.clientWidth - left);
		const x = Math.floor(event.clientX - area.left - left);
		const row = this.rows && this.rows[Math.floor((event.clientY - area.top + this.box.scrollTop) / LANE)];
		if (!row || x < 0 || x >= width)
			return;
		const from = Math.floor(this.lanes.tickAt(x, width)), to = Math.ceil(this.lanes.tickAt(x + 1, width));
		this.tell(row.t, [[from, Math.max(from + 1, to)]]);
	}

	tell(t, spans) {
		const { states, meta } = this.recording;
		const when = spans.length > 1 ? `${spans.length} spans` : `${timeText(meta, spans[0][0])} to ${timeText(meta, spans[0][1])}`;
		this.said.textContent = `${this.nameOf(t)} — ${when}: ${statesText(states, sumStates(states, t, spans))}`;
	}
}
