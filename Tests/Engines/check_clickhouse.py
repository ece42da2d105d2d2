#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the same records through launchprof itself and ClickHouse, and compares the answers: scripts/check-engines.

usage: check_clickhouse.py LAUNCHPROF RECORDS.jsonl
"""
import collections
import json
import pathlib
import resource
import sys
import tempfile
import time
import zlib

from fleet import QUANTILES, ClickHouse, ask, check, failures, report

# Counts are by bins of a thousandth: nothing lies farther from the truth.
MOST_APART = 1 / 1024
COMPARED = ["--base", "version=2.0", "--head", "version=2.1"]


def timed(name, body):
    """Tells the time, and the processor time of ClickHouse (this process) and of launchprof."""
    def clocks():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic(), time.process_time(), children.ru_utime + children.ru_stime

    began = clocks()
    result = body()
    took, server, command = (after - before for before, after in zip(began, clocks()))
    print(f"{name}: {took:.2f} s; processors: ClickHouse {server:.2f} s, launchprof {command:.2f} s")
    return result


def tell_sizes(clickhouse):
    clickhouse.query("OPTIMIZE TABLE launches FINAL")
    for table in ("launches", "launches_by_day"):
        rows, stored = clickhouse.rows(
            "SELECT toUInt32(sum(rows)), toUInt32(sum(bytes_on_disk)) FROM system.parts "
            f"WHERE active AND database = 'fleet' AND table = '{table}'")[0]
        print(f"{table}: {rows} rows, {stored / max(1, rows):.0f} bytes each")


def compare_reports(embedded, other):
    check(embedded.keys() == other.keys(), f"groups differ: {sorted(embedded.keys() ^ other.keys())[:5]}")
    widest = collections.Counter()
    for key in embedded.keys() & other.keys():
        left, right = embedded[key], other[key]
        check(left["records"] == right["records"], f"{key}: {left['records']} and {right['records']} records")
        for share in ("failed", "within"):
            if share in left:
                check(abs(left[share]["estimate"] - right[share]["estimate"]) < 1e-9, f"{key}: {share} differs")
        for name in QUANTILES:
            for bound in ("estimate", "lower", "upper"):
                if left[name][bound] is None or right[name][bound] is None:
                    check(left[name][bound] is right[name][bound], f"{key} {name} {bound}: one has none")
                    continue
                apart = abs(right[name][bound] / left[name][bound] - 1)
                check(apart <= MOST_APART, f"{key} {name} {bound}: {left[name]} and {right[name]}")
                widest[name] = max(widest[name], apart)
    print("reports: farthest apart", ", ".join(f"{name} {100 * part:.3f} %" for name, part in sorted(widest.items())))


def compare_comparisons(left, right):
    (left, status), (right, other) = left, right
    check(status == other, f"exit statuses {status} and {other}")
    check(left["status"] == right["status"], f"{left['status']} and {right['status']}")
    check([row["metric"] for row in left["metrics"]][0] == "total", "the total comes first")
    rows = {row["metric"]: row for row in right["metrics"]}
    check({row["metric"] for row in left["metrics"]} == rows.keys(), f"metrics {rows.keys()}")
    widest = 0
    for row in left["metrics"]:
        for name in ("raw", "mix", "change"):
            apart = abs(row[name] - rows[row["metric"]][name])
            check(apart <= 2 * MOST_APART, f"{row['metric']} {name}: {row[name]} and {rows[row['metric']][name]}")
            widest = max(widest, apart)
        check(row["verdict"] == rows[row["metric"]]["verdict"], f"{row} and {rows[row['metric']]}")
    cohorts = [{(c["column"], c["value"], c["launches"]): c for c in side["cohorts"]} for side in (left, right)]
    check(cohorts[0].keys() == cohorts[1].keys(), f"cohorts differ: {sorted(cohorts[0].keys() ^ cohorts[1].keys())}")
    for key in cohorts[0].keys() & cohorts[1].keys():
        first, second = ([c["change"], *c["interval"].values()] for c in (cohorts[0][key], cohorts[1][key]))
        check(all(abs(a - b) <= 2 * MOST_APART for a, b in zip(first, second)), f"{key}: {first} and {second}")
    found = [[(g["metric"], g.get("column"), g.get("values")) for g in side["guilty"]] for side in (left, right)]
    check(found[0] == found[1], f"guilty: {found}")
    for guilt in right["guilty"]:
        check(guilt["launches"], f"{guilt['metric']}: no launch is named")
    mixes = [[(m["column"], m["differs"], m["held"], round(m["distance"], 9)) for m in side["mix"]] for side in (left, right)]
    check(mixes[0] == mixes[1], f"mixes: {mixes}")
    print(f"comparisons: {left['status']}, changes at most {100 * widest:.3f} points apart, guilty {found[0]}")


def compare_changes(left, right):
    left, right = left[0], right[0]
    days = [[point["day"] for point in side["points"]] for side in (left, right)]
    check(days[0] == days[1], f"points: {days}")
    for first, second in zip(left["points"], right["points"]):
        check(first["launches"] == second["launches"], f"{first} and {second}")
        check(abs(second["p50"]["estimate"] / first["p50"]["estimate"] - 1) <= MOST_APART, f"{first} and {second}")
    found = [[(change["first"], change["from"], change["to"]) for change in side["changes"]] for side in (left, right)]
    check(found[0] == found[1], f"changes: {found}")
    print(f"changes: {len(days[0])} points, changes at {found[0]}")


def compare_gates(left, right):
    (left, status), (right, other) = left, right
    check(status == other and left["status"] == right["status"], f"gates: {status} and {other}")
    check([b["verdict"] for b in left["budgets"]] == [b["verdict"] for b in right["budgets"]], "budgets differ")
    check([s["verdict"] for s in left["shares"]] == [s["verdict"] for s in right["shares"]], "shares differ")
    print(f"gates: {left['status']}")


def compare_all(launchprof, path, engine):
    embedded = timed("files: report", lambda: report(launchprof, path))
    compare_reports(embedded, timed("ClickHouse: report", lambda: report(launchprof, *engine)))
    where = ["--where", "kind=cold,version=2.1", "--metric", "count/libraries"]
    compare_reports(report(launchprof, path, *where), report(launchprof, *engine, *where))
    for options in ([], ["--quantile", "p90"], ["--mix", "machine"]):
        arguments = ["compare", *COMPARED, *options]
        left = timed(f"files: compare {' '.join(options)}", lambda: ask(launchprof, *arguments, path))
        right = timed(f"ClickHouse: compare {' '.join(options)}", lambda: ask(launchprof, *arguments, *engine))
        compare_comparisons(left, right)
    for options in (["--by", "day"], ["--by", "day", "--metric", "phase/open-database"]):
        left = timed(f"files: changes {' '.join(options)}", lambda: ask(launchprof, "changes", *options, path))
        right = timed(f"ClickHouse: changes {' '.join(options)}", lambda: ask(launchprof, "changes", *options, *engine))
        compare_changes(left, right)
    for options in (["--budget", "total:p90=900ms", "--within", "50", "--failed", "2"], COMPARED):
        arguments = ["gate", *options, *([] if options is COMPARED else ["--head", "version=2.1"])]
        left = timed("files: gate", lambda: ask(launchprof, *arguments, path))
        right = timed("ClickHouse: gate", lambda: ask(launchprof, *arguments, *engine))
        compare_gates(left, right)


def check_shards(launchprof, clickhouse, lines):
    """The same records in three databases, as three servers have them: their counts add up to the same answers."""
    shards = [[], [], []]
    for line in lines:
        # By id: a launch that comes twice comes to the same shard.
        shards[zlib.crc32(line[19:51].encode()) % 3].append(line)
    for shard, part in enumerate(shards):
        clickhouse.migrate(f"shard{shard}")
        clickhouse.load(part, f"shard{shard}")
    clickhouse.query("CREATE DATABASE shards")
    clickhouse.query("CREATE TABLE launches AS shard0.launches ENGINE = Merge(REGEXP('^shard[0-2]$'), '^launches$')", "shards")
    for arguments in (["report", "--by", "version,machine"], ["compare", *COMPARED]):
        whole, merged = (ask(launchprof, *arguments, *clickhouse.engine(name)) for name in ("fleet", "shards"))
        # Which launches are named as examples depends on the order in which a server reads.
        for answer in (whole, merged):
            answer[0]["notes"] = [note for note in answer[0]["notes"] if not note.startswith("Launches with")]
            for guilt in answer[0].get("guilty", []):
                del guilt["launches"]
        check(whole == merged, f"shards: {arguments[0]} differs")
    print("three shards: compared with the whole")


def check_labels(launchprof, clickhouse, lines):
    """More labels than a comparison looks at: it says so."""
    labels = json.dumps({f"meta.x{number:02}": "a" for number in range(70)})
    clickhouse.migrate("wide")
    clickhouse.load([line[:-1] + "," + labels[1:] for line in lines[:2000] if line.endswith("}")], "wide")
    answer, _ = ask(launchprof, "compare", *COMPARED, *clickhouse.engine("wide"))
    check(any(note == "8 columns are left out, because there are more than 64." for note in answer["notes"]), f"labels: {answer['notes']}")
    print("70 labels: those that are left out are counted")


def check_unknown(launchprof, clickhouse, lines):
    """Failed launches that do not know a column, and a column that is in no table of keys: both say the same of them."""
    # A launch that comes twice is another one after the changes.
    records = list({record["id"]: record for record in map(json.loads, lines)}.values())
    for number, record in enumerate(records):
        record["region"] = ["eu", "us", 7, True, None][number % 5]
        if number % 20 == 0:
            record |= {"outcome": "failed", "total": None, "kind": ""}
        if number % 40 == 0:
            record["version"] = ""
    known = [json.dumps(record) for record in records]
    clickhouse.migrate("unknown")
    clickhouse.load(known, "unknown")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(known) + "\n")
        file.flush()
        for arguments in (
            ["gate", "--head", "version=2.1,kind=cold", "--failed", "3"],
            ["report", "--where", "kind=cold"],
            ["report", "--where", "kind="],
            ["compare", *COMPARED, "--where", "kind=cold,region=eu"],
        ):
            sides = [ask(launchprof, *arguments, *source)[0]["notes"] for source in ([file.name], clickhouse.engine("unknown"))]
            notes = [[note for note in side if "failed launch" in note] for side in sides]
            check(notes[0] == notes[1] and bool(notes[0]) == (arguments[-1] != "kind="), f"unknown columns: {arguments} {notes}")
        answers = [ask(launchprof, "report", "--by", "region", *source)[0] for source in ([file.name], clickhouse.engine("unknown"))]
        regions = [{row["region"]: row["launches"] for row in answer["groups"]} for answer in answers]
    check(regions[0] == regions[1] and set(regions[0]) == {"eu", "us", "7", "true", ""}, f"unknown columns: {regions}")
    print("unknown columns: the same launches are left out")


def check_builds(launchprof, clickhouse, lines):
    """Build ids say nothing about their order: both know when each build was first launched."""
    builds = []
    for line in lines:
        record = json.loads(line)
        record["build"] = f"{zlib.crc32(record['time'][:10].encode()):08x}"
        builds.append(json.dumps(record))
    clickhouse.migrate("builds")
    clickhouse.load(builds, "builds")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(builds) + "\n")
        file.flush()
        sources = ([file.name], clickhouse.engine("builds"))
        sides = [ask(launchprof, "changes", "--by", "build", *source)[0]["points"] for source in sources]
    names = [[point["build"] for point in side] for side in sides]
    check(names[0] == names[1] and names[0] != sorted(names[0]), f"builds: {names}")
    print(f"builds: {len(names[0])} in the order of their first launches")


def check_impossible(launchprof, clickhouse, lines):
    """Times that no launch has: the same launches and values count in both."""
    values = ["-1", "0", "1", "0.5", "7.0", "7e3", "864e11", "86400000000001", "1e20", "99999999999999999999", '"7"', "true", "null", "[7]"]
    odd = []
    for key in ("total", "phase.load", "milestone.ready"):
        for value in values:
            record = json.loads(lines[len(odd)], parse_constant=str)
            for name in ("total", "milestone.ready", *(name for name in record if name.startswith("phase."))):
                record.pop(name, None)
            record |= {"id": f"{len(odd):032x}", "version": f"{key}={value}", "total": 5, "phase.load": 5, "milestone.ready": 5}
            record.pop(key)
            odd.append(f"{json.dumps(record)[:-1]},{json.dumps(key)}:{value}}}")
    clickhouse.migrate("odd")
    clickhouse.load(odd, "odd")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(odd) + "\n")
        file.flush()
        sides = (report(launchprof, *source, "--metric", "milestone/ready") for source in ([file.name], clickhouse.engine("odd")))
        files, server = ({(version, metric): row["records"] for (version, _, metric), row in side.items()} for side in sides)
    check(files == server, f"impossible times: {sorted(files.items() ^ server.items())}")
    # Of each key, these count: 1, 7.0, 7e3, 864e11, null; of a phase and a milestone also 0. Another milestone is left out.
    launches = {version for version, _ in files}
    check(len(launches) == 5 + 6 + len(values), f"impossible times: {sorted(launches)}")
    check(sum(metric == "milestone/ready" for _, metric in files) == 5 + 6 + 5, f"impossible times: {files}")
    print("impossible times: the same launches count")


def compute_days(clickhouse, database="fleet"):
    clickhouse.query("SYSTEM REFRESH VIEW launches_to_days", database)
    clickhouse.query("SYSTEM WAIT VIEW launches_to_days", database)


def check_days(clickhouse, embedded):
    """What dashboards read: its states are those of launches that count once."""
    timed("launches_by_day: computed", lambda: compute_days(clickhouse))
    merge = "quantilesTDigestWeightedMerge(0.5, 0.9, 0.99)(times)"
    rows = clickhouse.rows(
        f"SELECT version, machine, metric, toUInt32(sumMerge(launches)), {merge} "
        "FROM launches_by_day FINAL GROUP BY version, machine, metric")
    metrics = {(version, machine, metric.replace(".", "/", 1)): (count, times) for version, machine, metric, count, times in rows}
    for key, row in embedded.items():
        if key[2] != "total" and not key[2].startswith("phase/"):
            continue
        count, times = metrics[key]
        if key[2] == "total":
            check(count == row["records"], f"launches_by_day {key}: {count} and {row['records']} launches")
        for name, value in zip(("p50", "p90", "p99"), times):
            # A t-digest is right to half a percent of the rank or so: the interval says how much that is where few launches lie.
            inside = (row[name]["lower"] or 0) <= value <= (row[name]["upper"] or float("inf"))
            check(abs(value / row[name]["estimate"] - 1) <= 0.01 or inside, f"launches_by_day {key} {name}: {value}, {row[name]}")
    print(f"launches_by_day: {len(metrics)} rows are right")


def check_kept_days(clickhouse, lines):
    """A late record of a day that was deleted, and the scripts again: the days that were computed stay."""
    clickhouse.migrate("kept")
    clickhouse.load(lines, "kept")
    total = "SELECT day, toUInt32(sumMerge(launches)) FROM launches_by_day FINAL WHERE metric = 'total' GROUP BY day ORDER BY day"
    compute_days(clickhouse, "kept")
    before = clickhouse.rows(total, "kept")
    clickhouse.query("ALTER TABLE launches DELETE WHERE true SETTINGS mutations_sync = 2", "kept")
    late = next(record for record in map(json.loads, lines) if record.get("total"))
    clickhouse.load([json.dumps(late | {"id": f"{1:032x}"})], "kept")
    compute_days(clickhouse, "kept")
    check(clickhouse.rows(total, "kept") == before, f"a late record: {before} and {clickhouse.rows(total, 'kept')}")
    clickhouse.migrate("kept")
    compute_days(clickhouse, "kept")
    check(clickhouse.rows(total, "kept") == before, f"the scripts again: {before} and {clickhouse.rows(total, 'kept')}")
    print(f"launches_by_day: {len(before)} days stay")


def main():
    launchprof, path = sys.argv[1:]
    lines = pathlib.Path(path).read_text().split("\n")[:-1]
    clickhouse = ClickHouse()
    timed(f"ClickHouse: {len(lines)} lines loaded", lambda: clickhouse.load(lines))
    # Again: a launch that comes twice is one.
    clickhouse.load(lines[:1000])
    compare_all(launchprof, path, clickhouse.engine())
    check_days(clickhouse, report(launchprof, path))
    check_kept_days(clickhouse, [line for line in lines if line.endswith("}")][:2000])
    check_shards(launchprof, clickhouse, lines)
    check_labels(launchprof, clickhouse, lines)
    check_unknown(launchprof, clickhouse, [line for line in lines if line.endswith("}")][:2000])
    check_builds(launchprof, clickhouse, [line for line in lines if line.endswith("}")])
    check_impossible(launchprof, clickhouse, [line for line in lines if line.endswith("}")][:100])
    tell_sizes(clickhouse)
    clickhouse.end(1 if failures else 0)


if __name__ == "__main__":
    main()
