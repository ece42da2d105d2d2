// SPDX-License-Identifier: Apache-2.0

// A program of about 200 ms, for RecordRounds.swift: `MixedWork UNITS`, 1,000 units for the plain launch.
import Glibc

/// Allocates, hashes, sorts and reads, as a launch does.
struct Work {
  private var names: [String: Int] = [:]
  private var sum = 0

  mutating func unit(_ number: Int) {
    var parts = (0..<700).map { "setting.\(number).\(($0 &* 7919) % 700)" }
    parts.sort()
    for (place, part) in parts.enumerated() { names[part, default: 0] += place }
    if names.count > 5_000 { names.removeAll() }
    if number % 20 == 0 { read() }
  }

  /// The program's own file: a page cache hit.
  private mutating func read() {
    let file = open("/proc/self/exe", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while Glibc.read(file, &bytes, bytes.count) > 0 { sum &+= Int(bytes[17]) }
  }

  var result: Int { sum &+ names.count }
}

var work = Work()
for number in 0..<(Int(CommandLine.arguments.dropFirst().first ?? "") ?? 1000) { work.unit(number) }
print(work.result)
