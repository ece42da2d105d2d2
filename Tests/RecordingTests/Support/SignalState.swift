// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Whether a process has a handler for a signal: `SigCgt` of /proc/<pid>/status.
func catches(_ number: Int32, _ process: Int32) -> Bool {
  let status = (try? contents("/proc/\(process)/status")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
  let mask = line.flatMap { $0.split(separator: "\t").last }.flatMap { UInt64($0, radix: 16) } ?? 0
  return mask & 1 << UInt64(number - 1) != 0
}
