#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""page_times.py PAGE.html...: how long a browser takes over a page; a row of a table for each.

First paint: until the views are there, from the start of the navigation, and the CPU time of the
main thread until then, which does not depend on what else the machine does.  A drag, a zoom, a
hover, the timeline of threads: what the page computes and draws for one frame.  Medians, and of
drags the worst.  The heap after a garbage collection.
"""
import os
import statistics
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import browser

RUNS = 5
WATCH = """
	window.took = [];
	const timed = (fn) => (...words) => {
		const start = performance.now();
		const out = fn(...words);
		window.took.push(performance.now() - start);
		return out;
	};
	const frame = window.requestAnimationFrame.bind(window), timer = window.setTimeout.bind(window);
	window.requestAnimationFrame = (fn) => frame(timed(fn));
	window.setTimeout = (fn, ms) => timer(timed(fn), ms);
	new MutationObserver(() => { window.readyAt ||= document.body?.dataset.ready && performance.now(); })
		.observe(document, { subtree: true, attributes: true });
"""


def area(tab, selector):
    return tab.run(f"(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();"
                   "return [r.left, r.top, r.width, r.height]; })()")


def longest(tab, action):
    """The longest callback that ACTION caused."""
    tab.run("window.took.length = 0")
    action()
    tab.run("new Promise((done) => setTimeout(done, 120))")
    return max(tab.run("window.took"))


def drags(tab):
    left, top, width, height = area(tab, ".strip")
    y = top + height / 2
    tab.mouse("mouseMoved", left + width * 0.2, y)
    tab.mouse("mousePressed", left + width * 0.2, y, 1)
    took = [longest(tab, lambda x=x: tab.mouse("mouseMoved", left + width * (0.2 + 0.03 * x), y, 1)) for x in range(2, 22)]
    tab.mouse("mouseReleased", left + width * 0.8, y)
    return took


def zooms(tab):
    tab.run("document.getElementById('tab-flame').click()")
    tab.settle()
    tab.run("document.querySelector('.flame-area:not([hidden]) .flame').focus()")
    tab.key("ArrowDown")
    return [longest(tab, lambda key=key: tab.key(key)) for key in ("ArrowDown", "Enter", "ArrowDown", "Enter", "Escape", "Escape")]


def hovers(tab):
    left, top, width, _ = area(tab, ".flame-area:not([hidden]) .flame")
    return [longest(tab, lambda i=i: tab.mouse("mouseMoved", left + width * (0.1 + 0.04 * i), top + 30 + 20 * (i % 4)))
            for i in range(12)]


def lanes(tab):
    """Of the second time on: the first makes the view."""
    took = []
    for _ in range(RUNS):
        tab.run("document.getElementById('tab-summary').click()")
        tab.settle()
        took.append(longest(tab, lambda: tab.run("document.getElementById('tab-timeline').click()")))
    return took[1:]


def cpu_ms(tab):
    """Of the main thread, since the tab was opened."""
    return 1000 * next(m["value"] for m in tab.call("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")


def measure(window, path):
    url, first, cpu, tab = "file://" + os.path.abspath(path), [], [], None
    for _ in range(RUNS):
        tab = window.open(url, before=WATCH, domains={"Performance": {"timeDomain": "threadTicks"}})
        cpu.append(cpu_ms(tab))
        first.append(tab.run("window.readyAt"))
    drag = drags(tab)
    tab.key("Escape")
    zoom, hover, lane = zooms(tab), hovers(tab), lanes(tab)
    tab.call("HeapProfiler.collectGarbage")
    heap = tab.run("performance.memory.usedJSHeapSize") / 1e6
    middle = statistics.median
    return (f"| {os.path.basename(path)} | {os.path.getsize(path) / 1e6:.2f} | {middle(first):.0f} | "
            f"{middle(cpu):.0f} | {middle(drag):.1f} | {max(drag):.1f} | {middle(zoom):.1f} | {middle(hover):.1f} | "
            f"{middle(lane):.1f} | {heap:.0f} |")


def main(paths):
    if not browser.find():
        print("\nNo Chromium here, so pages were not measured.")
        return
    print("| page | MB | first paint ms | its CPU ms | drag ms | worst | zoom ms | hover ms | timeline ms | heap MB |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    with browser.Browser() as window:
        for path in paths:
            print(measure(window, path), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
