#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What loading and asking cost in ClickHouse, on one thread: the figures of docs/fleets-at-scale.md. scripts/check-engines --measure

usage: check_measurement.py LAUNCHPROF RECORDS.jsonl
"""
import pathlib
import resource
import sys
import time

from fleet import ClickHouse, ask

QUESTIONS = {
    "report by version and machine": ["report", "--by", "version,machine"],
    "report of one version": ["report", "--where", "version=2.1"],
    "compare": ["compare", "--base", "version=2.0", "--head", "version=2.1"],
    "changes by day": ["changes"],
    "gate": ["gate", "--head", "version=2.1", "--budget", "total:p90=900ms"],
}
COPIES = 9


def timed(name, body):
    """Tells the processor time of ClickHouse (this process) and of launchprof."""
    def clocks():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time(), children.ru_utime + children.ru_stime

    began = clocks()
    body()
    server, command = (after - before for before, after in zip(began, clocks()))
    print(f"{name}: ClickHouse {server:.2f} s, launchprof {command:.2f} s", flush=True)


def tell_table(clickhouse, table):
    clickhouse.query(f"OPTIMIZE TABLE {table} FINAL")
    rows, stored, parts = clickhouse.rows(
        "SELECT toUInt32(sum(rows)), toUInt64(sum(bytes_on_disk)), toUInt32(count()) FROM system.parts "
        f"WHERE active AND database = 'fleet' AND table = '{table}'")[0]
    print(f"{table}: {rows} rows in {parts} parts, {int(stored) / max(1, rows):.1f} bytes each", flush=True)


def ask_all(launchprof, clickhouse):
    for name, arguments in QUESTIONS.items():
        clickhouse.sent = 0
        timed(name, lambda: ask(launchprof, *arguments, *clickhouse.engine()))
        print(f"  answers of {clickhouse.sent / 1e6:.2f} MB", flush=True)


def main():
    launchprof, path = sys.argv[1:]
    data = pathlib.Path(path)
    lines = data.read_text().split("\n")[:-1]
    print(f"{len(lines)} lines, {data.stat().st_size / len(lines):.0f} bytes each")
    for name, arguments in QUESTIONS.items():
        timed(f"files: {name}", lambda: ask(launchprof, *arguments, path))
    clickhouse = ClickHouse()
    clickhouse.query("SYSTEM STOP VIEW launches_to_days")
    clickhouse.query("SET max_threads = 1, max_insert_threads = 1")
    timed("loaded", lambda: clickhouse.load(lines))
    lines.clear()
    timed("merged", lambda: tell_table(clickhouse, "launches"))
    ask_all(launchprof, clickhouse)

    def refresh():
        clickhouse.query("SYSTEM START VIEW launches_to_days")
        clickhouse.query("SYSTEM REFRESH VIEW launches_to_days")
        clickhouse.query("SYSTEM WAIT VIEW launches_to_days")
        clickhouse.query("SYSTEM STOP VIEW launches_to_days")

    timed("launches_by_day", refresh)
    tell_table(clickhouse, "launches_by_day")
    # More of the same launches, with other ids and slightly other times.
    columns = "* REPLACE (lower(hex(sipHash128(id, copy))) AS id, toInt64(total * (1 + (copy - 5) / 1000)) AS total)"
    clickhouse.query(f"INSERT INTO launches SELECT {columns} FROM (SELECT * FROM launches FINAL) ARRAY JOIN range(1, {COPIES + 1}) AS copy")
    tell_table(clickhouse, "launches")
    ask_all(launchprof, clickhouse)
    clickhouse.end(0)


if __name__ == "__main__":
    main()
