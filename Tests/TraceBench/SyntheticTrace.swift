// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace

/// A large trace with the shape of a real launch: nested calls on four threads, 10,000 names, arguments on one slice
/// in sixteen. Equal counts give equal traces.
struct SyntheticTrace {
  let slices: Int
  static let threads = 4
  /// Start of the trace, ns.
  static let origin: Int64 = 1_000_000_000_000
  private static let names = 10_000

  enum Event {
    case begin(thread: Int, name: Int, argument: UInt64?)
    case end(thread: Int)
  }

  /// Calls `body` with every event, in order of time within a thread. Chunks of the threads alternate.
  func forEachEvent(_ body: (Event, Int64) throws -> Void) rethrows {
    var random = RandomNumbers()
    func next(_ bound: UInt64) -> UInt64 { random.next(below: bound) }
    var depths = [Int](repeating: 0, count: Self.threads)
    var times = [Int64](repeating: Self.origin, count: Self.threads)
    var begun = 0
    while begun < slices || depths.contains(where: { $0 > 0 }) {
      for thread in 0..<Self.threads {
        for _ in 0..<680 where begun < slices || depths[thread] > 0 {
          times[thread] += Int64(20 + next(400))
          let isBegin = begun < slices && (depths[thread] == 0 || (depths[thread] < 10 && next(100) < 52))
          if isBegin {
            // A few names are frequent, most are rare.
            let name = Int(next(UInt64(Self.names)) * next(UInt64(Self.names)) / UInt64(Self.names))
            try body(.begin(thread: thread, name: name, argument: next(16) == 0 ? next(1 << 20) : nil), times[thread])
            begun += 1
            depths[thread] += 1
          } else if depths[thread] > 0 {
            try body(.end(thread: thread), times[thread])
            depths[thread] -= 1
          }
        }
      }
    }
  }

  private static func name(_ index: Int) -> String { "AppModule.ServiceRegistry.resolve_\(index)(for:)" }

  /// - Parameter isObserved: also writes stack samples and switches.
  func writePerfetto(to path: String, isObserved: Bool = false) throws {
    let file = try OutputFile(path)
    var latest = Self.origin
    var writer = PerfettoTraceWriter()
    writer.clockSnapshot([(3, 1_000_000_000_000), (6, 1_000_000_000_000), (1, 1_700_000_000_000_000_000)])
    writer.processTrack(uuid: 1, processID: 1000, name: "app", start: 1_000_000_000_000)
    for thread in 0..<Self.threads {
      writer.threadTrack(
        uuid: UInt64(2 + thread), parent: 1, processID: 1000, threadID: Int32(1000 + thread), name: "thread \(thread)")
      writer.startSequence(UInt32(1 + thread), track: UInt64(2 + thread))
    }
    let names = (0..<Self.names).map(Self.name)
    try forEachEvent { event, time in
      latest = max(latest, time)
      switch event {
      case .begin(let thread, let name, let argument):
        writer.begin(
          sequence: UInt32(1 + thread), time: time, name: names[name], category: "app/work",
          annotations: argument.map { [("bytes", .uint($0))] } ?? [])
      case .end(let thread): writer.end(sequence: UInt32(1 + thread), time: time)
      }
      try flush(&writer, to: file)
    }
    if isObserved { try writeObservation(to: file, &writer, latest: latest) }
    try file.write(writer.bytes)
  }

  func flush(_ writer: inout PerfettoTraceWriter, to file: OutputFile) throws {
    guard writer.bytes.count > 1 << 20 else { return }
    try file.write(writer.bytes)
    writer.removeAll()
  }

  func writeJSON(to path: String) throws {
    let file = try OutputFile(path)
    try file.write(Array("[\n".utf8))
    var open: [[(Int, Int64)]] = Array(repeating: [], count: Self.threads)
    var text: [UInt8] = []
    try forEachEvent { event, time in
      switch event {
      case .begin(let thread, let name, _): open[thread].append((name, time))
      case .end(let thread):
        let (name, start) = open[thread].removeLast()
        text += Array(
          """
          {"ph":"X","cat":"app/work","name":"\(Self.name(name))","pid":1000,"tid":\(1000 + thread),\
          "ts":\(Self.microseconds(start)),"dur":\(Self.microseconds(time - start))},

          """.utf8)
      }
      if text.count > 1 << 20 {
        try file.write(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    try file.write(text + Array("{}]\n".utf8))
  }

  func writePerf(to path: String) throws {
    let file = try OutputFile(path)
    var stacks: [[Int]] = Array(repeating: [], count: Self.threads)
    var text: [UInt8] = []
    try forEachEvent { event, time in
      switch event {
      case .begin(let thread, let name, _):
        stacks[thread].append(name)
        let seconds = "\(time / 1_000_000_000).\(String(1_000_000 + time / 1000 % 1_000_000).dropFirst())"
        text += Array("app  1000/\(1000 + thread) [000] \(seconds):   1000000 cpu-clock:u: \n".utf8)
        for frame in stacks[thread].reversed().prefix(12) {
          text += Array("\t    55d0\(4096 + frame * 16) \(Self.name(frame))+0x1c (/usr/local/bin/app)\n".utf8)
        }
        text.append(0x0a)
      case .end(let thread): stacks[thread].removeLast()
      }
      if text.count > 1 << 20 {
        try file.write(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    try file.write(text)
  }

  private static func microseconds(_ nanoseconds: Int64) -> String {
    "\(nanoseconds / 1000).\(String(1000 + nanoseconds % 1000).dropFirst())"
  }
}

/// xorshift64: the same numbers each time.
struct RandomNumbers {
  private var state: UInt64 = 42

  mutating func next(below bound: UInt64) -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state % bound
  }
}

/// A file that is written from start to end.
final class OutputFile {
  private let stream: UnsafeMutablePointer<FILE>

  init(_ path: String) throws {
    guard let stream = fopen(path, "we") else {
      throw TraceError(.cannotWrite, path: path, message: String(cString: strerror(errno)), errno: errno)
    }
    self.stream = stream
  }

  deinit { fclose(stream) }

  func write(_ bytes: [UInt8]) throws {
    if fwrite(bytes, 1, bytes.count, stream) != bytes.count {
      throw TraceError(.cannotWrite, path: "", message: String(cString: strerror(errno)), errno: errno)
    }
  }
}
