# SPDX-License-Identifier: Apache-2.0
"""What the checks of engines share: the command, and ClickHouse in this process (chdb) behind a thin HTTP server."""
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUANTILES = {"p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95, "p99": 0.99}
failures = []


def check(holds, text):
    if not holds:
        failures.append(text)
        print(f"FAILED: {text}")


def ask(launchprof, *arguments):
    """The JSON of `launchprof fleet …`, and its exit status."""
    run = subprocess.run([launchprof, "fleet", *arguments, "--format", "json"], capture_output=True, text=True)
    check(run.stdout, f"{arguments}: {run.stderr}")
    if not run.stdout:
        sys.exit(1)
    return json.loads(run.stdout), run.returncode


def report(launchprof, *arguments):
    answer, status = ask(launchprof, "report", *arguments, "--by", "version,machine")
    check(status == 0, f"{arguments}: exit status {status}")
    return {(row["version"], row["machine"], row["metric"]): row for row in answer["groups"]}


class ClickHouse:
    def __init__(self):
        from chdb import session

        self.session, self.lock = session.Session(), threading.Lock()
        # Bytes of answers.
        self.sent = 0
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                query = self.rfile.read(int(self.headers["Content-Length"])).decode()
                parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                # As the server does: a query in the address, its data in the body.
                if "query" in parameters:
                    query = parameters["query"] + "\n" + query
                try:
                    answer, status = owner.query(query, parameters.get("database", "fleet")), 200
                except Exception as error:  # As the server does: the message is the body.
                    answer, status = str(error).encode(), 500
                owner.sent += len(answer)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{server.server_port}"
        self.migrate("fleet")

    def query(self, text, database="fleet", form="CSV"):
        with self.lock:
            self.session.query(f"USE {database}")
            return self.session.query(text, form).bytes() or b""

    def rows(self, text, database="fleet"):
        return json.loads(self.query(text, database, "JSONCompact"))["data"]

    def migrate(self, database):
        self.session.query(f"CREATE DATABASE IF NOT EXISTS {database}")
        for path in sorted((ROOT / "Engines/clickhouse").glob("*.sql")):
            text = re.sub(r"(?m)^--.*$", "", path.read_text())
            for statement in filter(str.strip, text.split(";\n")):
                self.query(statement, database)

    def load(self, lines, database="fleet"):
        for start in range(0, len(lines), 50_000):
            block = "\n".join(lines[start : start + 50_000])
            self.query(f"INSERT INTO records FORMAT LineAsString\n{block}\n", database)

    def end(self, status):
        """Ends this process. chdb's own end waits for its background tasks, and sometimes breaks."""
        sys.stdout.flush()
        os._exit(status)

    def engine(self, database="fleet"):
        return ["--engine", f"clickhouse={self.address}/?database={database}"]
