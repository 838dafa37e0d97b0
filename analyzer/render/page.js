/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The script of html_page.c: sorting, folding, showing long names whole, and a list of the
 * tables.  The page is whole without it.  The build leaves out all up to the first empty
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
const nav = document.querySelector('nav');
document.querySelectorAll('h2').forEach((h, i) => {
  const a = document.createElement('a');
  h.id = 't' + i;
  a.href = '#t' + i;
  a.textContent = h.textContent;
  nav.append(a);
});
