// SPDX-License-Identifier: Apache-2.0

/// A build with the options that let lld order functions.
package struct OrderedBuild {
  private let command: String
  private let isPackage: Bool

  /// nil unless it is one call of `swift build` or of `swiftc`.
  package init?(_ command: String) {
    guard !command.contains(where: { ";|&<>\n".contains($0) }) else { return nil }
    let words = command.split(separator: " ")
    isPackage = words.starts(with: ["swift", "build"])
    guard isPackage || words.first?.split(separator: "/").last == "swiftc" else { return nil }
    self.command = command
  }

  /// With a section for each function, linked by lld.
  package var plain: String {
    let options = ["-use-ld=lld", "-Xfrontend", "-function-sections"]
    return command + options.map { isPackage ? " -Xswiftc \($0)" : " \($0)" }.joined()
  }

  /// - Parameter list: an absolute path without blanks.
  package func ordered(by list: String) -> String {
    plain + " -Xlinker --no-warn-symbol-ordering -Xlinker --symbol-ordering-file='\(list)'"
  }
}
