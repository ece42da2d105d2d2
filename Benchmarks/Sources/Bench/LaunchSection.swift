// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import Measuring

/// What linking the library adds to the launch of a hello world.
///
/// Every round launches every build once, in a new random order, on one CPU. `not linked, again` is the control: the
/// distance of its ratio from 1 is the error of the other ratios. Targets apply to CPU time. A hello world waits for
/// nothing, so on an idle machine wall time would say the same. On a shared machine wall time depends on the other
/// users.
///
/// The section launches copies: several of each file, all made in the same way, and new ones after each tenth of the
/// rounds. Byte-identical programs differ by some percent, depending on where the pages of the file lie.
struct LaunchSection {
  private struct Build {
    let name: String
    /// One for each copy.
    let programs: [Program]
    /// The file that the recorder writes.
    var trace: String?
    /// The trace file exists before the launch, as with `launchprof record`.
    var isPrepared = false
    /// Index of the build that this one is compared with.
    let reference: Int
    var limit: Double?

    func prepare() throws(BenchError) {
      guard isPrepared, let trace else { return }
      let error = cm_prepare_trace(trace, 64 << 20)
      if error != 0 { throw BenchError("cannot make \(trace): \(String(cString: strerror(error)))") }
    }

    /// Removes the trace. Throws if the program wrote none.
    func checkTrace() throws(BenchError) {
      guard let trace else { return }
      let contents = FileHandle(forReadingAtPath: trace)
      let head = (try? contents?.read(upToCount: 1)) ?? nil
      unlink(trace)
      if head == nil || head?.first == 0xfa {
        throw BenchError("\(name) wrote no trace: its figures would be those of a launch that is off")
      }
    }
  }

  /// Fresh copies of the programs, removed at the end.
  private struct Copies: ~Copyable {
    static let count = 5
    /// How often they are made anew.
    static let sets = 10
    private let folder: String

    init(in disk: String) throws(BenchError) {
      folder = "\(disk)/launch-bench-\(getpid())"
      do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
        throw BenchError("cannot make \(folder): \(error)")
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// All paths have the same length, so all programs have the same data on their stacks.
    func programs(_ path: String) throws(BenchError) -> [Program] {
      do {
        let contents = try Data(contentsOf: URL(fileURLWithPath: path))
        return try (0..<Self.count).map { _ in
          let copy = "\(folder)/\(UUID().uuidString)"
          try contents.write(to: URL(fileURLWithPath: copy))
          try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
          return Program(path: copy)
        }
      } catch { throw BenchError("cannot copy \(path): \(error)") }
    }
  }

  private struct Launches {
    var wall: [Double] = []
    var cpu: [Double] = []
  }

  private static let counterRate = cm_counter_rate()
  private static let wall = "wall of not linked", cpu = "CPU of not linked"

  static func rows(_ options: Options) throws(BenchError) -> [Row] {
    _ = cm_pin(cm_last_cpu())
    var generator = SplitMix64(seed: options.seed)
    var builds: [Build] = []
    var launches: [Launches] = []
    for set in 0..<Copies.sets {
      let copies = try Copies(in: options.disk)
      builds = try Self.builds(options, copies)
      if set == 0 { launches = builds.map { _ in Launches() } }
      let rounds = options.launches * (set + 1) / Copies.sets - options.launches * set / Copies.sets
      try launch(builds, rounds: rounds, &launches, &generator)
    }
    return builds.indices.map { row(builds[$0], launches[$0], launches[builds[$0].reference]) }
  }

  private static func launch(
    _ builds: [Build], rounds: Int, _ launches: inout [Launches], _ generator: inout SplitMix64
  ) throws(BenchError) {
    let unmeasured = 2 * Copies.count
    for round in 0..<unmeasured + rounds {
      for index in builds.indices.shuffled(using: &generator) {
        let build = builds[index]
        try build.prepare()
        let run = try build.programs[round % Copies.count].run()
        try build.checkTrace()
        if round < unmeasured { continue }
        launches[index].wall.append(Double(run.wall_ns) / 1e6)
        launches[index].cpu.append(Double(run.cpu_ns) / 1e6)
      }
    }
  }

  private static func builds(_ options: Options, _ copies: borrowing Copies) throws(BenchError) -> [Build] {
    var builds = try builds(in: options.binaries, copies, "dynamic", first: 0)
    let peer = try copies.programs("\(options.binaries)/HelloTracing")
    builds.append(Build(name: "swift-distributed-tracing linked, no tracer (dynamic)", programs: peer, reference: 0))
    if let folder = options.staticBinaries {
      builds += try Self.builds(in: folder, copies, "static stdlib", first: builds.count)
    }
    return builds
  }

  private static func builds(
    in folder: String, _ copies: borrowing Copies, _ kind: String, first: Int
  ) throws(BenchError) -> [Build] {
    let plain = try copies.programs("\(folder)/HelloPlain")
    let again = try copies.programs("\(folder)/HelloPlain")
    let linked = try copies.programs("\(folder)/HelloLinked")
    let trace = "/dev/shm/launch-bench-\(getpid()).pftrace"
    var alone = linked
    for index in alone.indices { alone[index].environment["LAUNCHPROF_TRACE"] = trace }
    var launched = alone
    for index in launched.indices {
      launched[index].environment["LAUNCHPROF_PREPARED"] = trace
      launched[index].environment["LAUNCHPROF_DESCRIPTOR"] = String(CM_TRACE_DESCRIPTOR)
      launched[index].environment["LAUNCHPROF_CLOCK"] = String(counterRate)
      launched[index].isStamped = true
    }
    return [
      Build(name: "not linked (\(kind))", programs: plain, reference: first),
      Build(name: "not linked, again (\(kind))", programs: again, reference: first),
      Build(name: "linked and off (\(kind))", programs: linked, reference: first, limit: 1.01),
      Build(
        name: "linked and recording, by a launcher (\(kind))", programs: launched, trace: trace, isPrepared: true,
        reference: first, limit: 1.03),
      Build(name: "linked and recording, by itself (\(kind))", programs: alone, trace: trace, reference: first),
    ]
  }

  private static func row(_ build: Build, _ launches: Launches, _ reference: Launches) -> Row {
    let wall = Statistics.pairedRatio(launches.wall, reference.wall)
    let cpu = Statistics.pairedRatio(launches.cpu, reference.cpu)
    return Row(
      section: "launch of a hello world: Hodges–Lehmann ratios", name: build.name, unit: "ms", values: launches.wall,
      ratios: [
        Row.Ratio(to: Self.wall, median: wall.estimate, interval: wall.interval),
        Row.Ratio(to: Self.cpu, median: cpu.estimate, interval: cpu.interval),
      ],
      processCPU: Statistics.median(launches.cpu),
      targets: build.limit.map { [.init(Self.cpu, atMost: $0)] } ?? [])
  }
}
