#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many stack samples of real programs reach main, the program's start or a thread's start: by frame pointers alone, and with
the unwind tables.

    stack_roots.py LAUNCHPROF [--launches N] [--only NAME] [--show] [--sizes BYTES,BYTES]

gtk4-demo needs a display (xvfb-run); postgres runs as user postgres and needs initdb.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOTS = {"main", "_start", "start_thread", "clone3", "__clone3", "clone", "__clone", "thread_start", "_dl_start",
         "_dl_start_user", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "_dl_start_final"}


def programs(folder):
    data = os.path.join(folder, "postgres")
    found = {
        "python3": ["/usr/bin/python3", "-c", "import json,asyncio,email.mime.text,xml.dom.minidom,decimal,unittest"],
        "gtk4-demo": ["--ready", "window", "--", "gtk4-demo"],
        "node": ["node", "-e", "JSON.parse(JSON.stringify(require('crypto').getHashes())); require('https')"],
    }
    initdb = subprocess.run("ls /usr/lib/postgresql/*/bin/initdb | tail -n 1", shell=True, capture_output=True, text=True)
    if initdb.stdout.strip():
        os.chmod(folder, 0o755)
        os.mkdir(data)
        shutil.chown(data, "postgres")
        run = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        subprocess.run(run + [initdb.stdout.strip(), "-D", data, "-N"], check=True, capture_output=True)
        postgres = os.path.join(os.path.dirname(initdb.stdout.strip()), "postgres")
        found["postgres"] = ["--follow", "--ready", "listen", "--"] + run + [postgres, "-D", data, "-k", data, "-p", "54321"]
    return found


def stacks(launchprof, trace):
    """Each stack with its images, outermost first."""
    text = subprocess.run([launchprof, "report", trace, "--format", "firefox"], check=True, capture_output=True).stdout
    profile = json.loads(text)
    shared = profile["shared"]
    stack, frame, function = shared["stackTable"], shared["frameTable"], shared["funcTable"]
    names = shared["stringArray"]
    for thread in profile["threads"]:
        for row in thread["samples"]["stack"]:
            frames = []
            while row is not None:
                frames.append(names[function["name"][frame["func"][stack["frame"][row]]]])
                row = stack["prefix"][row]
            if frames:
                yield frames[::-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launchprof")
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--show", action="store_true", help="print where incomplete stacks end")
    parser.add_argument("--sizes", default="0,16384")
    options = parser.parse_args()
    launchprof = os.path.abspath(options.launchprof)
    # GTK waits half a minute for a bus that is not there.
    os.environ.update(DBUS_SESSION_BUS_ADDRESS="disabled:", GTK_A11Y="none")
    sizes = [int(size) for size in options.sizes.split(",")]
    print("| program | " + " | ".join("frame pointers alone" if size == 0 else f"{size} bytes" for size in sizes) + " |")
    print("|---" * (len(sizes) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in programs(folder).items():
            if options.only and options.only != name:
                continue
            cells = []
            for size in sizes:
                all, complete, depth = 0, 0, 0
                ends = collections.Counter()
                for launch in range(options.launches):
                    trace = os.path.join(folder, f"{name}-{size}-{launch}.pftrace")
                    arguments = command if "--" in command else ["--"] + command
                    run = [launchprof, "record", "--stack-bytes", str(size), "--timeout", "30", "-o", trace] + arguments
                    result = subprocess.run(run, stdin=subprocess.DEVNULL, capture_output=True, text=True)
                    if not os.path.exists(trace):
                        sys.exit(f"{' '.join(run)}: {result.stderr}")
                    for frames in stacks(launchprof, trace):
                        all += 1
                        depth += len(frames)
                        # The loader's first instructions, in a loader without symbols.
                        in_loader = frames[0].startswith("ld-linux") and len(frames) > 1
                        if in_loader or any(frame.split("@")[0] in ROOTS for frame in frames):
                            complete += 1
                        else:
                            ends[" < ".join(frames[:2])] += 1
                    os.remove(trace)
                share = 100 * complete / max(all, 1)
                cells.append(f"{complete} of {all}, {share:.1f} %, {depth / max(all, 1):.1f} frames")
                if options.show:
                    for end, count in ends.most_common(12):
                        print(f"    {name} {size}: {count} end at {end}", file=sys.stderr)
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
