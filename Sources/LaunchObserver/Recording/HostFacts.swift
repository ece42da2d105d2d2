// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchRecord
internal import LaunchSystem

/// Where a launch took place.
package struct HostFacts: Sendable, Equatable {
  package var name: String
  /// `uname -sr`
  package var kernel: String
  /// CPUs online.
  package var processors: Int
  /// CPUs that the command and its programs may use: a container or taskset(1) may have fewer.
  package var usableProcessors: Int
  /// Empty if the system does not say.
  package var processorModel: String
  /// As in records, `x86_64` or `arm64`.
  package var architecture: String
  /// Bytes that the command and its programs may use.
  package var memory: UInt64

  /// This machine.
  package static func current() -> HostFacts {
    var names = utsname()
    uname(&names)
    let usable = lo_usable_now()
    return HostFacts(
      name: text(names.nodename), kernel: "\(text(names.sysname)) \(text(names.release))",
      processors: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), usableProcessors: Int(usable.processors),
      processorModel: fileText("/proc/cpuinfo", limit: 8192).map { processorModel(in: $0) } ?? "",
      architecture: RecordMachine.currentArch ?? text(names.machine), memory: usable.memory)
  }

  /// The model in the kernel's text about the processors; empty if it has none.
  static func processorModel(in information: String) -> String {
    let most = 96
    let model = [CChar](unsafeUninitializedCapacity: most) { room, count in
      lo_processor_model(information, room.baseAddress, most)
      count = most
    }
    return String(decoding: model.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A C array of characters, which Swift sees as a tuple.
  private static func text<T>(_ characters: T) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
