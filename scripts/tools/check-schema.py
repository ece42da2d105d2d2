# SPDX-License-Identifier: Apache-2.0
"""Decodes Perfetto traces with Google's own schema (PyPI: perfetto, protobuf).

    python3 check-schema.py [--list FILE | --least PACKETS] TRACE...
    python3 check-schema.py --answer

Prints one JSON object per trace, on one line: path, packets, fillers, unknown (fields that the schema does not know,
other than the fillers: field 15 of Trace), error (why it does not decode). Exits 1 if any trace has an error, an
unknown field, or fewer packets than --least says.

With --answer, each line of standard input is a JSON list of traces, and each line of standard output is the list of
their objects. Each start would take longer than most answers.
"""

import json
import sys

from google.protobuf import unknown_fields
from google.protobuf.message import DecodeError
from perfetto.protos.perfetto.trace import perfetto_trace_pb2

FILLER = 15


def unknown_of(messages, path):
    """Where the unknown fields below messages are (slow: only asked for when there are some)."""
    found = []
    for message in messages:
        found += [f"{path}#{field.field_number}" for field in unknown_fields.UnknownFieldSet(message)]
        for field, value in message.ListFields():
            if field.message_type is not None:
                children = [value] if hasattr(value, "ListFields") else list(value)
                found += unknown_of(children, f"{path}.{field.name}")
    return found


def check(path):
    report = {"path": path, "packets": 0, "fillers": 0, "unknown": [], "error": None}
    trace, fillers = perfetto_trace_pb2.Trace(), perfetto_trace_pb2.Trace()
    try:
        with open(path, "rb") as file:
            content = file.read()
        trace.ParseFromString(content)
        fillers.ParseFromString(content)
    except (OSError, DecodeError) as error:
        report["error"] = str(error)
        return report
    report["packets"] = len(trace.packet)
    for field in unknown_fields.UnknownFieldSet(trace):
        if field.field_number == FILLER:
            report["fillers"] += 1
        else:
            report["unknown"].append(f"Trace#{field.field_number}")
    fillers.ClearField("packet")
    size = trace.ByteSize()
    trace.DiscardUnknownFields()
    if trace.ByteSize() + fillers.ByteSize() != size:
        trace.ParseFromString(content)
        report["unknown"] += sorted(set(unknown_of(trace.packet, "Trace.packet")))
    return report


def answer():
    for line in sys.stdin.buffer:
        print(json.dumps([check(path) for path in json.loads(line)]), flush=True)
    return 0


def main(arguments):
    if arguments == ["--answer"]:
        return answer()
    least = 0
    if arguments[:1] == ["--list"]:
        with open(arguments[1]) as file:
            arguments = file.read().splitlines()
    elif arguments[:1] == ["--least"]:
        least, arguments = int(arguments[1]), arguments[2:]
    reports = [check(path) for path in arguments]
    for report in reports:
        print(json.dumps(report))
    return 1 if any(report["error"] or report["unknown"] or report["packets"] < least for report in reports) else 0


sys.exit(main(sys.argv[1:]))
