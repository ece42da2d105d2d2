#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the same files of records in launchprof, DuckDB, pandas and Spark, as they are: scripts/check-engines.

usage: check_files.py LAUNCHPROF RECORDS.jsonl
"""
import pathlib
import subprocess
import sys
import tempfile
import time

from fleet import QUANTILES, check, failures, report

METRICS = {"total": "total", "phase/open-database": "phase.open-database"}
# launchprof keeps 24 bits of a time.
MOST_APART = 2e-7


def shipped(launchprof, path, folder):
    """Three compressed files, as programs and `launchprof ship` leave them."""
    lines = pathlib.Path(path).read_text().split("\n")[:-1]
    files = []
    for part in range(3):
        plain = folder / f"{part}.lines"
        plain.write_text("".join(line + "\n" for line in lines[part::3]))
        files.append(str(folder / f"launches-{part}.jsonl.gz"))
        subprocess.run([launchprof, "ship", str(plain), "--to", files[-1]], check=True, capture_output=True)
    return files


def ask_duckdb(files):
    import duckdb

    metrics = [f'{{"records": count("{key}"), "levels": quantile_cont("{key}", {list(QUANTILES.values())})}}' for key in METRICS.values()]
    rows = duckdb.sql(f"""
        WITH launches AS (
          SELECT *, row_number() OVER (PARTITION BY id) AS copy
          FROM read_json({files}, format = 'newline_delimited', sample_size = -1) WHERE record = 1
        )
        SELECT version, machine, [{", ".join(metrics)}] FROM launches
        WHERE copy = 1 AND (total IS NULL OR total > 0) GROUP BY ALL""").fetchall()
    return {
        (version, machine, metric): (answer["records"], answer["levels"])
        for version, machine, answers in rows for metric, answer in zip(METRICS, answers)
    }


def ask_pandas(files):
    import pandas

    launches = pandas.concat(pandas.read_json(file, lines=True) for file in files)
    launches = launches[launches.record == 1].drop_duplicates("id")
    launches = launches[launches.total.isna() | (launches.total > 0)]
    answers = {}
    for (version, machine), group in launches.groupby([launches.version.astype(str), "machine"]):
        for metric, key in METRICS.items():
            times = group[key].dropna()
            answers[version, machine, metric] = (len(times), list(times.quantile(list(QUANTILES.values()))))
    return answers


def ask_spark(files):
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").appName("launches").config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "ERROR").getOrCreate()
    )
    deadline = time.monotonic() + 60
    # Executors register one by one; the driver is listed beside them.
    while (executors := spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    check(executors == 2, f"Spark has {executors} executors")
    spark.read.json(files).dropDuplicates(["id"]).createOrReplaceTempView("launches")
    levels = ", ".join(map(str, QUANTILES.values()))
    metrics = [f"count(`{key}`), percentile(`{key}`, array({levels}))" for key in METRICS.values()]
    rows = spark.sql(
        f"SELECT version, machine, {', '.join(metrics)} FROM launches WHERE record = 1 AND (total IS NULL OR total > 0) "
        "GROUP BY version, machine").collect()
    spark.stop()
    return {
        (row[0], row[1], metric): (row[2 + 2 * place], row[3 + 2 * place])
        for row in rows for place, metric in enumerate(METRICS)
    }


def compare(name, embedded, answers):
    wanted = {key for key in embedded if key[2] in METRICS}
    check(wanted == answers.keys(), f"{name}: groups differ: {sorted(wanted ^ answers.keys())[:5]}")
    for key in wanted & answers.keys():
        (count, levels), row = answers[key], embedded[key]
        check(count == row["records"], f"{name} {key}: {count} and {row['records']} records")
        for level, value in zip(QUANTILES, levels):
            check(abs(row[level]["estimate"] / value - 1) < MOST_APART, f"{name} {key} {level}: {row[level]}, {value}")
    print(f"{name}: {len(wanted)} groups compared")


def main():
    launchprof, path = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        files = shipped(launchprof, path, pathlib.Path(folder))
        embedded = report(launchprof, *files)
        for name, engine in (("DuckDB", ask_duckdb), ("pandas", ask_pandas), ("Spark", ask_spark)):
            began = time.monotonic()
            compare(name, embedded, engine(files))
            print(f"{name}: {time.monotonic() - began:.1f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
