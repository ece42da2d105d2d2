#!/usr/bin/env python3
"""Asks the same records through launchprof itself, ClickHouse and DuckDB, and compares the answers: scripts/check-engines.

usage: check_engines.py LAUNCHPROF RECORDS.jsonl

ClickHouse is chdb, in this process, behind a thin HTTP server that hands each body to it as a query.
"""
import collections
import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading
import time

import duckdb
from chdb import session

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUANTILES = {"p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95, "p99": 0.99}
# A t-digest is exact in the rank within half a percent or so, and better at the ends.
MOST_APART = {"p50": 0.01, "p75": 0.01, "p90": 0.01, "p95": 0.01, "p99": 0.02}
failures = []


def check(holds, text):
    if not holds:
        failures.append(text)
        print(f"FAILED: {text}")


def migrate(clickhouse):
    clickhouse.query("CREATE DATABASE IF NOT EXISTS fleet")
    clickhouse.query("USE fleet")
    for path in sorted((ROOT / "Engines/clickhouse").glob("*.sql")):
        text = re.sub(r"(?m)^--.*$", "", path.read_text())
        for statement in filter(str.strip, text.split(";\n")):
            clickhouse.query(statement)


def serve(clickhouse):
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            query = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                with lock:
                    answer, status = clickhouse.query(query.decode()).bytes() or b"", 200
            except Exception as error:  # As the server does: the message is the body.
                answer, status = str(error).encode(), 500
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def load(clickhouse, lines):
    for start in range(0, len(lines), 50_000):
        clickhouse.query("INSERT INTO records FORMAT LineAsString\n" + "\n".join(lines[start : start + 50_000]) + "\n")


def report(launchprof, *arguments):
    run = subprocess.run([launchprof, "fleet", "report", *arguments, "--format", "json"], capture_output=True, text=True)
    check(run.returncode == 0, f"{arguments}: {run.stderr}")
    return {(row["version"], row["machine"], row["metric"]): row for row in json.loads(run.stdout)["groups"]}


def compare_reports(embedded, other):
    check(embedded.keys() == other.keys(), f"groups differ: {sorted(embedded.keys() ^ other.keys())[:5]}")
    widest = collections.Counter()
    for key in embedded.keys() & other.keys():
        left, right = embedded[key], other[key]
        check(left["records"] == right["records"], f"{key}: {left['records']} and {right['records']} records")
        if "failed" in left:
            check(abs(left["failed"]["estimate"] - right["failed"]["estimate"]) < 1e-9, f"{key}: failures differ")
        for name, most in MOST_APART.items():
            apart = abs(right[name]["estimate"] / left[name]["estimate"] - 1)
            # Where few launches lie, a small error of the rank is a large one of the time: the interval says how large.
            lower, upper = left[name]["lower"], left[name]["upper"]
            inside = (lower or 0) <= right[name]["estimate"] <= (upper or float("inf"))
            check(apart <= most or inside, f"{key} {name}: {left[name]} and {right[name]}")
            widest[name] = max(widest[name], apart)
    print("ClickHouse: farthest apart", ", ".join(f"{name} {100 * part:.2f} %" for name, part in sorted(widest.items())))


def compare_duckdb(embedded, path):
    rows = duckdb.sql(
        f"""
        WITH launches AS (
          SELECT *, row_number() OVER (PARTITION BY id) AS copy
          FROM read_json('{path}', format = 'newline_delimited', ignore_errors = true, sample_size = -1) WHERE record = 1
        )
        SELECT version, machine, count(total), {", ".join(f"quantile_cont(total, {part})" for part in QUANTILES.values())}
        FROM launches WHERE copy = 1 AND (total IS NULL OR total > 0) GROUP BY ALL"""
    ).fetchall()
    for version, machine, count, *quantiles in rows:
        row = embedded[(version, machine, "total")]
        check(row["records"] == count, f"DuckDB {version} {machine}: {row['records']} and {count} records")
        for name, value in zip(QUANTILES, quantiles):
            check(abs(row[name]["estimate"] / value - 1) < 2e-7, f"DuckDB {version} {machine} {name}: {row[name]}, {value}")
    print(f"DuckDB: {len(rows)} groups are equal")


def compare_shards(clickhouse, lines):
    """The states of three shards, merged, against those of all records."""
    state = "quantilesTDigestWeightedState(0.5, 0.9, 0.99)(assumeNotNull(total), toUInt64(sample))"
    whole = "quantilesTDigestWeighted(0.5, 0.9, 0.99)(assumeNotNull(total), toUInt64(sample))"
    shards = " UNION ALL ".join(
        f"SELECT version, {state} AS times FROM launches FINAL WHERE isNotNull(total) AND cityHash64(id) % 3 = {shard} GROUP BY version"
        for shard in range(3)
    )
    merged = clickhouse.query(
        f"SELECT version, quantilesTDigestWeightedMerge(0.5, 0.9, 0.99)(times) FROM ({shards}) GROUP BY version ORDER BY version", "JSONCompact")
    direct = clickhouse.query(
        f"SELECT version, {whole} FROM launches FINAL WHERE isNotNull(total) GROUP BY version ORDER BY version", "JSONCompact")
    for left, right in zip(json.loads(str(merged))["data"], json.loads(str(direct))["data"]):
        for first, second in zip(left[1], right[1]):
            check(abs(first / second - 1) < 0.01, f"shards of {left[0]}: {first} and {second}")
    print("ClickHouse: three shards' states merge to the same quantiles")


def main():
    launchprof, path = sys.argv[1:]
    lines = pathlib.Path(path).read_text().split("\n")[:-1]
    clickhouse = session.Session()
    migrate(clickhouse)
    server = serve(clickhouse)
    began = time.process_time()
    load(clickhouse, lines)
    print(f"ClickHouse: {len(lines)} lines are loaded in {time.process_time() - began:.1f} s of CPU")
    # Again: a launch that comes twice is one.
    load(clickhouse, lines[:1000])
    by = ["--by", "version,machine"]
    embedded = report(launchprof, path, *by)
    compare_reports(embedded, report(launchprof, "--engine", f"clickhouse={server}", *by))
    where = ["--where", "kind=cold,version=2.1", *by]
    compare_reports(report(launchprof, path, *where), report(launchprof, "--engine", f"clickhouse={server}", *where))
    compare_duckdb(embedded, path)
    compare_shards(clickhouse, lines)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
