// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Paths of the package on this machine.
public enum PackageRoot {
  /// The folder of Package.swift. It is the one that contains the running tests, whose path may differ from that of
  /// the build. If there is none, it is the folder where this file was compiled.
  public static let path: String = {
    var folder = productsDirectory[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access(folder + "/Tests/TestSupport/PackageRoot.swift", F_OK) == 0 { return String(folder) }
    }
    return #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  }()

  /// Where SwiftPM put this test runner and the programs that it built with it.
  public static let productsDirectory: String = {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let runner = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return runner.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }()

  /// `relative` below the package's folder.
  public static func appending(_ relative: String) -> String { path + "/" + relative }

  /// A file below Tests/Fixtures.
  public static func fixture(_ relative: String) -> String { appending("Tests/Fixtures/" + relative) }
}
