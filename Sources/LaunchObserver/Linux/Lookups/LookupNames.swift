// SPDX-License-Identifier: Apache-2.0

/// The names of the subjects of look-ups, read from the process.
struct LookupNames {
  /// By the address of their metadata, their descriptor, and their mangled name.
  private(set) var types: [UInt64: String] = [:]
  private(set) var protocols: [UInt64: String] = [:]
  private(set) var typeNames: [UInt64: String] = [:]

  /// Reads names that are not known yet. The process has stopped.
  mutating func read(_ subjects: some Sequence<FirstLookups.Subject>, from memory: ProcessMemory) {
    var reader = TypeNameReader(memory)
    for subject in subjects {
      switch subject {
      case .conformance(let type, let proto):
        types[type] = types[type] ?? reader.typeName(type)
        protocols[proto] = protocols[proto] ?? reader.protocolName(proto)
      case .typeName(let address, let length):
        typeNames[address] = typeNames[address] ?? reader.name(ofMangled: address, length: length)
      }
    }
  }
}
