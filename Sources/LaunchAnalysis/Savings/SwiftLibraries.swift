// SPDX-License-Identifier: Apache-2.0

/// The shared libraries of a Swift toolchain, by the names of their files.
enum SwiftLibraries {
  /// What `-static-stdlib` puts into the program.
  static func contains(_ name: String) -> Bool {
    let starts = ["libswift", "libFoundation", "lib_Foundation", "libdispatch.so", "libBlocksRuntime.so"]
    return starts.contains(where: name.hasPrefix)
  }

  /// What comes with Foundation and goes with it.
  static func isOfFoundation(_ name: String) -> Bool {
    name.hasPrefix("lib_Foundation") || name.hasPrefix("libFoundationEssentials.")
      || name.hasPrefix("libFoundationInternationalization.") || name.hasPrefix("libFoundation.")
  }

  static func isEssentials(_ name: String) -> Bool { name.hasPrefix("libFoundationEssentials.") }

  /// What no Swift program on Linux is without.
  static func isBase(_ name: String) -> Bool {
    let starts = ["ld-", "libc.", "libm.", "libgcc_s.", "libstdc++.", "libpthread.", "libdl.", "librt.", "linux-vdso"]
    if starts.contains(where: name.hasPrefix) { return true }
    return contains(name) && !name.hasPrefix("libFoundation.") && !name.hasPrefix("libFoundationNetworking.")
      && !name.hasPrefix("libFoundationXML.")
  }
}
