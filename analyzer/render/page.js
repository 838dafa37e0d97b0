/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The script of html_page.c: sorting, folding, showing long texts whole, links between the
 * rows of a function, a search for functions, and a list of the tables.  The page is whole without it.  The build leaves out all up to the first empty
 * line.
 */

'use strict';
const value = (row, i) => row.cells[i] ? row.cells[i].textContent.trim()
  .replace(/^~/, '') : '';
function sort(table, head, i) {
  const number = head.classList.contains('n');
  const sorted = head.getAttribute('aria-sort');
  const up = sorted ? sorted === 'descending' : !number;
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const x = value(a, i), y = value(b, i);
    const order = number ? (Number(x) || parseFloat(x) || 0) -
      (Number(y) || parseFloat(y) || 0) : x < y ? -1 : +(x > y);
    return up ? order : -order;
  });
  table.querySelectorAll('[aria-sort]').forEach(
    (h) => h.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  table.tBodies[0].append(...rows);
}
const depth = (row) => Number(row.dataset.d);
function fold(row) {
  const stack = [[depth(row), row.classList.toggle('folded')]];
  for (let r = row.nextElementSibling; r && depth(r) > depth(row);
    r = r.nextElementSibling) {
    while (stack[stack.length - 1][0] >= depth(r))
      stack.pop();
    const hidden = stack[stack.length - 1][1];
    r.hidden = hidden;
    stack.push([depth(r), hidden || r.classList.contains('folded')]);
  }
}
function button(cell, click) {
  const b = document.createElement('button');
  b.addEventListener('click', click);
  cell.prepend(b);
  return b;
}
for (const table of document.querySelectorAll('table.sortable'))
  table.querySelectorAll('thead th[data-i]').forEach((head) => {
    const text = [...head.childNodes];
    button(head, () => sort(table, head, Number(head.dataset.i)))
      .append(...text);
  });
for (const row of document.querySelectorAll('tr[data-d]')) {
  const next = row.nextElementSibling;
  if (next && depth(next) > depth(row))
    button(row.querySelector('.tree'), () => fold(row)).title = 'fold';
}
document.addEventListener('click', (e) => {
  if (e.target.classList.contains('long'))
    e.target.classList.toggle('whole');
});
// Names are links from a row of a function to its row with callers and callees, else to
// that in the list of functions, else to its first one.
const nameOf = (row) => row.querySelector('.tree, .f');
const functions = [...document.querySelectorAll('tr[data-f]')];
// The name as a whole, which may be in a tooltip.
const textOf = (row) => {
  const cell = nameOf(row);
  const cut = cell?.querySelector('.cut');
  return (cut ? cut.title : cell?.textContent ?? '').toLowerCase();
};
const places = new Map();
for (const row of functions) {
  const tree = row.dataset.d !== undefined;
  const centre = row.classList.contains('marked') && row.closest('table')
    .querySelector('.break');
  const rank = centre ? 0 : tree ? 2 : row.closest('.sortable') ? 1 : 3;
  const of = places.get(row.dataset.f) || [];
  of[rank] = of[rank] || row;
  places.set(row.dataset.f, of);
}
for (const row of functions) {
  const cell = nameOf(row);
  const to = places.get(row.dataset.f).find((place) => place &&
    place.closest('table') !== row.closest('table') ||
    place !== row && place && row.closest('table').querySelector('.break') &&
    place.classList.contains('marked'));
  if (!cell || !to)
    continue;
  const a = document.createElement('a');
  to.id = `f${row.dataset.f}-${places.get(row.dataset.f).indexOf(to)}`;
  a.href = '#' + to.id;
  a.append(...[...cell.childNodes].filter((n) => n.nodeName !== 'BUTTON'));
  cell.append(a);
}
function show() {
  const to = location.hash && document.getElementById(location.hash.slice(1));
  if (!to)
    return;
  to.closest('table')?.querySelectorAll('[hidden], .folded').forEach((r) => {
    r.hidden = false;
    r.classList.remove('folded');
  });
  to.classList.remove('miss');
  to.scrollIntoView({ block: 'center' });
}
addEventListener('hashchange', show);

const nav = document.querySelector('nav');
document.querySelectorAll('h2').forEach((h, i) => {
  const a = document.createElement('a');
  h.id = 't' + i;
  a.href = '#t' + i;
  a.textContent = h.textContent;
  nav.append(a);
});

// The search leaves the rows of functions whose name has the text, and their callers.
function search(text) {
  const wanted = text.trim().toLowerCase();
  let found = 0, table, above;
  for (const row of functions)
    row.classList.toggle('miss', Boolean(wanted));
  for (const row of functions) {
    const d = row.dataset.d === undefined ? 0 : depth(row);
    above = row.parentNode === table ? above.slice(0, d) : [];
    above[d] = row;
    table = row.parentNode;
    if (!textOf(row).includes(wanted))
      continue;
    found++;
    for (let i = d; i >= 0 && above[i]?.classList.contains('miss'); i--)
      above[i].classList.remove('miss');
  }
  return wanted ? `${found} of ${functions.length} rows` : '';
}
if (functions.length) {
  const box = document.createElement('input');
  const count = document.createElement('output');
  const update = () => { count.textContent = search(box.value); };
  box.type = 'search';
  box.placeholder = 'Search functions ( / )';
  box.setAttribute('aria-label', 'Search functions');
  box.addEventListener('input', update);
  box.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') {
      box.value = '';
      update();
    } else if (e.key === 'Enter') {
      const row = functions.find((r) => !r.classList.contains('miss') && !r.hidden &&
        textOf(r).includes(box.value.trim().toLowerCase()));
      row?.scrollIntoView({ block: 'center' });
      row?.querySelector('a')?.focus();
    }
  });
  document.addEventListener('keydown', (e) => {
    if (e.key !== '/' || e.target === box || e.ctrlKey || e.metaKey || e.altKey)
      return;
    e.preventDefault();
    box.focus();
    box.select();
  });
  nav.append(box, count);
}
show();
