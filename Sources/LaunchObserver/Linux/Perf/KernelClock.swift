// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The kernel's CLOCK_MONOTONIC, which perf events have. In a time namespace, ours differs: time_namespaces(7).
enum KernelClock {
  /// Our CLOCK_MONOTONIC minus the kernel's, ns.
  static let offset = fileText("/proc/self/timens_offsets").map(offset(in:)) ?? 0

  /// From the text of /proc/PID/timens_offsets: a line for each clock, with its name, seconds and nanoseconds.
  static func offset(in text: String) -> Int64 {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 3, fields[0] == "monotonic", let seconds = Int64(fields[1]), let rest = Int64(fields[2])
      else { continue }
      let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return overflows ? 0 : whole &+ rest
    }
    return 0
  }
}
