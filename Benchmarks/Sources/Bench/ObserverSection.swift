// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import Measuring

/// What observing a program from outside adds to its launch, compared with other tools that observe one.
///
/// Every round launches every program once in each way of launchprof, in a new random order. Every tenth round also
/// launches it with the other tools. Launches that the command observes are compared with launches by the same
/// command that observes nothing. `again` is the control. Two figures are compared:
/// - The launch, from exec to exit as in the trace, without the stop at execve.
/// - The CPU time of the launched process alone, as wait4 reports it, from exec on. Targets apply to this figure, for
///   the reason that LaunchSection gives.
///
/// Other tools do not report what the program itself took. For them, and for the command too, the section compares
/// the time of the whole command, until its prompt is back, with the time of the program launched directly.
struct ObserverSection {
  private struct Way {
    let name: String
    /// The command line that launches a program. The last argument is a file that it may write.
    let command: (_ program: [String], _ scratch: String) -> Program
    /// True for launchprof: the figures of the launched process come from the trace.
    var isOurs = false
    var limit: Double?
  }

  private struct Figures {
    /// ms, of the launched process alone; launchprof only.
    var cpu: [Double] = []
    /// ms, from exec to exit; launchprof only.
    var launch: [Double] = []
    /// ms, of the whole command.
    var wall: [Double] = []
    /// The rounds in which those were measured.
    var rounds: [Int] = []
  }

  /// Other tools take part only in every tenth round: they take up to a thousand times as long and are well known.
  private static let peerRounds = 10

  private let options: Options
  private let launchprof: String
  private let scratch: String

