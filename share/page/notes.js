// SPDX-License-Identifier: Apache-2.0
// The user's notes on the page, a span or a function.  They are saved inside a copy of the page; what
// a copy brings is somebody's text, and only ever shown as text.
import { button, countText, element, timeText } from './dom.js';
import { save } from './export.js';

const NOTES_MOST = 1000;
const TEXT_MOST = 10000;
const KINDS_OF_NOTE = [['page', 'The page'], ['span', 'The selected span'], ['frame', 'The selected function']];

/**
 * @typedef {object} Note
 * @property {string} kind 'page', 'span' or 'frame'
 * @property {string} name
 * @property {string} text
 * @property {string} hash of what was seen
 * @property {?[number, number][]} span ticks
 * @property {?number} fn
 */

/** @returns {?Note} null: it is none */
function checkedNote(note, meta) {
	const text = (value) => typeof value === 'string' ? value.slice(0, TEXT_MOST) : '';
	const isTick = (tick) => Number.isInteger(tick) && tick >= 0 && tick <= meta.ticks;
	const spanFits = (span) => Array.isArray(span) && span.length > 0 && span.length < NOTES_MOST &&
		span.every((part) => Array.isArray(part) && part.length === 2 && part.every(isTick) && part[0] < part[1]);
	if (!note || !KINDS_OF_NOTE.some(([kind]) => kind === note.kind) || note.kind === 'span' && !spanFits(note.span) ||
		note.kind === 'frame' && !(Number.isInteger(note.fn) && note.fn >= 0 && note.fn < meta.functions))
		return null;
	return { kind: note.kind, name: text(note.name), text: text(note.text), hash: text(note.hash),
		span: note.kind === 'span' ? note.span : null, fn: note.kind === 'frame' ? note.fn : null };
}

/** Those that this copy of the page has. @returns {Note[]} */
function readNotes(meta) {
	const found = document.getElementById('notes');
	try {
		const notes = found ? JSON.parse(found.textContent) : [];
		return Array.isArray(notes) ? notes.slice(0, NOTES_MOST).map((note) => checkedNote(note, meta)).filter(Boolean) : [];
	} catch {
		return [];
	}
}

/** What the page is once LIST is in it: as er_print wrote it, without what the script made. */
export function pageWith(list) {
	const copy = /** @type {any} */ (document.documentElement.cloneNode(true));
	const body = copy.querySelector('body'), summary = copy.querySelector('#summary');
	const old = copy.querySelector('#notes');
	copy.querySelector('#app').replaceChildren(summary);
	body.classList.remove('scripted');
	delete body.dataset.ready;
	if (old)
		old.remove();
	if (list.length) {
		const notes = element('script', { type: 'application/json', id: 'notes' });
		// no markup in it, whatever the notes say
		notes.textContent = JSON.stringify(list).replace(/</g, '\\u003c');
		copy.querySelector('#data').before(notes, '\n');
	}
	return `<!DOCTYPE html>\n${copy.outerHTML}\n`;
}

/** "a b.html" of "/x/a%20b.html" */
export function nameOfPage(path) {
	const name = path.split('/').pop() || 'page.html';
	try {
		return decodeURIComponent(name);
	} catch {
		return name; // a lone %
	}
}

/** The notes, which other views ask for. */
export class Notes {
	/** @param {import('./decode.js').Recording} recording @param {import('./state.js').Store} store */
	constructor(recording, store) {
		this.recording = recording;
		this.store = store;
		this.list = readNotes(recording.meta);
		this.saved = true;
		window.addEventListener('beforeunload', (event) => this.saved || event.preventDefault());
	}

	/** @param {string} kind @param {string} name @param {string} text */
	add(kind, name, text) {
		const { state } = this.store;
		const note = checkedNote({ kind, name, text, span: state.span, fn: state.fn, hash: this.store.toHash() }, this.recording.meta);
		if (note && this.list.length < NOTES_MOST)
			this.change([...this.list, note]);
	}

	/** @param {Note} note */
	remove(note) {
		this.change(this.list.filter((other) => other !== note));
	}

	change(list) {
		this.list = list;
		this.saved = false;
		this.store.redraw();
	}

	/** @param {number} fn @returns {Note[]} */
	ofFunction(fn) {
		return this.list.filter((note) => note.kind === 'frame' && note.fn === fn);
	}

	save() {
		save(nameOfPage(location.pathname), new Blob([pageWith(this.list)], { type: 'text/html' }));
		this.saved = true;
		this.store.redraw();
	}

	/** What it is on. @param {Note} note */
	place(note) {
		const { meta, names } = this.recording;
		if (note.kind === 'frame')
			return names[note.fn];
		return note.kind === 'page' ? 'the page' : note.span.map(([from, to]) => `${timeText(meta, from)} to ${timeText(meta, to)}`).join(', ');
	}
}

export class NotesView {
	/** @param {Notes} notes @param {import('./state.js').Store} store */
	constructor(notes, store) {
		this.notes = notes;
		this.store = store;
		this.kind = element('select', { 'aria-label': 'Note on' },
			...KINDS_OF_NOTE.map(([kind, title]) => element('option', { value: kind }, title)));
		this.name = element('input', { type: 'text', placeholder: 'Name', 'aria-label': 'Name of the note', maxlength: '200' });
		this.text = element('textarea', { placeholder: 'Note', 'aria-label': 'Text of the note', rows: '3', maxlength: String(TEXT_MOST) });
		this.said = element('p', { class: 'muted', role: 'status' });
		this.list = element('ul', { class: 'notes' });
		this.adder = button('Add', 'Add the note', () => this.add());
		this.root = element('div', { class: 'column' },
			element('div', { class: 'bar' }, this.kind, this.name, this.adder,
				button('Save page', 'Save a copy of this page with its notes', () => this.notes.save())),
			this.text, this.said, this.list);
	}

	setSums() {}

	add() {
		if (!this.name.value.trim() && !this.text.value.trim())
			return;
		this.notes.add(this.kind.value, this.name.value, this.text.value);
		this.name.value = this.text.value = '';
	}

	draw() {
		const { span, fn } = this.store.state;
		const there = { page: true, span: Boolean(span), frame: fn !== null };
		const count = this.notes.list.length;
		for (const option of this.kind.options)
			option.disabled = !there[option.value];
		if (!there[this.kind.value])
			this.kind.value = 'page';
		this.said.textContent = `${count ? `${countText(count)} note${count === 1 ? '' : 's'}` : 'No notes'}${
			this.notes.saved ? '' : ', not saved yet: “Save page” makes a copy of this page that has them'}.`;
		this.list.replaceChildren(...this.notes.list.map((note) => this.item(note)));
	}

	item(note) {
		return element('li', {}, element('strong', {}, note.name || 'Note'), ' on ',
			element('button', { type: 'button', class: 'link', title: 'Show what was seen when it was written',
				click: () => this.store.show(note.hash) }, this.notes.place(note)),
			' ', button('Remove', `Remove the note ${note.name}`, () => this.notes.remove(note)),
			element('p', { class: 'wrap note-text' }, note.text));
	}
}
