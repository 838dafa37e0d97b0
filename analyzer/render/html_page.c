/* SPDX-License-Identifier: Apache-2.0 */
#include "render/html_page.h"

#include "model/foreign.h"

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";

static const char style[] =
	"<style>\n"
	":root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --dim: #667;\n"
	"  --line: #d8dbe0; --hover: #f2f5f9; --bar: #cfe1f7; --worse: #b3261e;\n"
	"  --better: #18713a; }\n"
	"@media (prefers-color-scheme: dark) { :root { --back: #16191d; --text: "
	"#e2e5e9;\n"
	"  --dim: #98a1ac; --line: #343a42; --hover: #21262c; --bar: #274766;\n"
	"  --worse: #ff8a80; --better: #7bd88f; } }\n"
	"body { background: var(--back); color: var(--text); margin: 1.5rem;\n"
	"  font: 14px/1.45 system-ui, sans-serif; }\n"
	"h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }\n"
	"section { margin-top: 1rem; }\n"
	"nav a { color: inherit; margin-right: 1.2em; }\n"
	"table { border-collapse: collapse; font: 13px/1.4 ui-monospace, monospace;\n"
	"  font-variant-numeric: tabular-nums; }\n"
	"th, td { padding: .1rem .6rem; text-align: left; vertical-align: top;\n"
	"  white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }\n"
	"thead { position: sticky; top: 0; background: var(--back); }\n"
	"thead th { border-bottom: 1px solid var(--line); white-space: normal; }\n"
	"thead button { all: unset; cursor: pointer; }\n"
	"thead button:focus-visible { outline: 2px solid; }\n"
	"[aria-sort=ascending] button::after { content: ' \\25b2'; }\n"
	"[aria-sort=descending] button::after { content: ' \\25bc'; }\n"
	".long { display: -webkit-box; -webkit-box-orient: vertical;\n"
	"  -webkit-line-clamp: 2; overflow: hidden; cursor: pointer; }\n"
	".long.whole { display: block; }\n"
	".n { text-align: right; white-space: pre; }\n"
	".p { background: linear-gradient(to left, var(--bar) var(--p, 0%), #0000 0); }\n"
	"tbody tr:hover { background: var(--hover); }\n"
	".worse { color: var(--worse); } .better { color: var(--better); }\n"
	".marked td { font-weight: bold; }\n"
	".label, .note { color: var(--dim); font-weight: normal; }\n"
	".break th { padding-top: 1rem; }\n"
	".tree { padding-left: calc(1.6rem + var(--d) * 1.2em); }\n"
	".tree button { all: unset; cursor: pointer; position: absolute;\n"
	"  margin-left: -1.2em; }\n"
	".tree button::before { content: '\\25be'; }\n"
	".folded .tree button::before { content: '\\25b8'; }\n"
	"</style>\n";

/* Sorting, folding, showing long names whole, and a list of the tables; the page is whole
 * without it. */
static const char script[] =
	"<script>\n"
	"'use strict';\n"
	"const value = (row, i) => row.cells[i] ? row.cells[i].textContent.trim()\n"
	"  .replace(/^~/, '') : '';\n"
	"function sort(table, head, i) {\n"
	"  const number = head.classList.contains('n');\n"
	"  const sorted = head.getAttribute('aria-sort');\n"
	"  const up = sorted ? sorted === 'descending' : !number;\n"
	"  const rows = [...table.tBodies[0].rows];\n"
	"  rows.sort((a, b) => {\n"
	"    const x = value(a, i), y = value(b, i);\n"
	"    const order = number ? (Number(x) || parseFloat(x) || 0) -\n"
	"      (Number(y) || parseFloat(y) || 0) : x < y ? -1 : +(x > y);\n"
	"    return up ? order : -order;\n"
	"  });\n"
	"  table.querySelectorAll('[aria-sort]').forEach(\n"
	"    (h) => h.removeAttribute('aria-sort'));\n"
	"  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');\n"
	"  table.tBodies[0].append(...rows);\n"
	"}\n"
	"const depth = (row) => Number(row.dataset.d);\n"
	"function fold(row) {\n"
	"  const stack = [[depth(row), row.classList.toggle('folded')]];\n"
	"  for (let r = row.nextElementSibling; r && depth(r) > depth(row);\n"
	"    r = r.nextElementSibling) {\n"
	"    while (stack[stack.length - 1][0] >= depth(r))\n"
	"      stack.pop();\n"
	"    const hidden = stack[stack.length - 1][1];\n"
	"    r.hidden = hidden;\n"
	"    stack.push([depth(r), hidden || r.classList.contains('folded')]);\n"
	"  }\n"
	"}\n"
	"function button(cell, click) {\n"
	"  const b = document.createElement('button');\n"
	"  b.addEventListener('click', click);\n"
	"  cell.prepend(b);\n"
	"  return b;\n"
	"}\n"
	"for (const table of document.querySelectorAll('table.sortable'))\n"
	"  table.querySelectorAll('thead th[data-i]').forEach((head) => {\n"
	"    const text = [...head.childNodes];\n"
	"    button(head, () => sort(table, head, Number(head.dataset.i)))\n"
	"      .append(...text);\n"
	"  });\n"
	"for (const row of document.querySelectorAll('tr[data-d]')) {\n"
	"  const next = row.nextElementSibling;\n"
	"  if (next && depth(next) > depth(row))\n"
	"    button(row.querySelector('.tree'), () => fold(row)).title = 'fold';\n"
	"}\n"
	"document.addEventListener('click', (e) => {\n"
	"  if (e.target.classList.contains('long'))\n"
	"    e.target.classList.toggle('whole');\n"
	"});\n"
	"const nav = document.querySelector('nav');\n"
	"document.querySelectorAll('h2').forEach((h, i) => {\n"
	"  const a = document.createElement('a');\n"
	"  h.id = 't' + i;\n"
	"  a.href = '#t' + i;\n"
	"  a.textContent = h.textContent;\n"
	"  nav.append(a);\n"
	"});\n"
	"</script>\n";

void html_page_begin(const char *title, struct strbuf *out)
{
	strbuf_addstr(out, head);
	strbuf_addstr(out, style);
	strbuf_addstr(out, "<title>");
	foreign_put_html(out, foreign(title));
	strbuf_addstr(out, "</title>\n</head>\n<body>\n<h1>");
	foreign_put_html(out, foreign(title));
	strbuf_addstr(out, "</h1>\n<nav></nav>\n");
}

void html_page_end(struct strbuf *out)
{
	strbuf_addstr(out, script);
	strbuf_addstr(out, "</body>\n</html>\n");
}