  /// The rows, and the tools that cannot handle a program.
  static func measured(_ options: Options) throws(BenchError) -> (rows: [Row], failures: [Results.NotMeasured]) {
    guard let launchprof = options.launchprof else { throw BenchError("observer: --launchprof is missing") }
    let scratch = "/dev/shm/observer-bench-\(getpid())"
    do { try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true) } catch {
      throw BenchError("cannot make \(scratch): \(error)")
    }
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    return try ObserverSection(options: options, launchprof: launchprof, scratch: scratch).measure()
  }

  private var programs: [(name: String, command: [String])] {
    let own = ["HelloC", "HelloPlain", "HelloFoundation"].map { "\(options.binaries)/\($0)" }
    let hellos = zip(["C hello", "Swift hello", "Foundation hello"], own.map { [$0] }).map { (name: $0, command: $1) }
    // The interpreter itself, not a shell script that looks for it.
    let python = ["/usr/bin/python3"].filter { FileManager.default.isExecutableFile(atPath: $0) }
    return hellos + python.map { (name: "python3", command: [$0, "-c", "pass"]) }
  }

  private var ways: [Way] {
    func plain(_ name: String) -> Way { Way(name: name) { program, _ in Program(program) } }
    func launched(_ name: String, _ more: [String], limit: Double? = nil) -> Way {
      let command = [launchprof, "record", "-q", "--ready", "exit"] + more
      return Way(
        name: name, command: { Program(command + ["-o", "\($1)/t.pftrace", "--"] + $0) }, isOurs: true, limit: limit)
    }
    var ways = [
      plain("launched directly"), launched("not observed", ["--no-observation"]),
      launched("not observed, again", ["--no-observation"]),
      launched("observed, no samples", ["--no-samples"], limit: 1.03),
      launched("observed, samples at 1 kHz", [], limit: 1.05),
    ]
    func peer(_ tool: String, _ name: String, _ arguments: @escaping (_ scratch: String) -> [String]) {
      guard let path = Program.find(tool) else { return }
      ways.append(Way(name: name) { program, scratch in Program([path] + arguments(scratch) + program) })
    }
    peer("strace", "strace -f") { ["-f", "-o", "\($0)/strace"] }
    peer("perf", "perf record") {
      ["record", "-q", "-g", "-F", "1000", "-e", "cpu-clock:u", "-o", "\($0)/perf.data", "--"]
    }
    peer("ltrace", "ltrace") { ["-f", "-o", "\($0)/ltrace"] }
    peer("uftrace", "uftrace record") { ["record", "--force", "-d", "\($0)/uftrace"] }
    ways.append(
      Way(name: "LD_DEBUG=statistics") { program, _ in
        var program = Program(program)
        program.environment["LD_DEBUG"] = "statistics"
        return program
      })
    return ways
  }

  private func measure() throws(BenchError) -> (rows: [Row], failures: [Results.NotMeasured]) {
    let (programs, ways) = (programs, ways)
    var figures = [[Figures]](repeating: [Figures](repeating: Figures(), count: ways.count), count: programs.count)
    var generator = SplitMix64(seed: options.seed)
    var turns: [(program: Int, way: Int)] = []
    var failures: [Results.NotMeasured] = []
    for program in programs.indices {
      for (place, way) in ways.enumerated() {
        do { try way.command(programs[program].command, scratch).run() } catch {
          // launchprof must succeed. If another tool fails, the table has a line about it.
          if way.isOurs || place == 0 { throw error }
          failures.append(.init(peer: "\(programs[program].name): \(way.name)", reason: "\(error)", reference: ""))
          continue
        }
        turns.append((program, place))
      }
    }
    for round in -2..<options.observations {
      for (program, way) in turns.shuffled(using: &generator) {
        if way != 0, !ways[way].isOurs, round < 0 || round % Self.peerRounds != 0 { continue }
        let run = try ways[way].command(programs[program].command, scratch).run()
        let own = ways[way].isOurs ? try recorded() : nil
        if round < 0 { continue }
        figures[program][way].rounds.append(round)
        figures[program][way].wall.append(Double(run.wall_ns) / 1e6)
        if let own {
          figures[program][way].cpu.append(own.cpu)
          figures[program][way].launch.append(own.launch)
        }
      }
    }
    let rows = turns.map { turn in
      let own = figures[turn.program]
      return row(programs[turn.program].name, ways[turn.way], own[turn.way], direct: own[0], unobserved: own[1])
    }
    let commandRows = turns.filter { ways[$0.way].isOurs }.map { turn in
      added(programs[turn.program].name, ways[turn.way].name, figures[turn.program][turn.way], figures[turn.program][0])
    }
    return (rows + commandRows, failures)
  }

  /// What the command itself takes before and after the launch: starting, writing the trace, naming functions. At
  /// most 8 ms for a C program, and 30 ms where there are samples to name.
  private func added(_ program: String, _ way: String, _ figures: Figures, _ direct: Figures) -> Row {
    let limits = ["C hello: observed, no samples": 8.0, "Foundation hello: observed, samples at 1 kHz": 30]
    let name = "\(program): \(way)"
    return Row(
      section: "added by the command around a launch", name: name, unit: "ms",
      values: zip(figures.wall, figures.rounds).map { $0 - direct.wall[$1] },
      targets: limits[name].map { [.init("value", atMost: $0)] } ?? [])
  }

  /// From the last trace, ms: user and system time of the launched process, and its launch, from exec to exit.
  private func recorded() throws(BenchError) -> (cpu: Double, launch: Double) {
    let output = "\(scratch)/report.json"
    try Program([launchprof, "report", "\(scratch)/t.pftrace", "--format", "json"]).run(output: output)
    guard let data = FileManager.default.contents(atPath: output),
      let launch = (try? JSONDecoder().decode(Report.self, from: data))?.launches.first, let process = launch.process
    else { throw BenchError("launchprof report --format json said nothing of the process") }
    return (Double(process.userCPU + process.systemCPU) / 1e6, Double(launch.total) / 1e6)
  }

  private struct Report: Decodable {
    struct Launch: Decodable {
      let total: Int64
      let process: Process?
    }
    struct Process: Decodable {
      let userCPU: Int64
      let systemCPU: Int64
    }
    let launches: [Launch]
  }

  private func row(_ program: String, _ way: Way, _ figures: Figures, direct: Figures, unobserved: Figures) -> Row {
    func ratio(_ name: String, _ values: [Double], _ others: [Double]) -> Row.Ratio {
      let found = Statistics.pairedRatio(values, others)
      return Row.Ratio(to: name, median: found.estimate, interval: found.interval)
    }
    var ratios = [ratio("whole command", figures.wall, figures.rounds.map { direct.wall[$0] })]
    if way.isOurs {
      ratios.append(ratio("CPU of the program", figures.cpu, unobserved.cpu))
      ratios.append(ratio("launch, exec to exit", figures.launch, unobserved.launch))
    }
    return Row(
      section: "observed from outside: Hodges–Lehmann ratios", name: "\(program): \(way.name)", unit: "ms",
      values: figures.wall, ratios: ratios, processCPU: way.isOurs ? Statistics.median(figures.cpu) : nil,
      targets: way.limit.map { [.init("CPU of the program", atMost: $0)] } ?? [])
  }
}

extension Program {
  /// A program and its arguments.
  fileprivate init(_ command: [String]) { self.init(path: command[0], arguments: Array(command.dropFirst())) }
}
