// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// The functions of a program and of its loader where a launch is observed. Addresses are the virtual ones of the file.
///
/// They are not part of `ProgramImage`, because a program maps dozens of libraries that have none of them.
enum LoadFunctions {
  /// `main`; for a Go program, the function of its main goroutine. nil if neither `_start` nor the symbols show it.
  ///
  /// `_start` is asked first. A compiler has 300,000 symbols: when they were read, its `main` had begun.
  static func main(_ file: ELFFile) -> UInt64? {
    if let main = mainByCode(file) { return main }
    let found = file.addresses(ofFunctions: ["main", "main.main"])
    return found["main"] ?? found["main.main"]
  }

  /// The function that a loader calls to tell debuggers about new libraries: `_dl_debug_state`.
  static func notification(_ file: ELFFile) -> UInt64? { file.address(ofFunction: "_dl_debug_state") }

  /// Whether a file that names no loader is one. Static programs have the same function, but not for others.
  static func isLoader(_ file: ELFFile) -> Bool { file.exports(function: "_dl_debug_state") }

  /// `main` according to `_start`.
  static func mainByCode(_ file: ELFFile) -> UInt64? {
    let code = file.content(at: file.entry, count: EntryCode.length)
    switch EntryCode.main(code, at: file.entry, machine: file.machine) {
    case .at(let address): return address
    case .inSlot(let slot): return file.pointer(at: slot)
    case nil: return nil
    }
  }
}
