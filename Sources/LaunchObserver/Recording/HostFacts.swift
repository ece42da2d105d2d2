// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchRecord
internal import LaunchSystem

/// Where a launch took place.
package struct HostFacts: Sendable, Equatable {
  package var name: String
  /// `uname -sr`
  package var kernel: String
  /// CPUs online.
  package var processors: Int
  /// Empty if the system does not say.
  package var processorModel: String
  /// As in records, `x86_64` or `arm64`.
  package var architecture: String
  /// Bytes.
  package var memory: UInt64

  /// This machine.
  package static func current() -> HostFacts {
    var names = utsname()
    uname(&names)
    return HostFacts(
      name: text(names.nodename), kernel: "\(text(names.sysname)) \(text(names.release))",
      processors: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), processorModel: processorModel(),
      architecture: RecordMachine.currentArch ?? text(names.machine),
      memory: UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)))))
  }

  private static func processorModel() -> String {
    guard let information = fileText("/proc/cpuinfo", limit: 8192) else { return "" }
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
    guard let line, let colon = line.firstIndex(of: ":") else { return "" }
    return String(line[line.index(after: colon)...].drop { $0 == " " })
  }

  /// A C array of characters, which Swift sees as a tuple.
  private static func text<T>(_ characters: T) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
