// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The kernel's CLOCK_MONOTONIC, which perf events have. In a time namespace, ours differs: time_namespaces(7).
enum KernelClock {
  /// Our CLOCK_MONOTONIC minus the kernel's, ns.
  static let offset = fileText("/proc/self/timens_offsets").map(offset(in:)) ?? 0

  /// From the text of /proc/PID/timens_offsets: a line for each clock, with its name, seconds and nanoseconds.
  static func offset(in text: String) -> Int64 {
    let numbers = text.line(after: "monotonic ")?.split(separator: " ").compactMap { Int64($0) } ?? []
    guard numbers.count == 2 else { return 0 }
    let (whole, overflows) = numbers[0].multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? 0 : whole &+ numbers[1]
  }
}
