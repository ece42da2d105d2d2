# SPDX-License-Identifier: Apache-2.0
"""Opens the pages of a folder in a browser, for the tests that scripts/check-page runs.

Every page is opened from its file, every request is refused and counted, and nothing may be said on the console.
"""

import atexit
import functools
import json
import os
import pathlib
import unittest

from playwright.sync_api import sync_playwright

# Where the pages are, and the browser.
PAGES = pathlib.Path(os.environ["LAUNCHPROF_PAGES"])
BROWSER = os.environ["LAUNCHPROF_BROWSER"]


class Opened:
    """A page in a browser, and what went wrong in it. A page is used again, because a new one costs a second."""

    def __init__(self, page, name, fragment="", scheme="light", width=1360, height=820):
        self.page = page
        self.path = PAGES / f"{name}.html"
        self.faults = []
        self.listeners = {
            "console": lambda message: self.faults.append(f"console: {message.text}"),
            "pageerror": lambda error: self.faults.append(f"error: {error.stack or error}"),
            "dialog": lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()),
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)
        page.route("**/*", self.route)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.goto(self.path.as_uri() + (f"#{fragment}" if fragment else ""))

    def close(self):
        """Waits for what is still to come, and makes the page as new."""
        self.frame()
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.unroute("**/*")
        self.page.goto("about:blank")
        self.page.emulate_media(media="null", forced_colors="null")
        self.page.context.clear_permissions()
        self.page.mouse.move(0, 0)

    def route(self, route):
        if route.request.url.split("#")[0] == self.path.as_uri():
            return route.continue_()
        self.faults.append(f"request: {route.request.url[:100]}")
        return route.abort()

    def frame(self):
        """Waits until what was asked for is drawn, and the URL is written."""
        self.page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 90))")

    def fragment(self):
        self.frame()
        url = self.page.evaluate("location.hash.slice(1)")
        return dict(part.split("=", 1) for part in url.split("&") if part)

    def pixels(self, selector):
        """A canvas as numbers: what is drawn, without looking at it."""
        self.frame()
        return self.page.evaluate(
            """selector => { const shown = document.querySelector(selector);
            const c = Object.assign(document.createElement('canvas'), {width: shown.width, height: shown.height});
            const pen = c.getContext('2d', {willReadFrequently: true});
            pen.drawImage(shown, 0, 0);
            const d = pen.getImageData(0, 0, c.width, c.height).data;
            let sum = 0; const colors = new Set();
            for (let i = 0; i < d.length; i += 4) { sum = (sum * 31 + d[i] * 65536 + d[i + 1] * 256 + d[i + 2]) % 1000000007;
              colors.add(d[i] * 65536 + d[i + 1] * 256 + d[i + 2]); }
            return [sum, colors.size]; }""", selector)


@functools.cache
def context():
    """One browser for all tests of this process, because a new one costs a second."""
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    # Root may not have a sandbox; the pages are our own.
    browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
    atexit.register(browser.close)
    opened = browser.new_context()
    opened.set_default_timeout(120_000)
    opened.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))")
    return opened


class PageTest(unittest.TestCase):
    unused = []

    def open(self, name, fragment="", **how):
        page = self.unused.pop() if self.unused else context().new_page()
        opened = Opened(page, name, fragment, **how)

        def close():
            opened.close()
            self.unused.append(page)
            self.assertEqual(opened.faults, [], name)
        self.addCleanup(close)
        return opened

    def report(self, name):
        return json.loads((PAGES / f"{name}.json").read_text())


def milliseconds(ns):
    """As the page's exactTime has it."""
    rest = str(abs(ns) % 1_000_000).rjust(6, "0")
    whole = f"{ns // 1_000_000:,}".replace(",", "\u202f")
    return f"{whole}.{rest[:3] if rest.endswith('000') else rest} ms"


def exact(ns):
    return f"{ns} ns" if abs(ns) < 1000 else milliseconds(ns)
