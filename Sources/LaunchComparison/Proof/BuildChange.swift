package import LaunchAnalysis

/// A change that is made by options of the build alone, so that it can be proved without touching a source file.
package enum BuildChange: Sendable, Equatable {
  case helpful(LaunchChange)
  case useless(UselessChange)

  /// nil for what takes more than options.
  package init?(_ name: String) {
    if let change = LaunchChange(rawValue: name), change.isProvable {
      self = .helpful(change)
    } else if let change = UselessChange(rawValue: name), Self.linkerOptions[change] != nil {
      self = .useless(change)
    } else {
      return nil
    }
  }

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
  /// - Returns: nil for any other command.
  package func applied(to command: String) -> String? {
    // Options at the end belong to the last of several commands.
    guard !command.contains(where: { ";|&<>\n".contains($0) }) else { return nil }
    let words = command.split(separator: " ")
    let isPackage = words.starts(with: ["swift", "build"])
    guard isPackage || words.first?.split(separator: "/").last == "swiftc" else { return nil }
    let options =
      switch self {
      case .helpful(.staticStdlib): isPackage ? "--static-swift-stdlib" : "-static-stdlib"
      case .helpful: isPackage ? "-Xswiftc -static-executable" : "-static-executable"
      case .useless(let change): (Self.linkerOptions[change] ?? []).map { "-Xlinker \($0)" }.joined(separator: " ")
      }
    return command + " " + options
  }
}
