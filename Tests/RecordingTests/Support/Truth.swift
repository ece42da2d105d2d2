// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// Launches programs with known behaviour repeatedly, and compares the findings with it.
struct Truth {
  let launchprof: Launchprof

  /// Launches of a series.
  private static let launches = 5

  init() throws { launchprof = try .observingInTime() }

  /// A finding, its launch, and the number that the program printed.
  @dynamicMemberLookup struct Case {
    var finding: FoundReport.Found
    var launch: FoundReport.Launch?
    var output: Int64?

    subscript<Value>(dynamicMember path: KeyPath<FoundReport.Found, Value>) -> Value { finding[keyPath: path] }
    func piece(_ kind: String, where holds: (FoundReport.Piece) -> Bool = { _ in true }) -> FoundReport.Piece? {
      finding.piece(kind, where: holds)
    }
  }

  typealias Check = (_ holds: Bool, _ message: @autoclosure () -> String) -> Void

  /// Expects, in all launches but one, a finding `id` that passes the checks, and no others except `besides`.
  func expect(
    program: String? = nil, _ arguments: [String], options: [String] = [], finds id: String, besides: [String] = [],
    _ body: (Case, Check) throws -> Void
  ) throws {
    let program = try program ?? HeldUp.program()
    let wrong = try LaunchSeries.errors {
      let (launches, output) = try record([program] + arguments, options: options)
      return try launches.enumerated().compactMap { number, launch in
        var problems: [String] = []
        if let finding = launch.finding(id) {
          let output = output.count == launches.count ? output[number] : nil
          try body(Case(finding: finding, launch: launch, output: output)) { holds, message in
            if !holds { problems.append(message()) }
          }
        } else {
          problems.append("no \(id)")
        }
        let others = launch.ids(except: [id] + besides)
        if !others.isEmpty { problems.append("\(others)") }
        if launch.findings.count(where: { $0.id == id }) > 1 { problems.append("more than one \(id)") }
        return problems.isEmpty ? nil : problems.joined(separator: ", ")
      }
    }
    #expect(wrong.isEmpty, "\(arguments): \(wrong)")
  }

  /// Expects, in all launches but one, no finding except `besides`, and that the check passes.
  func expectNothing(
    program: String? = nil, _ arguments: [String], options: [String] = [], besides: [String] = [],
    _ holds: (FoundReport.Launch) -> Bool
  ) throws {
    let program = try program ?? HeldUp.program()
    let wrong = try LaunchSeries.errors {
      try record([program] + arguments, options: options).launches.compactMap { launch in
        let ids = launch.ids(except: besides)
        return ids.isEmpty && holds(launch) ? nil : "\(launch.findings.map(\.id)) in \(launch.total) ns"
      }
    }
    #expect(wrong.isEmpty, "\(arguments): \(wrong)")
  }

  private func record(
    _ command: [String], options: [String]
  ) throws -> (launches: [FoundReport.Launch], output: [Int64]) {
    let series = try TemporaryDirectory()
    let run = try launchprof.run(
      ["record", "-q", "-n", "\(Self.launches)", "-o", series.path + "/"] + options + ["--"] + command)
    guard run.succeeded else { throw ToolFailure("\(command): \(run.outcome) \(run.errorText)") }
    let launches = try FoundReport(launchprof, series.path + "/").launches
    guard launches.count == Self.launches else { throw ToolFailure("\(launches.count) launches of \(Self.launches)") }
    return (launches, run.text.split(separator: "\n").compactMap { Int64($0) })
  }

  /// 30 MB on the disk.
  func coldFile() throws -> String { try Self.coldFile(in: launchprof.directory) }

  static func coldFile(in directory: TemporaryDirectory) throws -> String {
    let path = directory.appending("cold.dat")
    // A file system may store equal blocks only once.
    let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
    try random.readData(ofLength: 30 << 20).write(to: URL(fileURLWithPath: path))
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    // Only data that is already on the disk can be read from it.
    guard fsync(file) == 0 else { throw ToolFailure("\(path) cannot be written") }
    return path
  }

  /// A program with an async `main` that works for 40 ms, either on the main actor or on no actor; or of which another
  /// thread sleeps for 60 ms before the program prints 7.
  func asyncProgram() throws -> String {
    let source = """
      import Glibc
      @MainActor var sink: UInt64 = 0
      func now() -> Int { var time = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time); return time.tv_sec * 1_000_000_000 + time.tv_nsec }
      @MainActor final class Model {
        @inline(never) func loadEverything() async {
          let end = now() + 40_000_000
          while now() < end { for step in 0..<20_000 { sink = sink &* 31 &+ UInt64(step) } }
        }
      }
      @inline(never) func loadElsewhere() async -> UInt64 {
        var sum: UInt64 = 0
        let end = now() + 40_000_000
        while now() < end { for step in 0..<20_000 { sum = sum &* 31 &+ UInt64(step) } }
        return sum
      }
      @main struct Program {
        static func main() async {
          try? await Task.sleep(nanoseconds: 5_000_000)
          if CommandLine.arguments.last == "actor" { await Model().loadEverything() }
          if CommandLine.arguments.last == "sleep" {
            await Task.detached { _ = usleep(60_000) }.value
            print(7)
            fflush(nil)
          }
          if CommandLine.arguments.last == "elsewhere" { sink = await Task.detached { await loadElsewhere() }.value }
        }
      }

      """
    return try Compiler.swift(source, to: "actor", in: launchprof.directory)
  }
}
