// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// A running receiver.py. It ends with the last reference.
final class Receiver {
  private let process: RunningProcess
  private let directory: TemporaryDirectory
  let port: Int

  init(_ answers: [String]) throws {
    directory = try TemporaryDirectory()
    // RunningProcess reads the output only at the end, so the port comes through a file.
    let portFile = directory.appending("port")
    process = try RunningProcess.start(
      "/bin/sh",
      [
        "-c", "exec python3 \"$0\" \"$@\" > \"\(portFile)\"",
        PackageRoot.appending("Tests/LaunchShippingTests/receiver.py"), directory.path,
      ]
        + answers)
    var found: Int?
    try waitUntil("the receiver listens") {
      found = readText(portFile).flatMap { $0.hasSuffix("\n") ? Int($0.dropLast()) : nil }
      return found != nil
    }
    port = try #require(found)
  }

  var address: String { "http://127.0.0.1:\(port)" }

  /// The requests that it accepted, in order.
  var taken: [String] {
    names(in: directory.path).filter { $0.hasSuffix(".taken") }.compactMap { readText(directory.appending($0)) }
  }

  /// The launches in them, as often as a span names each.
  var launches: [String] {
    taken.flatMap { request in
      request.components(between: "{\"traceId\":\"", and: "\",\"spanId\":\"").filter { $0.utf8.count == 32 }
    }
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    var (rest, found): (Substring, [String]) = (self[...], [])
    while let begin = rest.firstRange(of: start) {
      rest = rest[begin.upperBound...]
      guard let close = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<close.lowerBound]))
      rest = rest[close.upperBound...]
    }
    return found
  }
}

func readText(_ path: String) -> String? { (try? contents(path)).map { String(decoding: $0, as: UTF8.self) } }
