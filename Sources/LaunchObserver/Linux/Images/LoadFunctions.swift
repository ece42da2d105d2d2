// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// The functions of a program, or of its loader, where a launch is observed. Addresses are the virtual ones of the file.
///
/// They are not part of `ProgramImage`, because finding them takes a walk through all symbols, and a program maps dozens
/// of libraries that have none of them.
struct LoadFunctions {
  /// nil if neither the symbols nor `_start` show it.
  var main: UInt64?
  /// The function that a loader calls to tell debuggers about new libraries: `_dl_debug_state`.
  var notification: UInt64?

  /// nil if it is not a 64-bit ELF file.
  init?(path: String) {
    guard let file = try? ELFFile(path: path) else { return nil }
    // For a Go program, the function of its main goroutine.
    let found = file.addresses(ofFunctions: ["main", "main.main", "_dl_debug_state"])
    main = found["main"] ?? found["main.main"] ?? Self.mainByCode(file)
    notification = found["_dl_debug_state"]
  }

  /// `main` of a file without symbols.
  static func mainByCode(_ file: ELFFile) -> UInt64? {
    let code = file.content(at: file.entry, count: EntryCode.length)
    switch EntryCode.main(code, at: file.entry, machine: file.machine) {
    case .at(let address): return address
    case .inSlot(let slot): return file.pointer(at: slot)
    case nil: return nil
    }
  }
}
