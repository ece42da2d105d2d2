// SPDX-License-Identifier: Apache-2.0

/// A command that builds a program, to which options can be added: one call of `swift build` or of `swiftc`.
package struct BuildCommand {
  let text: String
  /// Whether it is `swift build`, which hands options on.
  let isPackage: Bool

  /// nil for any other command.
  package init?(_ text: String) {
    // Options at the end belong to the last of several commands.
    guard !text.contains(where: { ";|&<>\n".contains($0) }) else { return nil }
    let words = text.split(separator: " ")
    isPackage = words.starts(with: ["swift", "build"])
    guard isPackage || words.first?.split(separator: "/").last == "swiftc" else { return nil }
    self.text = text
  }

  /// With a section for each function, linked by lld, which can order functions.
  package var withSections: String {
    let options = ["-use-ld=lld", "-Xfrontend", "-function-sections"]
    return text + options.map { isPackage ? " -Xswiftc \($0)" : " \($0)" }.joined()
  }

  /// `withSections`, with the functions in the order of a list.
  ///
  /// - Parameter list: an absolute path without blanks.
  package func ordered(by list: String) -> String {
    withSections + " -Xlinker --no-warn-symbol-ordering -Xlinker --symbol-ordering-file='\(list)'"
  }
}
