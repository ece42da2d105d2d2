# SPDX-License-Identifier: Apache-2.0
"""site_test.py SITE BASE CHROMIUM: checks the documentation's site that scripts/build-site made."""
import functools
import http.server
import json
import pathlib
import sys
import threading

from playwright.sync_api import sync_playwright

SITE, BASE, BROWSER = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/"), sys.argv[3]
LIBRARIES = ["LaunchProfiler", "LaunchLifecycle", "LaunchSampler", "LaunchTrace"]


def broken_links():
    """Of each page's data, the references to other pages that are not there."""
    for path in sorted((SITE / "data").rglob("*.json")):
        for reference in json.loads(path.read_text()).get("references", {}).values():
            url = reference.get("url", "")
            if not url.startswith("/documentation/") and not url.startswith("/tutorials/"):
                continue
            page = url.split("#")[0].strip("/")
            for needed in SITE / "data" / f"{page}.json", SITE / page / "index.html":
                if not needed.exists():
                    yield f"{path.relative_to(SITE)}: {url} leads to no {needed.relative_to(SITE)}"


class Server(http.server.SimpleHTTPRequestHandler):
    """The site below its base path."""

    def translate_path(self, path):
        return super().translate_path(path[len(BASE):] if path.startswith(BASE) else "/nowhere")

    def log_message(self, *_):
        pass


def open_pages(port):
    """Problems of the pages of each library in a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        for name in ["", *LIBRARIES]:
            problems = []
            page = browser.new_page()
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("response", lambda response: problems.append(f"{response.status} {response.url}")
                    if response.status >= 400 and "theme-settings" not in response.url and "favicon" not in response.url else None)
            page.goto(f"http://127.0.0.1:{port}{BASE}/documentation/{name.lower()}")
            title = page.locator("h1").first
            title.wait_for(timeout=30_000)
            if (name or "Launch Profiler") not in title.inner_text():
                problems.append(f"the title is {title.inner_text()!r}")
            yield from (f"{name or 'landing page'}: {problem}" for problem in problems)
            page.close()
        browser.close()


def main():
    found = list(broken_links())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found += open_pages(server.server_address[1])
    print(*found, sep="\n", end="\n" if found else "")
    pages = len(list((SITE / "data").rglob("*.json")))
    print(f"{pages} pages, {len(found)} problems")
    return 1 if found or pages < 100 else 0


sys.exit(main())
