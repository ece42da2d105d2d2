# SPDX-License-Identifier: Apache-2.0
"""check-telemetry.py LAUNCHPROF: see scripts/check-telemetry."""
import base64
import gzip
import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

import rotel
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

launchprof = os.path.abspath(sys.argv[1])
received = []


class Sink(http.server.BaseHTTPRequestHandler):
    """Keeps what is sent to it."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        received.append((self.headers["Content-Type"], body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def decode(kind, body):
    request = trace_service_pb2.ExportTraceServiceRequest()
    if kind.startswith("application/json"):
        value = json.loads(body)
        for resource in value["resourceSpans"]:
            for span in resource["scopeSpans"][0]["spans"]:
                for key in ("traceId", "spanId", "parentSpanId"):
                    # OTLP has ids in hexadecimal, protobuf's JSON in base 64.
                    if key in span:
                        span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
        # Unknown names are errors.
        return json_format.ParseDict(value, request)
    request.ParseFromString(body)
    return request


def spans(requests):
    found = {}
    for request in requests:
        for resource in request.resource_spans:
            service = {a.key: a.value.string_value for a in resource.resource.attributes}["service.name"]
            for scope in resource.scope_spans:
                for span in scope.spans:
                    found[span.span_id] = (
                        service, span.trace_id, span.parent_span_id, span.name, span.start_time_unix_nano,
                        span.end_time_unix_nano, sorted(a.key for a in span.attributes), [e.name for e in span.events])
    return found


def wait(what, holds):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, "waited in vain until " + what
        time.sleep(0.05)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


sink = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
threading.Thread(target=sink.serve_forever, daemon=True).start()
directly = "otlp=http://127.0.0.1:%d" % sink.server_port


def ship(address, encoding):
    subprocess.run([launchprof, "ship", records, "--to", address, "--format", encoding], check=True)


with tempfile.TemporaryDirectory() as folder:
    records = folder + "/launches.jsonl.zst"
    subprocess.run(
        [launchprof, "record", "-q", "-n", "3", "--record", records, "-o", folder + "/ls.launches", "--", "/bin/ls"],
        check=True, stdout=subprocess.DEVNULL)
    ship(directly, "json")
    ship(directly, "protobuf")
    from_json, from_protobuf = (decode(*request) for request in received)
    assert from_json == from_protobuf, "the two encodings differ"
    sent = spans([from_json])
    assert len({span[1] for span in sent.values()}) == 3 and len(sent) > 12, sent
    roots = [span for span in sent.values() if not span[2]]
    assert len(roots) == 3 and all(span[3] == "app.start" for span in roots)
    assert all(span[2] in sent for span in sent.values() if span[2]), "a parent is missing"
    print("%d launches, %d spans: JSON and protobuf say the same" % (len(roots), len(sent)))

    agent = pathlib.Path(rotel.__file__).with_name("rotel-agent")
    for encoding in ("json", "protobuf"):
        received.clear()
        port = free_port()
        process = subprocess.Popen(
            [agent, "start", "--otlp-http-endpoint", "127.0.0.1:%d" % port,
             "--otlp-grpc-endpoint", "127.0.0.1:%d" % free_port(), "--exporter", "otlp", "--otlp-exporter-protocol", "http",
             "--otlp-exporter-compression", "none", "--otlp-exporter-endpoint", "http://127.0.0.1:%d" % sink.server_port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait("rotel listens", lambda: is_open(port))
            ship("otlp=http://127.0.0.1:%d" % port, encoding)
            wait("rotel forwards", lambda: len(spans(decode(*r) for r in list(received))) >= len(sent))
        finally:
            process.terminate()
            process.wait()
        assert spans(decode(*request) for request in received) == sent, "rotel forwards something else"
        print("rotel took %s and forwarded the same spans" % encoding)
