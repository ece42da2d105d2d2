// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The external tools that `scripts/set-up-tools` installs. They are required: without them a test fails.
public enum Tools {
  /// `LAUNCHPROF_TOOLS` (set by scripts/test), otherwise where the script puts them.
  static let directory = environment("LAUNCHPROF_TOOLS") ?? PackageRoot.appending(".build/tools")

  public static func python() throws(ToolFailure) -> String { try require("venv/bin/python") }
  public static func node() throws(ToolFailure) -> String { try require("node") }
  static func traceProcessor() throws(ToolFailure) -> String { try require("trace_processor") }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  private static func require(_ name: String) throws(ToolFailure) -> String {
    let path = directory + "/" + name
    guard access(path, R_OK) == 0 else {
      throw ToolFailure("\(path) is missing: run scripts/test (or scripts/set-up-tools) first, it installs the tools")
    }
    return path
  }
}
