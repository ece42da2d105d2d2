// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import Measuring

/// How fast, and in how much memory, the command reads and reports a large trace.
enum ReaderSection {
  private static let engine = "trace_processor"

  static func rows(_ options: Options) throws(BenchError) -> [Row] {
    let trace = "/dev/shm/launch-bench-\(getpid()).pftrace"
    defer { unlink(trace) }
    try Program(path: "\(options.binaries)/MakeSlices", arguments: ["\(options.slices)", trace]).run()
    var rows = try rows("reader: whole programs, \(options.slices) slices", of: trace, options)
    guard let reader = options.reader else { return rows }
    try Program(path: reader, arguments: ["generate-observed", trace, "\(options.slices)"]).run()
    rows += try self.rows(
      "reader: \(options.slices) slices, \(options.slices / 5) samples, \(options.slices / 2) switches", of: trace,
      options)
    return rows
  }

  private static func rows(_ section: String, of trace: String, _ options: Options) throws(BenchError) -> [Row] {
    let size = Double((try? FileManager.default.attributesOfItem(atPath: trace)[.size] as? Int) ?? 0) / 1e6
    let readers = readers(of: trace, options)
    var runs = [[cm_run]](repeating: [], count: readers.count)
    for _ in 0..<options.reports {
      for (index, reader) in readers.enumerated() { runs[index].append(try reader.program.run()) }
    }
    let cpu = runs.map { $0.map { Double($0.cpu_ns) / 1e9 } }
    let reference = readers.firstIndex { $0.name == engine }
    return readers.indices.flatMap { index in
      let ratios = reference.map { [Row.Ratio(to: engine, cpu[index], cpu[$0])] } ?? []
      let peak = Statistics.median(runs[index].map { Double($0.peak_bytes) })
      let name =
        readers[index].name == engine ? "Google's trace_processor (WebAssembly), one query" : readers[index].name
      return [
        Row(section: section, name: "\(name): CPU", unit: "s", values: cpu[index], ratios: ratios, bytes: peak),
        Row(section: section, name: "\(name): of \(Int(size)) MB", unit: "MB/s", values: cpu[index].map { size / $0 }),
      ]
    }
  }

  private static func readers(of trace: String, _ options: Options) -> [(name: String, program: Program)] {
    var readers: [(name: String, program: Program)] = []
    if let reader = options.reader {
      readers.append(("the reader alone", Program(path: reader, arguments: ["read", trace])))
    }
    if let launchprof = options.launchprof {
      for format in ["text", "csv"] {
        let program = Program(path: launchprof, arguments: ["report", trace, "--format", format])
        readers.append(("launchprof report --format \(format)", program))
      }
    }
    if let script = options.traceProcessor {
      let query = "select count(*), sum(dur) from slice"
      readers.append((engine, Program(path: options.node, arguments: [script, trace, "--", query])))
    }
    return readers
  }
}
