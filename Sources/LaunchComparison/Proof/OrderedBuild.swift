// SPDX-License-Identifier: Apache-2.0

/// A build with the options that let lld order functions.
package struct OrderedBuild {
  private let command: BuildCommand

  /// nil unless it is one call of `swift build` or of `swiftc`.
  package init?(_ command: String) {
    guard let command = BuildCommand(command) else { return nil }
    self.command = command
  }

  /// With a section for each function, linked by lld.
  package var plain: String {
    let options = ["-use-ld=lld", "-Xfrontend", "-function-sections"]
    return command.text + options.map { command.isPackage ? " -Xswiftc \($0)" : " \($0)" }.joined()
  }

  /// - Parameter list: an absolute path without blanks.
  package func ordered(by list: String) -> String {
    plain + " -Xlinker --no-warn-symbol-ordering -Xlinker --symbol-ordering-file='\(list)'"
  }
}
