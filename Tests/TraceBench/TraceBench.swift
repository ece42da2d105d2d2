// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace

/// Writes large traces and measures how long reading them takes:
///
///     trace-bench generate FILE [SLICES]
///     trace-bench generate-observed FILE [SLICES]
///     trace-bench generate-json FILE [SLICES]
///     trace-bench generate-perf FILE [SAMPLES]
///     trace-bench read FILE…
@main
enum TraceBench {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print("usage: trace-bench generate|generate-observed|generate-json|generate-perf FILE [COUNT] | read FILE...")
      exit(64)
    }
    let count = arguments.count > 3 ? Int(arguments[3]) ?? 1_000_000 : 1_000_000
    do {
      switch arguments[1] {
      case "generate": try SyntheticTrace(slices: count).writePerfetto(to: arguments[2])
      case "generate-observed": try SyntheticTrace(slices: count).writePerfetto(to: arguments[2], isObserved: true)
      case "generate-json": try SyntheticTrace(slices: count).writeJSON(to: arguments[2])
      case "generate-perf": try SyntheticTrace(slices: count).writePerf(to: arguments[2])
      default: for path in arguments[2...] { try read(path) }
      }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private static func read(_ path: String) throws {
    let before = usage()
    let trace = try TraceReader().read(path: path)
    let after = usage()
    let seconds = after.seconds - before.seconds
    let bytes = Double(trace.statistics.bytes)
    print(
      "\(path): \(trace.format.rawValue) \(trace.statistics.bytes) bytes, \(trace.slices.count) slices, "
        + "\(trace.instants.count) instants, \(trace.samples.count) samples, \(trace.switches.count) switches, "
        + "\(trace.strings.count) strings, "
        + "\(trace.annotations.count) annotations, \(trace.diagnostics.count) defects, \(rounded(seconds)) s CPU, "
        + "\(rounded(bytes / seconds / 1e6)) MB/s, peak \(after.peak / 1024) MiB")
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private static func usage() -> (seconds: Double, peak: Int) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    let system = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
    return (user + system, usage.ru_maxrss)
  }
}
