// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
internal import LaunchSystem
internal import LaunchTrace

/// What functions of a process are called, by the symbols of the files that they are in.
struct FunctionNames {
  /// A function in the file that it comes from.
  struct CodeAddress: Hashable {
    var path: String
    /// Virtual, as the file has it.
    var address: UInt64
  }

  private var names: [CodeAddress: String] = [:]

  /// Looks all of them up: a file's symbols are walked once.
  init(_ places: Set<CodeAddress>) {
    for (path, places) in Dictionary(grouping: places, by: \.path) where path.hasPrefix("/") {
      guard let file = try? ELFFile(path: path) else { continue }
      for (place, symbol) in zip(places, file.symbols(at: places.map(\.address))) {
        names[place] = symbol.map { Demangler.lazyGlobal($0.mangledName) ?? $0.name }
      }
    }
  }

  /// `libapp.so+0x12a0` where no symbol says more.
  subscript(place: CodeAddress) -> String {
    names[place] ?? fileName(place.path) + "+0x" + String(place.address, radix: 16)
  }
}

extension FunctionNames.CodeAddress {
  init(_ frame: StackFrame) { self.init(path: frame.image, address: frame.address) }
}
