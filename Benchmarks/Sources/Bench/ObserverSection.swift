import CMeasure
import Foundation
import Measuring

/// What observing a program from outside adds to its launch, beside other tools that look at one.
///
/// Every round launches every program in every way once, in an order of its own. Targets are held against the CPU time of
/// the launched process alone, as its parent's wait4 reports it, for the reason that LaunchSection gives; `again` is the
/// control. Other tools do not say what the program itself took: of them, and of the command too, there is the time of the
/// whole command, until its prompt is back.
struct ObserverSection {
  private struct Way {
    let name: String
    /// What is run for a program; the last argument is a file that may be written.
    let command: (_ program: [String], _ scratch: String) -> Program
    /// The launched process's own figures come from the trace.
    var isOurs = false
    var limit: Double?
  }

  private struct Figures {
    /// ms, of the launched process alone; of ours only.
    var cpu: [Double] = []
    /// ms, of the whole command.
    var wall: [Double] = []
  }

  private let options: Options
  private let launchprof: String
  private let scratch: String

  static func rows(_ options: Options) throws(BenchError) -> [Row] {
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
    // The program itself, not a shell script that looks for it.
    let python = ["/usr/bin/python3"].filter { FileManager.default.isExecutableFile(atPath: $0) }
    return hellos + python.map { (name: "python3", command: [$0, "-c", "pass"]) }
  }

  private var ways: [Way] {
    func plain(_ name: String) -> Way { Way(name: name) { program, _ in Program(program) } }
    func observed(_ name: String, _ more: [String], limit: Double) -> Way {
      let command = [launchprof, "record", "-q", "--ready", "exit"] + more
      return Way(
        name: name, command: { Program(command + ["-o", "\($1)/t.pftrace", "--"] + $0) }, isOurs: true, limit: limit)
    }
    var ways = [
      plain("not observed"), plain("not observed, again"),
      observed("observed, no samples", ["--no-samples"], limit: 1.03),
      observed("observed, samples at 1 kHz", [], limit: 1.05),
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

  private func measure() throws(BenchError) -> [Row] {
    let (programs, ways) = (programs, ways)
    var figures = [[Figures]](repeating: [Figures](repeating: Figures(), count: ways.count), count: programs.count)
    var generator = SplitMix64(seed: options.seed)
    let turns = programs.indices.flatMap { program in ways.indices.map { (program, $0) } }
    for round in -3..<options.observations {
      for (program, way) in turns.shuffled(using: &generator) {
        let run = try ways[way].command(programs[program].command, scratch).run()
        let cpu = ways[way].isOurs ? try processCPU() : Double(run.cpu_ns) / 1e6
        if round < 0 { continue }
        figures[program][way].cpu.append(cpu)
        figures[program][way].wall.append(Double(run.wall_ns) / 1e6)
      }
    }
    return programs.indices.flatMap { program in
      ways.indices.map { row(programs[program].name, ways[$0], figures[program][$0], figures[program][0]) }
    }
  }

  /// User and system time of the launched process, ms, from the trace of the last launch.
  private func processCPU() throws(BenchError) -> Double {
    let output = "\(scratch)/report.json"
    try Program([launchprof, "report", "\(scratch)/t.pftrace", "--format", "json"]).run(output: output)
    guard let data = FileManager.default.contents(atPath: output),
      let report = try? JSONDecoder().decode(Report.self, from: data), let process = report.launches.first?.process
    else { throw BenchError("launchprof report --format json said nothing of the process") }
    return Double(process.userCPU + process.systemCPU) / 1e6
  }

  private struct Report: Decodable {
    struct Launch: Decodable { let process: Process? }
    struct Process: Decodable {
      let userCPU: Int64
      let systemCPU: Int64
    }
    let launches: [Launch]
  }

  private func row(_ program: String, _ way: Way, _ figures: Figures, _ reference: Figures) -> Row {
    let isAlone = way.isOurs || way.name.hasPrefix("not observed")
    let wall = Statistics.pairedRatio(figures.wall, reference.wall)
    let cpu = Statistics.pairedRatio(figures.cpu, reference.cpu)
    let whole = Row.Ratio(to: "whole command", median: wall.estimate, interval: wall.interval)
    let own = Row.Ratio(to: "CPU of the program", median: cpu.estimate, interval: cpu.interval)
    return Row(
      section: "observed from outside: Hodges–Lehmann ratios to not observed", name: "\(program): \(way.name)",
      unit: "ms",
      values: figures.wall, ratios: isAlone ? [whole, own] : [whole],
      processCPU: isAlone ? Statistics.median(figures.cpu) : nil,
      targets: way.limit.map { [.init(own.to, atMost: $0)] } ?? [])
  }
}

extension Program {
  /// A program and its arguments.
  fileprivate init(_ command: [String]) { self.init(path: command[0], arguments: Array(command.dropFirst())) }
}
