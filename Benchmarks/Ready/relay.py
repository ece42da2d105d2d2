#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast output passes while `launchprof record --ready PATTERN` looks at it, and after the pattern was seen.

    relay.py LAUNCHPROF [--rounds N] [--megabytes N]

A program prints lines of 56 bytes to a reader that throws them away. The rounds take their turns. For each way, the fastest round and
the median count GB a second from the first byte to the last, and the median CPU time of all processes.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

# Writes blocks as a program with full buffers does: 64 KiB at once. Then its own cost is small.
PROGRAM = r"""
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **arguments) {
  static char block[56 * 1170];
  for (size_t at = 0; at < sizeof block; at += 56) { memset(block + at, 'x', 55); block[at + 55] = '\n'; }
  const char *first = arguments[2];
  if (write(1, first, strlen(first)) < 0) return 1;
  for (long left = atol(arguments[1]) * 1000000; left > 0;) {
    ssize_t written = write(1, block, sizeof block);
    if (written < 0) return 1;
    left -= written;
  }
  return 0;
}
"""
SEEN, UNSEEN = "now it is ready\n", "not yet\n"


def once(command, trace):
    """Seconds from the first byte to the last, bytes, and seconds of CPU of all processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"})
    buffer, total, start, end = bytearray(1 << 20), 0, None, None
    with open(process.stdout.fileno(), "rb", buffering=0, closefd=False) as output:
        while count := output.readinto(buffer):
            end = time.monotonic()
            start = start or end
            total += count
    error = process.stderr.read().decode(errors="replace")
    process.wait()
    after, mine = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    cpu = sum(getattr(after, f) - getattr(before, f) + getattr(mine, f) - getattr(own, f) for f in ("ru_utime", "ru_stime"))
    if trace and os.path.exists(trace):
        os.remove(trace)
    return end - start, total, cpu, error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launchprof")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--megabytes", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, program, trace = (os.path.join(folder, name) for name in ("print.c", "print", "t.pftrace"))
        with open(source, "w") as file:
            file.write(PROGRAM)
        subprocess.run(["cc", "-O2", "-o", program, source], check=True)
        record = [options.launchprof, "record", "-q", "-o", trace, "--ready", "now it is ready", "--"]
        ways = {
            "a pipe alone": [],
            "a pipe and cat": None,
            "the pattern first: bytes are moved": record,
            "the pattern never: bytes are read": record,
        }
        results = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way, prefix in ways.items():
                own = [program, str(options.megabytes), UNSEEN if "never" in way else SEEN]
                command = ["sh", "-c", '"$0" "$@" | cat', *own] if prefix is None else prefix + own
                seconds, total, cpu, error = once(command, trace)
                if total < options.megabytes * 1_000_000:
                    sys.exit(f"relay.py: {way}: only {total} bytes came: {error}")
                results[way].append((total / seconds / 1e9, cpu))
        print(f"{'':36}  GB/s at best  median  CPU s")
        for way, values in results.items():
            rates, cpus = zip(*values)
            print(f"{way:36}{max(rates):14.2f}{statistics.median(rates):8.2f}{statistics.median(cpus):7.2f}")


main()
