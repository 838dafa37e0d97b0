// SPDX-License-Identifier: Apache-2.0
// Elements, and numbers as text.  Names only ever become text: nothing here parses HTML.

/** Fewer samples than this are no measurement: their interval is as wide as the value. */
export const FEW_SAMPLES = 5;

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] functions become listeners; null: left out
 * @param {...(Node|string)} children
 * @returns {any} the element
 */
export function element(tag, attributes = {}, ...children) {
	const out = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === 'function')
			out.addEventListener(name, value);
		else if (value === true || value === false)
			out.toggleAttribute(name, value);
		else if (value !== null && value !== undefined)
			out.setAttribute(name, value);
	}
	out.append(...children);
	return out;
}

/** @returns {any} */
export function button(text, title, click) {
	// a sign is no name
	return element('button', { type: 'button', title, 'aria-label': /[a-z]/i.test(text) ? null : title, click }, text);
}

/** A button that stays down. @returns {any} */
export function toggle(text, title, click) {
	return element('button', { type: 'button', title, 'aria-pressed': 'false', click }, text);
}

/**
 * Buttons; one is chosen.
 * @param {string} label
 * @param {string[][]} options key, text, what it means
 * @param {(key: string) => void} onChoose
 */
export function choice(label, options, onChoose) {
	const buttons = options.map(([key, text, title]) => toggle(text, title, () => onChoose(key)));
	return {
		root: element('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons),
		set: (chosen) => buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(options[i][0] === chosen))),
	};
}

/** A canvas of WIDTH × HEIGHT CSS pixels, sharp on any screen. @returns {any} its context */
export function sizeCanvas(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const w = Math.round(width * ratio), h = Math.round(height * ratio);
	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}
	const context = canvas.getContext('2d');
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	return context;
}

/** The colours of the page, which follow light and dark. */
export function themeColor(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** "12.34 %" */
export function percentText(part, whole) {
	return whole > 0 ? `${(100 * part / whole).toFixed(2)} %` : '–';
}

/** "1,234" */
export function countText(count) {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "130", "0.0013": so many digits, never with an exponent */
export function digitsText(value, digits) {
	return value.toLocaleString('en-US', { maximumSignificantDigits: digits });
}

/**
 * The height of a metric of states, which is no CPUs: a whole wait lies where it ended.
 * @param {import('./decode.js').MetricInfo} metric
 */
export function waitsText(metric, rate) {
	return `${digitsText(rate, 3)} seconds a second ${metric.each > 0 ? 'of CPU time, and ' : ''}of waits that ended there`;
}

/**
 * An amount in the metric's unit: "1.234 s", "12,345 cycles"; "~12,345 cycles" if it is scaled.
 * @param {import('./decode.js').MetricInfo} metric
 */
export function amountText(metric, weight) {
	const amount = weight * metric.scale, mark = metric.scaled ? '~' : '';
	if (metric.unit === 'seconds')
		return `${mark}${amount.toFixed(3)} s`;
	return `${mark}${countText(Math.round(amount))} ${metric.unit}`;
}

/** "1.500 s" of so many ticks */
export function timeText(meta, tick) {
	const seconds = tick * meta.tick_ns / 1e9;
	return `${seconds.toFixed(meta.tick_ns < 1e8 ? 3 : 1)} s`;
}

/**
 * A name of at most MOST characters: a long one loses the middle of its arguments, so that
 * what it ends in stays.
 */
export function shortName(name, most) {
	if (name.length <= most || most < 4)
		return name.length <= most ? name : '';
	const open = name.search(/[<(]/);
	if (open > 0 && open < most - 3) {
		const tail = Math.min(most - open - 2, Math.floor((most - open) / 2));
		return `${name.slice(0, most - tail - 1)}…${name.slice(name.length - tail)}`;
	}
	return `${name.slice(0, most - 1)}…`;
}
