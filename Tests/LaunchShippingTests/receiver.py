# SPDX-License-Identifier: Apache-2.0
"""A receiver of OTLP/HTTP for the tests: answers as its script says and keeps what it took.

receiver.py DIRECTORY ANSWER…: prints its port. The answers are given one after the other; the last one stays.
  200 …       a status, with an empty body
  retry=N     429 with Retry-After: N
  partial     200 with a partial success
  none        200 with a partial success that takes nothing
  reject=IDS  400 if the body has one of the IDS (a,b), else 200
  page        200 with a page, as the log-in of a network answers
  said=N      status N with a page that says why
  garbage     bytes that are no HTTP
  half        the first half of an answer
  close       nothing: the connection is closed
  silent      nothing: the connection stays open
  lost        takes the records, and closes the connection instead of an answer
  chunked     200 in chunks, behind a 100
What was taken is a file in DIRECTORY, with its body no longer compressed, whole before the answer.
"""
import gzip
import os
import socket
import sys
import threading

directory, answers = sys.argv[1], sys.argv[2:]
lock, count = threading.Lock(), 0
PAGE = b"<html>\n<head><title>Use <https>\x1b here</title></head>"
PARTIAL = b'{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}'
NONE = b'{"partialSuccess":{"rejectedSpans":"1000000","errorMessage":"quota exceeded"}}'


def request(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(fields[b"Content-Length"]):
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    if fields.get(b"Content-Encoding") == b"gzip":
        body = gzip.decompress(body)
    return head, body


def serve(connection):
    global count
    with connection:
        found = request(connection)
        if found is None:
            return
        head, body = found
        with lock:
            number, count = count, count + 1
        answer = answers[min(number, len(answers) - 1)]
        status = 200
        if answer.isdigit():
            status = int(answer)
        elif answer.startswith("retry="):
            status = 429
        elif answer.startswith("reject="):
            status = 400 if any(id.encode() in body for id in answer[7:].split(",")) else 200
        elif answer.startswith("said="):
            status = int(answer[5:])
        if status == 200 and answer not in ("garbage", "half", "close", "silent", "page"):
            name = os.path.join(directory, "%06d" % number)
            with open(name + ".new", "wb") as file:
                file.write(head + b"\r\n\r\n" + body)
            os.rename(name + ".new", name + ".taken")
        text = {"partial": PARTIAL, "none": NONE, "page": PAGE}.get(answer, PAGE if answer.startswith("said=") else b"{}")
        if answer == "garbage":
            connection.sendall(b"\x00\xff nothing that anybody reads\n")
        elif answer == "half":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        elif answer == "silent":
            connection.recv(1)
        elif answer in ("close", "lost"):
            pass
        elif answer == "chunked":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.sendall(b"1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n")
        else:
            more = "Retry-After: %s\r\n" % answer[6:] if status == 429 and "=" in answer else ""
            connection.sendall(
                b"HTTP/1.1 %d Some\r\nContent-Length: %d\r\n%s\r\n" % (status, len(text), more.encode()) + text)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(64)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
