// SPDX-License-Identifier: Apache-2.0

import CLaunchCommand
import CLaunchSchema

/// Which launchprof this is.
enum Version {
  /// The version of the package.
  static let current = LAUNCHPROF_VERSION

  /// The version, the commit, and the toolchain that built the command.
  static var described: String {
    let build = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(LC_BUILD_STAMP_SIZE)) { text in
      lc_build_stamp(text.baseAddress)
      return text.baseAddress.map { String(cString: $0) } ?? ""
    }
    return "\(current) (\(build.isEmpty ? "no release; built with Swift \(compiler)" : build))"
  }

  /// As exactly as a source can know it.
  private static var compiler: String {
    #if compiler(>=6.5)
    "6.5 or later"
    #elseif compiler(>=6.4)
    "6.4"
    #elseif compiler(>=6.3)
    "6.3"
    #elseif compiler(>=6.2)
    "6.2"
    #else
    "6.1"
    #endif
  }
}
