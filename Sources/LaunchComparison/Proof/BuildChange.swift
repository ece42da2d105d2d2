// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// A change that can be proved by two builds: by options of the build, or by a command that builds the program with it.
package enum BuildChange: Sendable, Equatable {
  case helpful(LaunchChange)
  case useless(UselessChange)

  /// nil for a change that no build can make.
  package init?(_ name: String) {
    if let change = LaunchChange(rawValue: name), change != .prefetch {
      self = .helpful(change)
    } else if let change = UselessChange(rawValue: name) {
      self = .useless(change)
    } else {
      return nil
    }
  }

  /// The changes that need only options.
  package static var names: [String] {
    LaunchChange.allCases.filter(\.isProvable).map(\.rawValue)
      + UselessChange.allCases.filter { linkerOptions[$0] != nil }.map(\.rawValue)
  }

  private static let linkerOptions: [UselessChange: [String]] = [
    .relr: ["-z", "pack-relative-relocs"], .strip: ["-s"], .icf: ["--icf=all"], .bindNow: ["-z", "now"],
    .pageSize: ["-z", "max-page-size=0x200000"], .asNeeded: ["--as-needed"],
  ]

  /// The command that builds the program with the change.
  ///
  /// - Parameter command: that builds it without: one call of `swift build` or of `swiftc`.
  /// - Returns: nil for any other command, and for a change that takes more than options.
  package func applied(to command: String) -> String? {
    guard let build = BuildCommand(command) else { return nil }
    let options: String? =
      switch self {
      case .helpful(.staticStdlib): build.isPackage ? "--static-swift-stdlib" : "-static-stdlib"
      case .helpful(.staticExecutable): build.isPackage ? "-Xswiftc -static-executable" : "-static-executable"
      case .helpful: nil
      case .useless(let change): Self.linkerOptions[change]?.map { "-Xlinker \($0)" }.joined(separator: " ")
      }
    return options.map { "\(command) \($0)" }
  }
}
