// SPDX-License-Identifier: Apache-2.0

/// A named range of an image.
package struct Symbol: Sendable, Equatable {
  /// The name in the file.
  package var mangledName: String
  /// Virtual address in the file: address at run time − load bias.
  package var address: UInt64
  /// Size in bytes; 0 if the file does not say.
  package var size: UInt64

  package init(mangledName: String, address: UInt64, size: UInt64) {
    self.mangledName = mangledName
    self.address = address
    self.size = size
  }

  /// The name for people, demangled.
  package var name: String { Demangler.demangle(mangledName) }
}
