// SPDX-License-Identifier: Apache-2.0

/// Where a launch took place, without anything that names the machine.
package struct RecordMachine: Sendable, Equatable {
  package let os: String?
  package let osVersion: String?
  package let arch: String?
  /// The processor's model.
  package let cpu: String?
  package let cores: Int64?
  /// Bytes.
  package let memory: Int64?

  /// - Parameters:
  ///   - kernel: name and release, as `uname -sr` prints them.
  ///   - cores: nil or 0 if unknown.
  ///   - memory: bytes; nil or 0 if unknown.
  package init(kernel: String, arch: String?, cpu: String, cores: Int64?, memory: Int64?) {
    let words = kernel.split(separator: " ", maxSplits: 1)
    os = words.first.map { $0.lowercased() }
    osVersion = words.count > 1 ? String(words[1]) : nil
    self.arch = arch
    self.cpu = cpu
    self.cores = cores.flatMap { $0 > 0 ? $0 : nil }
    self.memory = memory.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The architecture that this code is compiled for.
  package static var currentArch: String? {
    #if arch(x86_64)
    "x86_64"
    #elseif arch(arm64)
    "arm64"
    #else
    nil
    #endif
  }

  /// The class of the machine, for example `x86_64-4c-8g`; nil if any part is unknown. Machines of one class are
  /// comparable. The memory is rounded to a power of two, because the system reserves some of it.
  package var className: String? {
    guard let arch, let cores, let memory else { return nil }
    var size: Int64 = 1
    // The nearest by ratio: 11.9 GiB become 8, 12 GiB become 16.
    while size < 1 << 20, memory >= 3 * (size << 29) { size <<= 1 }
    return "\(arch)-\(cores)c-\(size)g"
  }
}
