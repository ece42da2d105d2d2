// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// An executable or shared library, as named in a trace.
package struct Image: Hashable, Sendable {
  /// Its path when the program ran.
  package var path: String
  /// The build id, hexadecimal; empty if it has none.
  package var buildID: String

  package init(path: String, buildID: String = "") {
    self.path = path
    self.buildID = buildID
  }

  var fileName: String { LaunchSystem.fileName(path) }
}
