// SPDX-License-Identifier: Apache-2.0

/// A function at an address, and its place in the source.
package struct SourceFrame: Sendable, Equatable {
  /// The linker name.
  package var mangledName: String
  /// Path of the source file, as the compiler recorded it; empty if not known.
  package var file = ""
  /// Line from 1; 0 if not known, or if the code belongs to no line.
  package var line = 0

  /// The name for people, demangled.
  package var name: String { Demangler.demangle(mangledName) }
}
