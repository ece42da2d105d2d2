// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import LaunchSymbols

/// The code that the kernel puts into every program, `[vdso]`: it reads the clock without a system call (vdso(7)).
///
/// All 64-bit programs have the same code, so this program has the names of its functions, and its unwind table.
struct KernelCode {
  private let file: ELFFile
  let unwindTable: UnwindTable?

  static let path = "[vdso]"

  /// nil if the kernel gives none.
  init?() {
    var size = 0
    guard let memory = lo_kernel_code(&size),
      let file = try? ELFFile(copying: UnsafeRawBufferPointer(start: memory, count: size), path: Self.path)
    else { return nil }
    self.file = file
    unwindTable = UnwindTable(file)
  }

  /// The function at an address in it, such as `clock_gettime`.
  func function(at address: UInt64) -> String? { file.symbol(at: address)?.name }

  /// Whether a program has this code: a 32-bit program has other code, below 4 GiB.
  static func isAt(_ mapping: PerfEvents.Mapping) -> Bool { mapping.path == path && mapping.address >> 32 != 0 }
}
