// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem
internal import LaunchTrace

/// The names of functions that a program compiled at run time, from the file that it writes for profilers:
/// `/tmp/perf-<pid>.map` (perf-report(1); `node --perf-basic-prof`, `python3 -X perf`).
///
/// A line has the address and the size of a function, hexadecimal, and its name. The file is not trusted.
final class CompiledNames {
  private struct Function {
    var start: UInt64
    var end: UInt64
    /// Of two functions at the same place, the later line counts: code moves, and its memory is used again.
    var line: Int
    var name: String
  }

  private let directory: String
  /// CLOCK_MONOTONIC, ns: an older file is that of another process with the same id.
  private let start: Int64
  /// By process; sorted by their addresses.
  private var known: [Int32: [Function]] = [:]

  private static let mostBytes = 64 << 20
  /// How many functions may begin inside of another one, before it is not found.
  private static let mostOverlapping = 64

  init(since start: Int64, directory: String = "/tmp") {
    self.start = start
    self.directory = directory
  }

  /// The function at an address of a process; nil if the process did not write its name.
  func name(of process: Int32, at address: UInt64) -> String? {
    let functions = functions(of: process)
    let end = functions.partitioningIndex { $0.start > address }
    let candidates = functions[max(0, end - Self.mostOverlapping)..<end].filter { address < $0.end }
    return candidates.max { $0.line < $1.line }?.name
  }

  private func functions(of process: Int32) -> [Function] {
    if let known = known[process] { return known }
    let found = read("\(directory)/perf-\(process).map")
    known[process] = found
    return found
  }

  private func read(_ path: String) -> [Function] {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, isOfLaunch(facts),
      let bytes = try? readFile(path, limit: Self.mostBytes)
    else { return [] }
    var found: [Function] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard parts.count == 3, let start = Self.number(parts[0]), let size = Self.number(parts[1]), size > 0 else {
        continue
      }
      let (end, overflow) = start.addingReportingOverflow(size)
      let name = String(decoding: parts[2], as: UTF8.self)
      found.append(Function(start: start, end: overflow ? .max : end, line: number, name: name))
    }
    return found.sorted { ($0.start, $0.line) < ($1.start, $1.line) }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    let text = String(decoding: digits, as: UTF8.self)
    return UInt64(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16)
  }

  /// Whether a file was written after the launch began, and belongs to this user or root.
  private func isOfLaunch(_ facts: stat) -> Bool {
    var (monotonic, boottime, realtime): (UInt64, UInt64, UInt64) = (0, 0, 0)
    lo_read_clocks(&monotonic, &boottime, &realtime)
    let written = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
    return written >= start &+ Int64(bitPattern: realtime &- monotonic)
      && [0, geteuid()].contains(facts.st_uid)
  }
}
