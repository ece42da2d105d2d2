# SPDX-License-Identifier: Apache-2.0
"""Opens a few pages in Firefox, by its own WebDriver BiDi: the page is drawn, and nothing is said on the console."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import websocket

PAGES = pathlib.Path(sys.argv[1])
FIREFOX = sys.argv[2]
VIEWS = [("held", "view=summary"), ("held", "view=timeline"), ("sampled", "view=flame&flame=samples"), ("compare-regression", "view=flame"),
         ("series", "view=launches"), ("attack", "view=tables")]


class Session:
    """Commands and events over one socket."""

    def __init__(self, address):
        self.socket = websocket.create_connection(address, timeout=60, suppress_origin=True)
        self.number = 0
        self.faults = []
        self.call("session.new", {"capabilities": {}})
        self.call("session.subscribe", {"events": ["log.entryAdded", "network.beforeRequestSent"]})

    def call(self, method, parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("type") == "event":
                self.note(message)
            elif message.get("id") == self.number:
                if message["type"] == "error":
                    sys.exit(f"firefox: {method}: {message['message']}")
                return message["result"]

    def note(self, event):
        parameters = event["params"]
        if event["method"] == "log.entryAdded":
            self.faults.append(f"console: {parameters['text']}")
        elif not parameters["request"]["url"].startswith(PAGES.as_uri()):
            self.faults.append(f"request: {parameters['request']['url'][:100]}")

    def evaluate(self, context, expression):
        result = self.call("script.evaluate", {"expression": expression, "target": {"context": context}, "awaitPromise": True})
        if result["type"] != "success":
            sys.exit(f"firefox: {expression}: {result}")
        return result["result"].get("value")


COLORS = """(async () => {
  const canvas = document.querySelector('main section:not([hidden]) canvas.tracks');
  if (!canvas) return -1;
  const colors = new Set();
  for (let tries = 0; tries < 100 && colors.size < 4; tries += 1) {
    await new Promise(done => setTimeout(done, 100));
    if (!canvas.width) continue;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let at = 0; at < data.length; at += 4) colors.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
  }
  return colors.size;
})()"""


def main():
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env={"HOME": profile, "PATH": "/usr/bin:/bin"})
        try:
            address = next(found.group(1) for line in browser.stderr if (found := re.search(r"BiDi listening on (\S+)", line)))
            session = Session(f"{address}/session")
            context = session.call("browsingContext.getTree", {})["contexts"][0]["context"]
            for name, fragment in VIEWS:
                url = f"{(PAGES / name).as_uri()}.html#{fragment}"
                session.call("browsingContext.navigate", {"context": context, "url": url, "wait": "complete"})
                colors = session.evaluate(context, COLORS)
                text = session.evaluate(context, "document.querySelector('main section:not([hidden])').innerText.length")
                # The other views are tables and pictures.
                has_canvas = fragment.startswith(("view=timeline", "view=flame"))
                if (colors < 4 if has_canvas else colors != -1) or text < 20:
                    sys.exit(f"firefox: {name} {fragment}: {colors} colours and {text} letters are shown")
            if session.faults:
                sys.exit("firefox: " + "\n".join(session.faults))
            session.socket.close()
        finally:
            # Not SIGTERM: who starts the tests may ignore it, and then the browser does.
            browser.kill()
            browser.wait(30)
    print(f"firefox: {len(VIEWS)} views, no message, no request")


main()
