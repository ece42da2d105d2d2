# SPDX-License-Identifier: Apache-2.0
"""How fast a page of a large trace opens and pans in Chromium: page_bench.py PAGE [CHROMIUM]

    trace-bench generate big.pftrace 1000000
    launchprof report big.pftrace -o big.html
    .build/tools/venv/bin/python Benchmarks/Page/page_bench.py big.html

Wall times are the machine's; the CPU times of the page's main thread are from the DevTools protocol.
"""

import pathlib
import sys
import time

from playwright.sync_api import sync_playwright

FRAMES = 90
# Zooms in by so many steps at the middle, then pans a little each frame.
PAN = """zoom => new Promise(done => {
  const canvas = document.querySelector('#view-timeline canvas.tracks');
  const box = canvas.getBoundingClientRect();
  const wheel = how => canvas.dispatchEvent(new WheelEvent('wheel', {
    clientX: box.left + box.width / 2, clientY: box.top + 200, bubbles: true, cancelable: true, ...how}));
  for (let step = 0; step < zoom; step += 1) wheel({deltaY: -120});
  let [frame, worst, last] = [0, 0, 0];
  const began = performance.now();
  const next = now => {
    if (last) worst = Math.max(worst, now - last);
    last = now;
    wheel({deltaY: frame % 40 < 20 ? 8 : -8, shiftKey: true});
    frame += 1;
    if (frame < FRAMES) requestAnimationFrame(next);
    else done([frame / ((performance.now() - began) / 1000), worst]);
  };
  requestAnimationFrame(next);
})""".replace("FRAMES", str(FRAMES))


def main():
    page_file = pathlib.Path(sys.argv[1]).resolve()
    with sync_playwright() as playwright:
        browser_path = sys.argv[2] if len(sys.argv) > 2 else "/usr/bin/chromium-headless-shell"
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_context(viewport={"width": 1360, "height": 820}).new_page()
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        devtools.send("Performance.enable")

        def cpu():
            metrics = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
            return metrics["TaskDuration"]

        began = time.monotonic()
        page.goto(page_file.as_uri() + "#view=timeline")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        print(f"file {page_file.stat().st_size / 1e6:.1f} MB; open {time.monotonic() - began:.2f} s, CPU {cpu():.2f} s")
        for zoom in [0, 6, 12]:
            before = cpu()
            rate, worst = page.evaluate(PAN, zoom)
            busy = (cpu() - before) / FRAMES * 1000
            print(f"zoomed by {zoom} steps: {rate:.0f} frames a second, the slowest {worst:.0f} ms, CPU {busy:.1f} ms a frame")
        browser.close()


main()
