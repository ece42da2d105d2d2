// SPDX-License-Identifier: Apache-2.0

import LaunchComparison
import LaunchSystem

extension TemporaryTraces {
  /// A directory for a command's own launches; without one, the command ends with its message.
  static func made() throws -> TemporaryTraces {
    do throws(FileError) { return try TemporaryTraces() } catch { throw fail(error, status: CommandStatus.failure) }
  }
}
