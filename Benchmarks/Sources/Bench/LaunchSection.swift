import CMeasure
import Foundation
import Measuring

/// What linking the library adds to a hello world's launch.
///
/// Every round launches every build once, in an order of its own, on one CPU. `not linked, again` is the control: what
/// its ratio is away from 1 is the error of the others. Targets are held against CPU time: a hello world waits for nothing,
/// so on a machine of one's own wall time says the same, and on a shared one it says how busy the others are.
struct LaunchSection {
  private struct Build {
    let name: String
    let program: Program
    /// Where the recording goes.
    var trace: String?
    /// Index of the build it is compared with.
    let reference: Int
    var limit: Double?
  }

  private struct Launches {
    var wall: [Double] = []
    var cpu: [Double] = []
  }

  private static let wall = "wall of not linked", cpu = "CPU of not linked"

  static func rows(_ options: Options) throws(BenchError) -> [Row] {
    _ = cm_pin(cm_last_cpu())
    var builds = builds(in: options.binaries, "dynamic", first: 0)
    let peer = Program(path: "\(options.binaries)/HelloTracing")
    builds.append(Build(name: "swift-distributed-tracing linked, no tracer (dynamic)", program: peer, reference: 0))
    if let folder = options.staticBinaries {
      builds += Self.builds(in: folder, "static stdlib", first: builds.count)
    }
    var launches = [Launches](repeating: Launches(), count: builds.count)
    var generator = SplitMix64(seed: options.seed)
    for round in -5..<options.launches {
      for index in builds.indices.shuffled(using: &generator) {
        let run = try builds[index].program.run()
        if let trace = builds[index].trace, unlink(trace) != 0 {
          throw BenchError("\(builds[index].name) wrote no trace: its figures would be those of a launch that is off")
        }
        if round < 0 { continue }
        launches[index].wall.append(Double(run.wall_ns) / 1e6)
        launches[index].cpu.append(Double(run.cpu_ns) / 1e6)
      }
    }
    return builds.indices.map { row(builds[$0], launches[$0], launches[builds[$0].reference]) }
  }

  private static func builds(in folder: String, _ kind: String, first: Int) -> [Build] {
    let plain = Program(path: "\(folder)/HelloPlain")
    let linked = Program(path: "\(folder)/HelloLinked")
    let trace = "/dev/shm/launch-bench-\(getpid()).pftrace"
    var recording = linked
    recording.environment["LAUNCHPROF_TRACE"] = trace
    return [
      Build(name: "not linked (\(kind))", program: plain, reference: first),
      Build(name: "not linked, again (\(kind))", program: plain, reference: first),
      Build(name: "linked and off (\(kind))", program: linked, reference: first, limit: 1.01),
      Build(name: "linked and recording (\(kind))", program: recording, trace: trace, reference: first, limit: 1.03),
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
