// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
internal import LaunchSystem
internal import LaunchTrace

/// What functions of a process are called, by the symbols of the files that they are in.
struct FunctionNames {
  private var names: [StackFrame: String] = [:]

  /// Looks all of them up: a file's symbols are walked once.
  init(_ frames: Set<StackFrame>) {
    for (path, frames) in Dictionary(grouping: frames, by: \.image) where path.hasPrefix("/") {
      guard let file = try? ELFFile(path: path) else { continue }
      for (frame, symbol) in zip(frames, file.symbols(at: frames.map(\.address))) {
        names[frame] = symbol.map { Demangler.lazyGlobal($0.mangledName) ?? $0.name }
      }
    }
  }

  /// `libapp.so+0x12a0` where no symbol says more.
  subscript(frame: StackFrame) -> String {
    names[frame] ?? fileName(frame.image) + "+0x" + String(frame.address, radix: 16)
  }
}
