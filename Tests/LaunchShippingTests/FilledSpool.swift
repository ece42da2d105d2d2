// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchRecord
import LaunchShipping
import TestSupport

/// A spool that contains records.
struct FilledSpool {
  let directory: TemporaryDirectory
  let ids: [String]
  var path: String { directory.path }

  init(_ count: Int) throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    ids = try (0..<count).map { try Self.add($0, to: directory) }
  }

  /// Adds a record and returns its ID.
  func add(_ number: Int) throws -> String { try Self.add(number, to: directory) }

  private static func add(_ number: Int, to directory: TemporaryDirectory) throws -> String {
    let record = sampleRecord(number)
    let id = record.text(.id) ?? ""
    let name = "\(1_795_341_600_000 + number)-\(id).json"
    // In one step, like programs do.
    try LineFile(path: directory.appending(".new")).replace(with: [record.line])
    rename(directory.appending(".new"), directory.appending(name))
    return id
  }

  var left: [String] { names(in: path).filter { $0.hasSuffix(".json") } }
}

/// The record of a launch of 30 ms.
func sampleRecord(_ number: Int = 0) -> Record {
  var record = Record(
    id: LaunchID(of: "launch \(number)"),
    time: WallTime(nanoseconds: 1_795_341_600_000_000_000 + Int64(number) * 1_000_000))
  record.add(.program, "server")
  record.add(.version, "2.1 \"beta\"")
  record.add(.build, "15dfff32")
  record.add(
    RecordMachine(kernel: "Linux 6.1.0", arch: "x86_64", cpu: "EPYC", cores: 4, memory: 8 << 30))
  record.add(.kind, "warm")
  record.addEnd(.completed, at: "ready", total: 30_000_000, budget: 25_000_000)
  record.add(
    .phases,
    ["load": 5_000_000, "main": 2_000_000, "did-finish-launching": 23_000_000, "load-index": 4_000_000])
  record.add(
    .phaseStarts, ["load": 0, "main": 5_000_000, "did-finish-launching": 7_000_000, "load-index": 9_000_000])
  record.add(.milestones, ["ready": 30_000_000, "main": 5_000_000])
  record.add(.overBudget, ["parse": 20_000_000])
  return record
}
