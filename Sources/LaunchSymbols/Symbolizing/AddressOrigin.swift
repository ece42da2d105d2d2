// SPDX-License-Identifier: Apache-2.0

/// What the addresses of a profile count from.
package enum AddressOrigin: Sendable {
  /// As the file of the image has them: the address at run time less the load bias.
  case virtual
  /// From the start of the image in memory, as samply and Firefox write them.
  case imageStart
  /// From the start of the file, as pprof's mappings have it.
  case fileStart

  /// The virtual address in the file of the image; nil if it has none there.
  func virtual(_ address: UInt64, in file: ELFFile) -> UInt64? {
    switch self {
    case .virtual: return address
    case .imageStart: return file.segments.first.map { address &+ ($0.address &- $0.offset) }
    case .fileStart:
      let home = file.segments.first { address >= $0.offset && address - $0.offset < $0.fileSize }
      return home.map { address - $0.offset &+ $0.address }
    }
  }
}
